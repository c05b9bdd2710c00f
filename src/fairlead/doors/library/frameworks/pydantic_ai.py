"""Pydantic AI: one capability, innermost, so that its before-hook sees the arguments that will run.

    Agent(model, capabilities=[pydantic_ai_capability()])

Even an innermost `wrap_tool_execute` is passed by other capabilities' before-hooks, so this uses none.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.exceptions import SkipToolExecution, ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from fairlead.doors.library.frameworks.common import Halves, call_of, refusal_text, stack_of, without_around
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.passage import AskHuman


def pydantic_ai_capability(*policy: object, ask: AskHuman | None = None) -> FairleadCapability:
    """Hooks, a stack or a system; the policy files that apply here, if nothing is given."""
    return FairleadCapability(stack_of(policy, agent="pydantic-ai", ask=ask))


class FairleadCapability(AbstractCapability[Any]):
    def __init__(self, stack: ToolStack) -> None:
        self.stack = without_around(stack, "Pydantic AI")
        self._halves = Halves(stack)

    def get_ordering(self) -> CapabilityOrdering:
        return CapabilityOrdering(position="innermost")

    async def before_tool_execute(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        final, refusal = await self._halves.before(call_of(call.tool_name, args, call.tool_call_id), ctx)
        if refusal is None:
            return dict(final.input)
        if refusal.blocked:
            raise ToolFailed(refusal_text(refusal))
        raise SkipToolExecution(refusal.output)

    async def after_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: Any,
    ) -> Any:
        execution = await self._halves.after(call_of(call.tool_name, args, call.tool_call_id), ctx, result)
        if execution.blocked:
            raise ToolFailed(refusal_text(execution))
        return execution.output
