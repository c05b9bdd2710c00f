"""What hooks of others are told about a call."""

import json

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind
from fairlead.packs.judging.understanding import understood
from tests.unit.packs.guard_kit import ROOT, shell_event, tool_event


def commands(text: str) -> list[dict]:
    return understood(shell_event(text))["commands"]


def test_commands_are_told_as_they_would_run() -> None:
    cd, push = commands("cd app && sudo sh -c 'git push origin HEAD:main'")
    assert cd["program"] == "cd"
    assert push["words"] == ["git", "push", "origin", "HEAD:main"]
    assert push["directory"] == f"{ROOT}/app"
    assert push["run_by"][0] == "sudo"
    assert push["text"] == "git push origin HEAD:main"


def test_what_cannot_be_known_is_null_and_not_wrong() -> None:
    (command,) = [one for one in commands('rm -rf "$(date)"/x') if one["program"] == "rm"]
    assert command["words"][-1] is None


def test_effects_have_targets_and_places() -> None:
    told = understood(shell_event("rm -rf build ~/notes"))
    found = {(one["action"], one["target"], one["place"], one["recursive"]) for one in told["effects"]}
    assert ("delete", f"{ROOT}/build", "generated", True) in found
    assert {place for _, target, place, _ in found if target.endswith("/notes")} == {"home"}


def test_file_tools_tell_their_paths() -> None:
    told = understood(tool_event(ToolKind.WRITE, file_path=f"{ROOT}/a.txt", content="x"))
    assert told["paths"] == [{"path": f"{ROOT}/a.txt", "operation": "write"}]
    assert told["kind"] == "write"


def test_an_event_without_a_call_has_nothing_to_read() -> None:
    assert understood(Event(EventName.SESSION_START)) == {"version": 1}


def test_it_is_plain_json_whatever_the_call_and_says_when_there_was_more() -> None:
    told = understood(shell_event("\n".join(f"rm file{n}" for n in range(600))))
    assert json.loads(json.dumps(told)) == told
    assert told["more"] is True
    assert len(told["commands"]) == 500
