"""What `doctor` makes of what it saw."""

from __future__ import annotations

import pytest

from fairlead.doors.cli.live.trial import Evidence, findings

RULE = "privileges/world-writable"
SOUND = Evidence(
    asked=2,
    results=("", f"refused [{RULE}]"),
    harmless_ran=True,
    forbidden_ran=False,
    rule=RULE,
    last_words="",
)


def bad(seen: Evidence) -> list[str]:
    return [finding.what for finding in findings("claude", seen) if not finding.ok]


def test_all_three_kinds_of_evidence_make_a_proof() -> None:
    assert bad(SOUND) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"forbidden_ran": True}, "ran a forbidden call: its hooks are not in force"),
        ({"forbidden_ran": True, "results": ("",)}, "ran a forbidden call: its hooks are not in force"),
        ({"harmless_ran": False}, "did not run a harmless call"),
        ({"rule": ""}, "the journal knows nothing of it: refused"),
        ({"results": ("", "exit code 2")}, "the model was not told why: exit code 2"),
    ],
)
def test_each_kind_of_evidence_that_is_missing_is_a_fault(change: dict[str, object], words: str) -> None:
    found = bad(SOUND.replace(**change))
    assert len(found) == 1
    assert words in found[0]


@pytest.mark.parametrize(
    ("asked", "results", "words"),
    [(0, (), "asked its model for nothing (sign in)"), (1, (), "stopped after 0 calls (sign in)")],
)
def test_an_agent_that_made_no_call_proves_nothing_and_is_no_fault(
    asked: int, results: tuple[str, ...], words: str
) -> None:
    seen = SOUND.replace(asked=asked, results=results, harmless_ran=False, rule="", last_words="sign in")
    said = [finding.what for finding in findings("claude", seen)]
    assert bad(seen) == []
    assert said == [f"not proved: tried through the installed command only: claude {words}"]
    assert [finding.as_json()["ok"] for finding in findings("claude", seen)] == [False]
