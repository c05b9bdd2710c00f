"""Seed 003, tool middleware: its interface, its stack, and its usage example line by line, in Python.

Where the seed contradicts itself, Fairlead decides: its guard blocks by returning null, and its logger
returns null too and must not block. Here a hook that returns nothing has no opinion, and the guard asks for
the seed's reading with `none="block"`.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from fairlead import AgentBuilder, AgentState, Execution, ToolCall, ToolExecutor, ToolStack
from fairlead.testing import ScriptedModel

LS = ToolCall("bash", {"command": "ls"}, id="1")
RM = ToolCall("bash", {"command": "rm -rf /"}, id="2")
READ = ToolCall("read_file", {"path": "notes"}, id="3")


def bash(command: str) -> str:
    return f"ran {command}"


def read_file(path: str) -> str:
    return f"content of {path}"


class Logger:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def info(self, line: str) -> None:
        self.lines.append(line)


class Metrics:
    def __init__(self) -> None:
        self.durations: list[float] = []

    def record_step_duration(self, seconds: float) -> None:
        self.durations.append(seconds)


class Host:
    """The object whose methods and members the seed's closures use as `$this`."""

    def __init__(self) -> None:
        self.logger, self.metrics = Logger(), Metrics()

    def block_dangerous_commands(self, call: ToolCall, state: AgentState) -> ToolCall | None:
        command = str(call.input.get("command", ""))
        if "rm -rf" in command:
            return None  # Block
        return call

    def log(self, call: ToolCall) -> None:
        self.logger.info(f"Tool call: {call.name}")

    def add_metadata(self, execution: Execution, call: ToolCall, state: AgentState) -> Execution:
        return execution.with_metadata({"logged_at": time.time()})

    def begin(self, state: AgentState) -> AgentState:
        return state.with_metadata("step_started", time.time())

    def measure(self, state: AgentState) -> AgentState:
        duration = time.time() - state.metadata["step_started"]
        self.metrics.record_step_duration(duration)
        return state


def test_the_usage_example() -> None:
    host = Host()
    agent = (
        AgentBuilder(ScriptedModel([LS, RM], READ, "all done"))
        .tools(bash, read_file)
        # Block dangerous bash commands
        .on_before_tool_use(host.block_dangerous_commands, matcher="bash", priority=100, none="block")
        # Log all tool calls
        .on_before_tool_use(host.log, priority=-100)
        # Modify results
        .on_after_tool_use(host.add_metadata)
        # Step-level hooks
        .on_before_step(host.begin)
        .on_after_step(host.measure)
        .build()
    )
    began = time.time()
    state = agent.run("clean up")

    assert state.text == "all done"
    answers = [(message.content, message.ok) for message in state.messages if message.role == "tool"]
    assert answers == [
        ("ran ls", True),
        ("blocked by block_dangerous_commands", False),
        ("content of notes", True),
    ]
    assert host.logger.lines == ["Tool call: bash", "Tool call: read_file"]
    ran = [execution for execution in state.executions if execution.ok]
    assert [execution.call.name for execution in ran] == ["bash", "read_file"]
    assert all(float(str(execution.metadata["logged_at"])) >= began for execution in ran)
    assert began <= state.metadata["step_started"] <= time.time()
    assert len(host.metrics.durations) == state.steps == 3
    assert all(duration >= 0 for duration in host.metrics.durations)


class Upper:
    """`interface ToolMiddleware`: process(call, state, next)."""

    def process(self, call: ToolCall, state: Any, next: Any) -> Execution:
        execution: Execution = next(call, state)
        return execution.with_output(str(execution.output).upper())


class Quoted:
    def process(self, call: ToolCall, state: Any, next: Any) -> Execution:
        execution: Execution = next(call, state)
        return execution.with_output(f"<{execution.output}>")


def test_the_stack_builds_its_chain_in_the_order_of_pushing() -> None:
    stack = ToolStack().push(Upper()).push(Quoted())
    assert ToolExecutor([bash], stack).use_tool(LS).output == "<RAN LS>"
    assert asyncio.run(ToolExecutor([bash], stack).use_tool_async(LS)).output == "<RAN LS>"
    other = ToolStack().push(Quoted(), priority=-1).push(Upper(), priority=1)
    assert ToolExecutor([bash], other).use_tool(LS).output == "<RAN LS>"


def test_an_executor_without_middleware_runs_tools_as_before() -> None:
    assert ToolExecutor([bash]).use_tool(RM).output == "ran rm -rf /"


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("bash", ["bash"]),
        ("*", ["bash", "read_file", "write_file"]),
        ("read_*", ["read_file"]),
        ("/^write_.+/", ["write_file"]),
    ],
)
def test_a_text_is_a_pattern_of_tool_names(pattern: str, names: list[str]) -> None:
    seen: list[str] = []
    stack = ToolStack()
    stack.before(pattern)(lambda call: seen.append(call.name))
    for name in ("bash", "read_file", "write_file"):
        stack.process(ToolCall(name), None, lambda call, state: Execution(call))
    assert seen == names


def test_named_hooks_run_after_those_that_they_name() -> None:
    order: list[str] = []
    agent = (
        AgentBuilder(ScriptedModel(LS, "done"))
        .tools(bash)
        .on_before_tool_use(lambda call: order.append("logging"), name="logging", after=["security_check"])
        .on_before_tool_use(lambda call: order.append("security_check"), name="security_check")
        .build()
    )
    agent.run("go")
    assert order == ["security_check", "logging"]


def test_on_should_continue_is_a_vote() -> None:
    agent = AgentBuilder(ScriptedModel(LS, LS, LS)).tools(bash)
    state = agent.on_should_continue(lambda state: state.steps < 2, priority=1).build().run("go")
    assert state.steps == 2
