from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from fairlead.doors.hook import call as call_module
from fairlead.doors.hook import cold
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.errors import JournalError
from fairlead.journal.reader import fold, read_records
from fairlead.policy.off import Off
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


class _Breaking:
    """Stands before something of ours, and breaks at its first use of one name."""

    def __init__(self, whole: object, name: str) -> None:
        self._whole, self._name = whole, name

    def __getattr__(self, name: str) -> object:
        if name != self._name:
            return getattr(self._whole, name)
        self._name = ""
        raise RuntimeError("a defect of ours")


def _answer_of_a_broken_part(
    tmp_path: Path, patch: pytest.MonkeyPatch, *, part: str, name: str, off: bool = False
) -> dict[str, Any]:
    """The verdict as the journal has it."""
    systems = Systems(find_places(str(tmp_path / "home")))
    asked = call(tmp_path)
    dialect = call_module.dialect_for("claude", asked.payload, asked.environment)
    compiled = systems.compiled(str(tmp_path / "project"), "claude")
    parts: dict[str, object] = {"dialect": dialect, "systems": systems, "compiled": compiled, "off": Off()}
    parts[part] = _Breaking(parts[part], name)
    if part == "compiled":
        patch.setattr(systems, "compiled", lambda *_: parts["compiled"])
    patch.setattr(call_module, "dialect_for", lambda *_, **__: parts["dialect"])
    patch.setattr(call_module, "read_off", lambda _: parts["off"] if off else None)
    assert answer(asked, cast("Systems", parts["systems"])).reply.exit_code == 2
    systems.close()
    (line,) = lines(systems)
    return cast("dict[str, Any]", line["verdict"])


@pytest.mark.parametrize(
    ("part", "name", "stage"),
    [
        ("systems", "request_of", "planning"),
        ("systems", "root_of", "planning"),
        ("systems", "compiled", "planning"),
        ("dialect", "decode", "validation"),
        ("compiled", "fire", "execution"),
        ("dialect", "render", "rendering"),
        ("compiled", "notes", "rendering"),
        ("systems", "record", "rendering"),
    ],
)
def test_a_crash_is_laid_to_the_stage_that_it_happened_in(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, name: str, stage: str
) -> None:
    verdict = _answer_of_a_broken_part(tmp_path, monkeypatch, part=part, name=name)
    (failure,) = verdict["failures"]
    assert (failure["code"], failure["details"]["stage"]) == (f"{stage.upper()}_FAILURE", stage)
    assert "a defect of ours" in failure["message"]


@pytest.mark.parametrize(
    ("part", "name", "stage"),
    [("off", "covers", "planning"), ("dialect", "decode", "validation"), ("dialect", "render", "rendering")],
)
def test_a_crash_while_it_is_switched_off_is_laid_to_its_stage_too(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, name: str, stage: str
) -> None:
    verdict = _answer_of_a_broken_part(tmp_path, monkeypatch, part=part, name=name, off=True)
    assert verdict["rule"] == f"engine/{stage}"


@pytest.mark.parametrize("more", [0, 1, 2, 1 << 20])
def test_one_byte_more_than_is_judged_is_read_and_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: int
) -> None:
    bound = 3 * (1 << 20) + 5
    (tmp_path / "payload").write_bytes(b"x" * (bound + more))
    monkeypatch.setattr(cold, "PAYLOAD_BOUND", bound)
    with (tmp_path / "payload").open("rb") as file:
        monkeypatch.setattr(cold, "_STDIN", file.fileno())
        assert len(cold.read_payload()) == bound + min(more, 1)
