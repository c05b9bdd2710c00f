"""AGENT-HOOKS-0.1: one interceptor for any host of that contract, which has neither order nor matchers.

    create_agent_hooks_middleware([agent_hooks_interceptor()])

An ask is a deny that the host's approval may lift.
"""

from __future__ import annotations

from typing import Any

from agent_hooks import Decision as HostDecision
from agent_hooks import Transform, Verdict

from fairlead.doors.library.frameworks.common import Halves, call_of, stack_of, without_around
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.passage import AskHuman
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision


def agent_hooks_interceptor(*policy: object, ask: AskHuman | None = None) -> FairleadInterceptor:
    """Hooks, a stack or a system; the policy files that apply here, if nothing is given."""
    return FairleadInterceptor(stack_of(policy, agent="agent-hooks", ask=ask))


class FairleadInterceptor:
    def __init__(self, stack: ToolStack) -> None:
        self.stack = without_around(stack, "agent-hooks")
        self._halves = Halves(stack)

    async def intercept(self, context: Any, /) -> Verdict:
        """Tool calls and their results; at other points there is no opinion."""
        asked = context.get("tool_call")
        if asked is None:
            return Verdict(HostDecision.ALLOW)
        call = call_of(asked["name"], asked["args"], asked.get("id", ""))
        answer = context.get("tool_result")
        if answer is None:
            final, refusal = await self._halves.before(call, context)
            if refusal is not None:
                return _denied(refusal)
            return _changed(call.input, final.input)
        ok = not answer.get("is_error")
        execution = await self._halves.after(call, context, answer["value"], ok=ok)
        return _denied(execution) if execution.blocked else _changed(answer["value"], execution.output)


def _changed(before: Any, after: Any) -> Verdict:
    if before == after:
        return Verdict(HostDecision.ALLOW)
    value = dict(after) if hasattr(after, "items") else after
    return Verdict(HostDecision.TRANSFORM, transform=Transform("$target", value))


def _denied(execution: Execution) -> Verdict:
    reason = execution.error if execution.blocked else str(execution.output)
    approval: dict[str, Any] | None = {} if execution.decision is Decision.ASK else None
    return Verdict(
        HostDecision.DENY,
        reason=f"fairlead:{execution.hook or 'policy'}",
        message=f"Blocked by Fairlead: {reason}",
        approval=approval,
    )
