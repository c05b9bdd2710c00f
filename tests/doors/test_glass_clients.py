"""Both clients read the marker of a broken glass by themselves, and agree with Python about each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from client_workshop import Workshop
from marker_trials import late, lets_through

from fairlead.policy.glass.codes import entry_of, new_code
from fairlead.policy.glass.marker import read_clock
from glass_kit import marker_of, name_codes

SALT = bytes(range(8))
CODE = new_code()
ENTRY = entry_of(CODE, SALT)


@pytest.fixture
def gone(workshop: Workshop) -> Workshop:
    """Where nothing is left to answer but the client itself, and a policy names a code."""
    workshop.record["interpreter"] = "/nonexistent/python"
    name_codes(workshop.state / "fleet", [ENTRY])
    return workshop


def test_a_signed_marker_lets_through(gone: Workshop) -> None:
    assert lets_through(gone, marker_of(CODE, ENTRY, read_clock()))


def test_it_is_over_by_either_clock_and_with_another_start_of_the_machine(gone: Workshop) -> None:
    now = read_clock()
    for clock in (
        late(601),
        now.replace(running=now.running - 601),
        now.replace(wall=now.wall - 601),
        now.replace(running=now.running + 100),
        now.replace(boot="5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11"),
    ):
        assert not lets_through(gone, marker_of(CODE, ENTRY, clock)), clock
    assert lets_through(gone, marker_of(CODE, ENTRY, now.replace(wall=now.wall + 10**8)))


def test_nothing_in_it_can_be_changed(gone: Workshop) -> None:
    marker = marker_of(CODE, ENTRY, read_clock())
    head, _, signature = marker.partition("signature=")
    changed = [
        head,
        f"{head}signature=\n",
        f"{head}signature={'0' * len(signature.strip())}\n",
        marker.rstrip("\n"),
        marker + "\n",
        marker.replace("glass 1", "glass 2"),
        marker.replace("uid=", "uid=1"),
        marker.replace("until=", "until=9"),
        marker.replace("wall=1", "wall=2"),
        marker.replace("record=01", "record=02"),
        marker.replace("wall=", "more=1\nwall="),
        marker.replace(signature[:4], "ffff", 1) if signature[:4] != "ffff" else head,
        marker.replace("signature=", "signature=0"),
        marker.replace(ENTRY.public, ENTRY.public[::-1]),
        marker.upper(),
    ]
    assert not any(lets_through(gone, each) for each in changed)


def test_only_a_code_that_the_policy_names_counts(gone: Workshop) -> None:
    marker = marker_of(CODE, ENTRY, read_clock())
    other = new_code()
    assert not lets_through(gone, marker_of(other, entry_of(other, SALT), read_clock()))
    path = name_codes(gone.state / "fleet", [])
    assert not lets_through(gone, marker)
    path.write_text(f"x: 1 # {ENTRY.text}\n#{ENTRY.text}\n")
    assert not lets_through(gone, marker)
    path.write_text(f"a: [{ENTRY.text}] # kept\n")
    assert lets_through(gone, marker)
    path.chmod(0o666)
    assert not lets_through(gone, marker)
    path.unlink()
    assert not lets_through(gone, marker)


def test_a_policy_as_large_as_is_read_is_searched_to_its_end(gone: Workshop) -> None:
    path = name_codes(gone.state / "fleet", [])
    path.write_text("#" * 60_000 + f"\n- {ENTRY.text}\n")
    assert lets_through(gone, marker_of(CODE, ENTRY, read_clock()))


def test_the_marker_of_another_user_does_not_count(gone: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    marker = marker_of(CODE, ENTRY, read_clock())
    monkeypatch.undo()
    assert not lets_through(gone, marker)
    assert Path(gone.state, "off").exists()
