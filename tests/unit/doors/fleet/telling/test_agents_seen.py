"""Agents that run, held against their calls."""

import pytest

from fairlead.doors.fleet.telling.agents_seen import AgentsSeen

INSTALLED = [{"agent": "claude", "installed": True, "proved": True}]


class Here:
    def __init__(self) -> None:
        self.now = 10_000.0
        self.running: list[tuple[int, str]] = []
        self.seen = AgentsSeen(lambda: self.running, lambda: self.now)

    def look(self, calls=None, after: float = 0.0) -> dict:
        self.now += after
        return {str(row["agent"]): row for row in self.seen.look(INSTALLED, calls or {})}


@pytest.fixture
def here():
    return Here()


def test_one_that_is_installed_is_told_though_it_does_nothing(here):
    assert here.look() == {
        "claude": {
            "agent": "claude",
            "installed": True,
            "proved": True,
            "calls": 0,
            "last_call": None,
            "seen_without_calls": False,
        }
    }


def test_calls_are_those_since_the_last_look(here):
    assert here.look({"claude": (3, 9_000.0)})["claude"]["calls"] == 3
    second = here.look({})["claude"]
    assert (second["calls"], second["last_call"]) == (0, 9_000)


def test_one_that_runs_for_long_without_a_call_is_seen(here):
    here.running = [(7, "gemini")]
    assert not here.look()["gemini"]["seen_without_calls"]
    assert not here.look(after=900)["gemini"]["seen_without_calls"]
    row = here.look(after=1)["gemini"]
    assert (row["seen_without_calls"], row["installed"]) == (True, False)


def test_one_that_calls_is_not(here):
    here.running = [(7, "gemini")]
    here.look()
    assert not here.look({"gemini": (1, here.now)}, after=2_000)["gemini"]["seen_without_calls"]


def test_one_that_called_just_before_it_was_seen_is_not(here):
    here.running = [(7, "gemini")]
    here.look({"gemini": (1, here.now - 800)})
    assert not here.look(after=2_000)["gemini"]["seen_without_calls"]


def test_one_that_ended_is_not_and_a_later_one_begins_anew(here):
    here.running = [(7, "gemini")]
    here.look()
    here.running = []
    assert "gemini" not in here.look(after=2_000)
    here.running = [(7, "gemini")]
    assert not here.look(after=1)["gemini"]["seen_without_calls"]
