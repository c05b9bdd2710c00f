from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.errors import JournalError
from fairlead.journal.reader import fold, read_records
from fairlead.policy.places import Places, find_places

OBSERVER = """\
event: PreToolUse
middleware:
  - id: log-operations
    type: observability
    config: {log_file: LOG}
"""
PAYLOAD = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "prompt_id": "p-7",
    "tool_name": "Bash",
    "tool_use_id": "toolu_1",
    "tool_input": {"command": "ls"},
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return find_places(str(tmp_path / "home"))


@pytest.fixture
def policy(tmp_path: Path) -> str:
    folder = tmp_path / "policy" / "hooks" / "p"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(OBSERVER.replace("LOG", str(tmp_path / "operations.jsonl")))
    return str(tmp_path / "policy")


def call(tmp_path: Path, *, request: str = "ab" * 16) -> HookCall:
    return HookCall(
        "claude",
        json.dumps({**PAYLOAD, "cwd": str(tmp_path / "project")}).encode(),
        cwd=str(tmp_path / "project"),
        environment={"AI_AGENT": "claude-code_2-1-325_harness"},
        request=request,
    )


def lines(systems: Systems) -> list[dict[str, object]]:
    return list(read_records(systems.journal.directory))


@pytest.mark.parametrize("request_id", ["ab" * 16, ""])
def test_the_line_of_the_observers_names_the_line_of_the_call(
    places: Places, policy: str, tmp_path: Path, request_id: str
) -> None:
    systems = Systems(places, extra_policies=[policy])
    found = answer(call(tmp_path, request=request_id), systems)
    assert found.afterwards is not None
    found.afterwards()
    systems.close()
    first, second = lines(systems)
    assert second["observes"] == first["id"]
    (whole,) = fold([first, second])
    assert "log-operations" in [outcome["hook"] for outcome in whole["outcomes"]]  # type: ignore[attr-defined]


def test_observers_of_a_call_whose_line_was_lost_name_none(
    places: Places, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = Systems(places, extra_policies=[policy])

    def full(*_: object) -> str:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(systems.journal, "write", full)
        found = answer(call(tmp_path), systems)
    assert b"the disk is full" in found.reply.stderr
    assert found.afterwards is not None
    found.afterwards()
    systems.close()
    assert [line["observes"] for line in lines(systems)] == [""]


def test_the_line_tells_the_agents_version_the_turn_and_the_call(places: Places, tmp_path: Path) -> None:
    systems = Systems(places)
    answer(call(tmp_path), systems)
    systems.close()
    facts = lines(systems)[0]["facts"]
    assert isinstance(facts, dict)
    assert (facts["agent_version"], facts["turn"]) == ("2.1.325", "p-7")
    assert facts["tool"]["call"] == "toolu_1"
