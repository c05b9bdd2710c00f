"""The table of switches in docs/managed.md, and what `coverage` says, are what the last run has seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.agents import managed_switches, tables
from fairlead.dialects.managed.forms import MANAGED
from managed_switches import OPEN, TRIES

ROOT = Path(__file__).parents[3]


def rows(client: str) -> dict[str, str]:
    found = managed_switches.read()[client]["rows"]
    assert isinstance(found, dict)
    return found


def test_the_page_has_what_was_proved() -> None:
    text = (ROOT / managed_switches.PAGE).read_text()
    assert text == tables.with_switches(text), "run `python -m benchmarks.agents.tables`"


@pytest.mark.parametrize("client", TRIES)
def test_everything_that_is_tried_was_tried_and_came_out_as_it_is_told(client: str) -> None:
    came = {
        name: "open" if state == OPEN else "closed"
        for name, state in rows(client).items()
        if "FAILED" not in state
    }
    assert {name: state.partition(":")[0] for name, state in rows(client).items()} == came
    assert came == {tried.name: tried.expected for tried in TRIES[client]}


@pytest.mark.parametrize("client", TRIES)
def test_the_version_is_the_one_that_coverage_names(client: str) -> None:
    assert managed_switches.read()[client]["version"] == MANAGED[client].tried


@pytest.mark.parametrize("client", TRIES)
def test_coverage_names_every_switch_that_lets_a_client_start_without_us(client: str) -> None:
    """Damage to root's own files is no switch of a user."""
    opened = {tried.name for tried in TRIES[client] if tried.expected == OPEN and not tried.damage}
    told = " ".join(way.switch for way in MANAGED[client].ways_round)
    assert all(name.split()[0] in told for name in opened)
    assert bool(opened) is bool(told)
