"""Microsoft Agent Framework: one function middleware, last in the list.

Agent(client=..., tools=..., middleware=[..., agent_framework_middleware()])
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agent_framework import Content, FunctionInvocationContext, FunctionMiddleware, MiddlewareFailure

from fairlead.doors.library.frameworks.common import HaltedError, call_of, refusal_text, run_awaited, stack_of
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.passage import AskHuman
from fairlead.model.answer import Execution
from fairlead.model.tool_call import ToolCall

_RESULT = "agent_framework.result"


def agent_framework_middleware(*policy: object, ask: AskHuman | None = None) -> FairleadFunctionMiddleware:
    """Hooks, a stack or a system; the policy files that apply here, if nothing is given."""
    return FairleadFunctionMiddleware(stack_of(policy, agent="agent-framework", ask=ask))


class FairleadFunctionMiddleware(FunctionMiddleware):
    """A plain exception here would let the run go on, so a halt leaves as MiddlewareFailure."""

    def __init__(self, stack: ToolStack) -> None:
        self.stack = stack

    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        arguments = _plain(context.arguments)
        call = call_of(context.function.name, arguments, str(context.metadata.get("call_id", "")))

        async def execute(final: ToolCall, state: object) -> Execution:
            if final.input != call.input:
                context.arguments = dict(final.input)
            await call_next()
            return Execution(final, _text(context.result), metadata={_RESULT: context.result})

        execution = await run_awaited(self.stack, call, context.session, execute)
        try:
            context.result = _result(execution)
        except HaltedError as halted:
            raise MiddlewareFailure(str(halted)) from halted


def _plain(arguments: Any) -> Mapping[str, object]:
    """Arguments are a mapping or a model of Pydantic's."""
    if isinstance(arguments, Mapping):
        return arguments
    dumped: Mapping[str, object] = arguments.model_dump()
    return dumped


def _text(result: Any) -> Any:
    """Text where the result is nothing but text, so that hooks need not know the framework."""
    if isinstance(result, list) and result and all(_is_text(part) for part in result):
        return "".join(str(part.text) for part in result)
    return result


def _is_text(part: Any) -> bool:
    return isinstance(part, Content) and part.type == "text"


def _result(execution: Execution) -> Any:
    if execution.blocked:
        return refusal_text(execution)
    given = execution.metadata.get(_RESULT)
    if given is not None and execution.output == _text(given):
        return given
    return execution.output if execution.ok else execution.error
