"""The policy that guards coding agents, around the tools of a library."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.policy import hooks_of, journal_of, load_system
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import ToolExecutor
from fairlead.model.answer import Block
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import HookType, Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel, hook, system_of


def shell(command: str) -> str:
    return f"ran {command}"


def executor(tmp_path: Path) -> ToolExecutor:
    system = load_system(home=str(tmp_path / "home"), root=str(tmp_path))
    return ToolExecutor([shell], ToolStack(*hooks_of(system, root=str(tmp_path))))


def test_the_built_in_guards_watch_a_librarys_tools(tmp_path: Path) -> None:
    guarded = executor(tmp_path)
    assert guarded.use_tool(ToolCall("shell", {"command": "echo hello"})).output == "ran echo hello"
    blocked = guarded.use_tool(ToolCall("shell", {"command": "rm -rf /"}))
    assert blocked.blocked
    assert blocked.hook == "block-dangerous-commands"
    again = asyncio.run(guarded.use_tool_async(ToolCall("shell", {"command": "rm -rf /"})))
    assert again.error == blocked.error


def test_an_agent_uses_a_policy(tmp_path: Path) -> None:
    system = load_system(home=str(tmp_path / "home"), root=str(tmp_path))
    model = ScriptedModel(ToolCall("shell", {"command": "rm -rf /"}, id="1"), "I cannot")
    state = AgentBuilder(model).tools(shell).use(system).build().run("delete everything")
    assert state.text == "I cannot"
    assert [message.ok for message in state.messages if message.role == "tool"] == [False]


def test_law_1_a_rewrite_by_a_policy_is_seen_by_the_stacks_own_guards() -> None:
    system = system_of([hook(lambda event, config, previous: Outcome(updated_input={"command": "rm"}))])
    stack = ToolStack(*hooks_of(system))
    stack.before(priority=9)(lambda call: Block("no rm") if call.input["command"] == "rm" else None)
    assert ToolExecutor([shell], stack).use_tool(ToolCall("shell", {"command": "ls"})).error == "no rm"


def test_a_policy_that_rewrites_anew_each_time_is_asked_once_per_call() -> None:
    def verbose(event: Event, config: object, previous: object) -> Outcome:
        assert event.tool is not None
        return Outcome(updated_input={"command": f"{event.tool.input['command']} -v"})

    stack = ToolStack(*hooks_of(system_of([hook(verbose, type=HookType.TRANSFORMATION)])))
    for number in range(3):
        call = ToolCall("shell", {"command": "ls"}, id=str(number))
        assert ToolExecutor([shell], stack).use_tool(call).output == "ran ls -v"


def test_law_1_a_policy_judges_what_another_hook_made_of_its_rewrite() -> None:
    def judge(event: Event, config: object, previous: object) -> Outcome | None:
        assert event.tool is not None
        if event.tool.input["command"] == "rm":
            return Outcome(Decision.BLOCK, "no rm")
        return Outcome(updated_input={"command": "ls"}) if event.tool.input["command"] == "l" else None

    stack = ToolStack(*hooks_of(system_of([hook(judge)])))
    stack.before(priority=-1)(
        lambda call: call.replace(input={"command": "rm"}) if call.input["command"] == "ls" else None
    )
    result = ToolExecutor([shell], stack).use_tool(ToolCall("shell", {"command": "l"}, id="1"))
    assert result.error == "no rm"


def test_the_journal_gets_every_call_with_its_verdict_and_no_secret(tmp_path: Path) -> None:
    stack = ToolStack(tell=journal_of(str(tmp_path / "journal"), root="/project"))
    stack.before(name="no-keys")(lambda call: Block("no keys"))
    ToolExecutor([shell], stack).use_tool(
        ToolCall(
            "shell", {"command": "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
        )
    )
    text = "".join(path.read_text() for path in (tmp_path / "journal").rglob("*") if path.is_file())
    line = json.loads(text.splitlines()[-1])
    assert (line["verdict"]["decision"], line["agent"], line["outcomes"][0]["hook"]) == (
        Decision.BLOCK.word,
        "library",
        "no-keys",
    )
    assert "wJalrXUtnFEMI" not in text


def test_a_policys_observers_run_without_being_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "config" / "hooks" / "one"
    folder.mkdir(parents=True)
    log = tmp_path / "operations.jsonl"
    folder.joinpath("hook.meta.yaml").write_text(
        "event: PreToolUse\nmiddleware:\n"
        f"  - {{id: log-operations, type: observability, config: {{log_file: {log}}}}}\n"
    )
    guarded = executor(tmp_path)
    guarded.use_tool(ToolCall("shell", {"command": "rm -rf /"}))
    guarded.use_tool(ToolCall("shell", {"command": "ls"}))
    judge = guarded.stack.hooks()[0].run.target.__self__  # type: ignore[attr-defined]
    judge._system.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["tool_input"]["command"], line["blocked"]) for line in lines] == [
        ("rm -rf /", True),
        ("ls", False),
    ]


def test_what_a_stack_has_fetched_is_asked_about_in_that_stack_alone(tmp_path: Path) -> None:
    one, other = executor(tmp_path), executor(tmp_path)
    assert one.use_tool(ToolCall("shell", {"command": "curl -o tool https://get.example/tool"})).ok
    asked = one.use_tool(ToolCall("shell", {"command": "./tool"}))
    assert not asked.ok
    assert "get.example" in asked.error
    assert other.use_tool(ToolCall("shell", {"command": "./tool"})).ok
