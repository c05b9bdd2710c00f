"""The page of MCP servers: what waits is shown, and let through where the dashboard may change things."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.places import find_places


@pytest.fixture(params=[False, True], ids=["only shows", "can change"])
def either(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path, writable=request.param)
    made.enter()
    yield made
    made.close()


@pytest.fixture
def writable(tmp_path: Path) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path, writable=True)
    made.enter()
    yield made
    made.close()


def door(dashboard: Dashboard, description: str, program: str = "server") -> Pins:
    store = PinStore(find_places(str(dashboard.home)))
    pins = Pins(store, ServerKey("notes"), ServerIdentity((program,)))
    pins.seen([{"name": "add", "description": description, "inputSchema": {}}], complete=True)
    return pins


def test_what_waits_is_shown_with_its_change(either: Dashboard) -> None:
    door(either, "Adds.")
    assert either.ask("/api/pins").json() == []
    door(either, "Adds\u200b.")
    (one,) = either.ask("/api/pins").json()
    assert (one["server"], one["what"], one["why"]) == ("notes", "tool add", ["changed"])
    assert "    + Adds⟨U+200B ZERO WIDTH SPACE⟩." in one["lines"]


def test_a_dashboard_that_only_shows_lets_nothing_through(tmp_path: Path) -> None:
    shown = Dashboard(tmp_path)
    shown.enter()
    door(shown, "Adds.")
    pins = door(shown, "Other.")
    (one,) = shown.ask("/api/pins").json()
    assert shown.ask("/api/pins", "POST", one).status == 403 and pins.blocked("add")
    shown.close()


def test_what_was_shown_is_let_through(writable: Dashboard) -> None:
    door(writable, "Adds.")
    pins = door(writable, "Other.")
    (one,) = writable.ask("/api/pins").json()
    assert writable.ask("/api/pins", "POST", one).status == 200
    assert pins.blocked("add") == "" and writable.ask("/api/pins").json() == []


def test_what_changed_since_it_was_shown_is_not(writable: Dashboard) -> None:
    door(writable, "Adds.")
    door(writable, "Other.")
    (one,) = writable.ask("/api/pins").json()
    pins = door(writable, "Yet another.")
    assert writable.ask("/api/pins", "POST", one).status == 400 and pins.blocked("add")


def test_another_command_is_shown_and_let_through_in_a_terminal_alone(writable: Dashboard) -> None:
    door(writable, "Adds.")
    pins = door(writable, "Adds.", "other")
    (one,) = writable.ask("/api/pins").json()
    assert one["lines"] == ["- server", "+ other"]
    assert writable.ask("/api/pins", "POST", {**one, "seen": ""}).status == 400 and pins.blocked("add")
