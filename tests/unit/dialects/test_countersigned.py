"""Where Gemini CLI has its second line, a call that may go on carries a sign, and a refused one has none."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.dialects.agents.gemini_family.countersigned import DIALECT, VARIABLE, policy
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.verdict import Verdict

RULES = {rule["toolName"]: rule for rule in tomllib.loads(policy())["rule"]}


def event(tool: str, given: dict[str, object], name: str = "BeforeTool") -> Event:
    payload = {"session_id": "s", "cwd": "/", "hook_event_name": name, "tool_name": tool, "tool_input": given}
    if name == "AfterTool":
        payload["tool_response"] = {}
    return DIALECT.decode(json.dumps(payload).encode(), native_event=name, environment={})


def is_denied(tool: str, given: dict[str, object]) -> bool:
    """As Gemini CLI asks: the arguments as JSON with sorted keys and no blanks."""
    text = json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return tool in RULES and re.search(RULES[tool]["argsPattern"], text) is not None


def answered(tool: str, given: dict[str, object], verdict: Verdict) -> dict[str, object]:
    reply = DIALECT.render(event(tool, given), verdict)
    return json.loads(reply.stdout or b"{}").get("hookSpecificOutput", {}).get("tool_input", given)


@pytest.mark.parametrize("tool", ["run_shell_command", "write_file", "replace"])
def test_a_call_that_nobody_judged_is_denied_and_one_that_was_is_not(tool: str) -> None:
    given = {"command": "ls"} if tool == "run_shell_command" else {"file_path": "a", "content": "b"}
    assert is_denied(tool, given)
    assert not is_denied(tool, answered(tool, given, Verdict()))


def test_each_part_of_a_command_line_keeps_the_sign() -> None:
    signed = answered("run_shell_command", {"command": "cd a && rm b", "dir_path": "src"}, Verdict())
    assert signed["dir_path"] == "src/./."
    assert not is_denied("run_shell_command", {"command": "rm b", "dir_path": signed["dir_path"]})


def test_a_refusal_carries_no_sign() -> None:
    reply = DIALECT.render(
        event("run_shell_command", {"command": "ls"}), Verdict(Decision.BLOCK, "no", gating=True)
    )
    assert reply.exit_code == 2
    assert b"tool_input" not in reply.stdout


def test_a_rewritten_call_is_signed_as_it_was_rewritten() -> None:
    verdict = Verdict(updated_input={"command": "ls -l"})
    assert answered("run_shell_command", {"command": "ls"}, verdict) == {
        "command": "ls -l",
        "dir_path": "././.",
    }


@pytest.mark.parametrize("given", [{"command": "ls"}, {"command": "ls", "dir_path": "src"}])
def test_what_comes_back_is_read_without_the_sign(given: dict[str, object]) -> None:
    signed = answered("run_shell_command", given, Verdict())
    back = event("run_shell_command", signed, "AfterTool").tool
    assert back is not None
    assert back.input == given


@given(
    text=st.text()
    | st.sampled_from(['"dir_path":"/./."', '\\"dir_path\\":\\"a/./.\\"', 'x","dir_path":"/./."'])
)
def test_no_text_of_a_command_is_a_sign(text: str) -> None:
    assert is_denied("run_shell_command", {"command": text, "description": text})
    assert is_denied("write_file", {"file_path": text, "content": text})


def test_only_the_line_of_the_machine_asks_for_the_sign() -> None:
    payload = b'{"hook_event_name": "BeforeTool"}'
    assert dialect_for("gemini", payload, {VARIABLE: "1"}) is DIALECT
    assert dialect_for("gemini", payload, {}) is not DIALECT
    assert dialect_for("claude", b"{}", {VARIABLE: "1"}).name == "claude"
