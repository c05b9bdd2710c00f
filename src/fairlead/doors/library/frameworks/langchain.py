"""LangChain: one middleware, last in the list, so that it sees the arguments that will run.

create_agent(model, tools, middleware=[..., langchain_middleware()])
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from fairlead.doors.library.frameworks.common import call_of, refusal_text, run_awaited, run_here, stack_of
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.passage import AskHuman
from fairlead.model.answer import Execution
from fairlead.model.tool_call import ToolCall

_MESSAGE = "langchain.message"


def langchain_middleware(*policy: object, ask: AskHuman | None = None) -> FairleadMiddleware:
    """Hooks, a stack or a system; the policy files that apply here, if nothing is given."""
    return FairleadMiddleware(stack_of(policy, agent="langchain", ask=ask))


class FairleadMiddleware(AgentMiddleware[Any, Any, Any]):
    """All hooks in one layer: a layer of LangChain's own costs more than twenty of ours."""

    def __init__(self, stack: ToolStack) -> None:
        super().__init__()
        self.stack = stack

    @property
    def name(self) -> str:
        return f"fairlead-{id(self):x}"

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        def execute(call: ToolCall, state: object) -> Execution:
            return _execution(call, handler(_with(request, call)))

        return _message(request, run_here(self.stack, _call(request), request.state, execute))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        async def execute(call: ToolCall, state: object) -> Execution:
            return _execution(call, await handler(_with(request, call)))

        return _message(request, await run_awaited(self.stack, _call(request), request.state, execute))


def _call(request: ToolCallRequest) -> ToolCall:
    asked = request.tool_call
    return call_of(asked["name"], asked["args"], asked.get("id") or "")


def _with(request: ToolCallRequest, call: ToolCall) -> ToolCallRequest:
    if call.name == request.tool_call["name"] and call.input == request.tool_call["args"]:
        return request
    changed: Any = {**request.tool_call, "name": call.name, "args": dict(call.input)}
    return request.override(tool_call=changed)


def _execution(call: ToolCall, answer: Any) -> Execution:
    """The message's content is what hooks see; a Command stays as it is."""
    if not isinstance(answer, ToolMessage):
        return Execution(call, answer, metadata={_MESSAGE: answer})
    ok = answer.status != "error"
    error = "" if ok else str(answer.content)
    return Execution(call, answer.content, ok=ok, error=error, metadata={_MESSAGE: answer})


def _message(request: ToolCallRequest, execution: Execution) -> Any:
    answer = execution.metadata.get(_MESSAGE)
    if execution.blocked:
        return _said(request, refusal_text(execution), status="error")
    if answer is None:
        return _said(request, execution.message, status="success" if execution.ok else "error")
    if not isinstance(answer, ToolMessage):
        return answer if execution.output is answer else _said(request, execution.message, status="success")
    same = execution.output == answer.content
    return answer if same else answer.model_copy(update={"content": execution.output})


def _said(request: ToolCallRequest, content: str, *, status: Any) -> ToolMessage:
    asked = request.tool_call
    return ToolMessage(content=content, tool_call_id=asked.get("id") or "", name=asked["name"], status=status)
