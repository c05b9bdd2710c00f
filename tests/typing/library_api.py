"""The library as its users type it; `mypy --strict` must be content. Nothing here is run."""

from collections.abc import Callable, Generator
from typing import assert_type

from fairlead import (
    AgentBuilder,
    AgentState,
    Ask,
    Block,
    Execution,
    Limits,
    Price,
    State,
    Tool,
    ToolCall,
    ToolExecutor,
    ToolStack,
    after_tool,
    any_of,
    around_tool,
    before_tool,
)
from fairlead.testing import ScriptedModel


@before_tool("bash", priority=100)
def guard(call: ToolCall, state: AgentState) -> ToolCall | Block | Ask | None:
    return Block("no") if state.steps > 3 else None


@after_tool(any_of("read_*", "/^fetch/"))
def redact(execution: Execution, call: ToolCall, state: AgentState) -> Execution:
    return execution.with_output("[...]").with_metadata(redacted=True)


@around_tool(name="retry", timeout=None)
def retry(call: ToolCall, state: AgentState) -> Generator[ToolCall, Execution, Execution]:
    result = yield call
    return result if result.ok else (yield call)


def bash(command: str) -> str:
    return command


def shout(call: ToolCall, state: AgentState, next: Callable[[ToolCall, AgentState], Execution]) -> Execution:
    return next(call, state.with_metadata("shouted", True))


class Guards:
    @before_tool("bash")
    def count(self, call: ToolCall, state: AgentState) -> AgentState:
        return state.with_metadata("calls", len(state.executions))


class Mine(State):
    user: str = ""


stack = ToolStack(guard, redact, retry, Guards().count, ask=lambda call, reason: reason != "")
executor = ToolExecutor([bash], stack)
assert_type(guard(ToolCall("bash"), AgentState()), ToolCall | Block | Ask | None)
assert_type(executor.use_tool(ToolCall("bash", {"command": "ls"})), Execution)
stack.copy().push(shout).use(stack)
assert_type(
    ToolExecutor([Tool("bash", bash, timeout=5, threaded=False)]).advance(ToolCall("bash"), Mine())[0],
    Execution,
)
assert_type(Price(1.25, 10).input, float)
assert_type(stack.explain(ToolCall("bash")).running, tuple[str, ...])

agent = (
    AgentBuilder(ScriptedModel("done"))
    .tools(bash)
    .limits(Limits(steps=3))
    .on_before_tool_use(guard, matcher="bash")
    .on_before_step(lambda state: state.with_metadata("a", 1))
    .on_should_continue(lambda state: state.steps < 2)
    .build()
)
assert_type(agent.run("go"), AgentState)
