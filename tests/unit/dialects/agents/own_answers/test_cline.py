from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.facts import facts_of
from fairlead.model.verdict import Verdict

CLINE = dialect_named("cline")
REFUSED = Verdict(Decision.BLOCK, "it's `$(no)`", rule="rule/one", gating=True)


def read(tool: str, tool_input: object, **fields: object) -> Event:
    call = {"id": "1", "name": tool, "input": tool_input}
    parameters = {"commands": "ls"}  # as the client shows them beside the call, in another form
    payload = {
        "clineVersion": "",
        "hookName": "tool_call",
        "taskId": "t",
        "workspaceRoots": ["/work"],
        "agent_id": "agent_1",
        "parent_agent_id": None,
        "tool_call": call,
        "preToolUse": {"toolName": tool, "parameters": parameters},
        **fields,
    }
    return CLINE.decode(json.dumps(payload).encode(), native_event="PreToolUse", environment={})


def answer_to(event: Event, verdict: Verdict = REFUSED) -> dict[str, object]:
    reply = CLINE.render(event, verdict)
    assert reply.exit_code == 0
    mark, _, said = reply.stdout.decode().partition("\t")
    assert mark == "HOOK_CONTROL"
    answer: dict[str, object] = json.loads(said)
    return answer


@pytest.mark.parametrize(
    "given",
    [
        {"commands": ["id -u"]},
        {"commands": "id -u"},
        {"command": "id -u"},
        {"cmd": "id -u"},
        ["id -u"],
        "id -u",
    ],
    ids=str,
)
def test_every_form_of_a_command_that_the_tool_takes_is_read(given: object) -> None:
    event = read("run_commands", given)
    assert event.tool is not None
    assert facts_of(event.tool, "/work").command == "id -u"


def test_a_text_that_looks_like_an_input_is_the_command_that_the_tool_makes_of_it() -> None:
    given = '{"x": "$(id)", "command": "ls"}'
    event = read("run_commands", given)
    assert event.tool is not None
    assert facts_of(event.tool, "/work").command == given


def test_a_refused_command_becomes_one_that_prints_the_reason_and_fails() -> None:
    given = answer_to(read("run_commands", {"commands": ["ls", "rm -rf /"]}))["overrideInput"]
    assert isinstance(given, dict)
    (command,) = given["commands"]
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Blocked by Fairlead: it's `$(no)` [rule/one]\n"


@pytest.mark.parametrize(
    "tool", ["editor", "read_files", "search_codebase", "fetch_web_content", "apply_patch"]
)
def test_a_refused_tool_is_given_nothing_of_its_input_and_the_model_the_reason(tool: str) -> None:
    answer = answer_to(read(tool, {"path": "a", "files": ["a"], "input": "a"}))
    assert answer["overrideInput"] == {"refused": answer["contextModification"]}
    assert "rule/one" in str(answer["contextModification"])


@pytest.mark.parametrize("tool", ["github__delete", "spawn_agent", "something_new"])
def test_a_refused_tool_that_might_act_on_any_input_is_cancelled(tool: str) -> None:
    answer = answer_to(read(tool, {"name": "x"}))
    assert answer["cancel"] is True and "overrideInput" not in answer


def test_a_halt_ends_the_run() -> None:
    halted = Verdict(Decision.HALT, "enough", gating=True)
    assert answer_to(read("run_commands", {"commands": ["ls"]}), halted)["cancel"] is True


def test_a_question_runs_nothing() -> None:
    asked = Verdict(Decision.ASK, "sure?", gating=True)
    answer = answer_to(read("run_commands", {"commands": ["touch a"]}), asked)
    assert "touch" not in str(answer["overrideInput"])


def test_the_tool_of_a_server_is_known_by_its_two_names() -> None:
    tool = read("git_hub__delete_repo", {}).tool
    assert tool is not None
    assert (tool.mcp_server, tool.mcp_tool) == ("git_hub", "delete_repo")


def test_only_an_agent_with_a_parent_is_a_subagent() -> None:
    assert read("run_commands", {"commands": ["ls"]}).subagent is None
    child = read("run_commands", {"commands": ["ls"]}, parent_agent_id="agent_0").subagent
    assert child is not None and child.id == "agent_1"


def test_a_task_that_starts_is_a_session_and_needs_no_prompt() -> None:
    payload = {"clineVersion": "", "hookName": "agent_start", "taskStart": {"taskMetadata": {}}}
    event = CLINE.decode(json.dumps(payload).encode(), native_event="TaskStart", environment={})
    assert event.name is EventName.SESSION_START


@pytest.mark.parametrize("name", ["PreToolUse.sh", "pretooluse", "PreToolUse.PY"])
@pytest.mark.parametrize(
    "folder",
    ["Documents/Cline/Hooks", ".cline/hooks", "work/.clinerules/hooks", "work/part/.cline/hooks"],
)
def test_a_refusal_is_a_cancel_while_a_hook_of_somebody_else_might_give_another_input(
    tmp_path: Path, folder: str, name: str
) -> None:
    ours = tmp_path / "Documents" / "Cline" / "Hooks" / "PreToolUse"
    (tmp_path / folder).mkdir(parents=True)
    ours.parent.mkdir(parents=True, exist_ok=True)
    ours.write_text("#!/bin/sh\nexec /share/bin/fairlead-hook cline PreToolUse\n")
    event = read("run_commands", {"commands": ["ls"]}).replace(
        home=str(tmp_path), root=f"{tmp_path}/work", cwd=f"{tmp_path}/work/part"
    )
    assert "cancel" not in answer_to(event)
    (tmp_path / folder / f"{name}.bak").write_text("of no ending that is run")
    (tmp_path / folder / "PostToolUse.sh").write_text("of another event")
    (tmp_path / folder / "PreToolUse.zsh").mkdir()
    assert "cancel" not in answer_to(event)
    (tmp_path / folder / name).write_text("#!/bin/sh\nexit\n")
    answer = answer_to(event)
    assert answer["cancel"] is True and "overrideInput" not in answer
    assert "rule/one" in str(answer["errorMessage"])
    passed = Verdict(Decision.CONTINUE, "")
    assert answer_to(event, passed) == {}
