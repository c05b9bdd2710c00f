"""Claude Agent SDK: one callback before and one after every tool, since several would run at once.

ClaudeAgentOptions(hooks=claude_hooks())
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claude_agent_sdk import HookMatcher

from fairlead.doors.library.frameworks.common import Halves, call_of, stack_of, without_around
from fairlead.engine.passage import AskHuman
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall

SECONDS = 60.0


def claude_hooks(*policy: object, ask: AskHuman | None = None, timeout: float = SECONDS) -> dict[Any, Any]:
    """Hooks, a stack or a system; the policy files that apply here, if nothing is given.

    A callback that breaks or is too late blocks: by itself the agent would go on.
    """
    stack = without_around(stack_of(policy, agent="claude-agent-sdk", ask=ask), "the Claude Agent SDK")
    callbacks = _Callbacks(Halves(stack))

    def matcher(callback: Any) -> HookMatcher:
        return HookMatcher(hooks=[callback], timeout=timeout, on_failure="block")

    return {
        "PreToolUse": [matcher(callbacks.before)],
        "PostToolUse": [matcher(callbacks.after)],
    }


class _Callbacks:
    def __init__(self, halves: Halves) -> None:
        self._halves = halves

    async def before(
        self, payload: Mapping[str, Any], tool_use_id: str | None, context: Any
    ) -> dict[str, Any]:
        call = _call(payload, tool_use_id)
        final, refusal = await self._halves.before(call, payload)
        if refusal is not None:
            return _denied(refusal)
        if final.input == call.input:
            return {}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": dict(final.input)}}

    async def after(
        self, payload: Mapping[str, Any], tool_use_id: str | None, context: Any
    ) -> dict[str, Any]:
        output = payload.get("tool_response")
        execution = await self._halves.after(_call(payload, tool_use_id), payload, output)
        if execution.blocked:
            return _withheld(execution)
        if execution.output == output:
            return {}
        return _replaced(execution.output)


def _call(payload: Mapping[str, Any], tool_use_id: str | None) -> ToolCall:
    return call_of(str(payload.get("tool_name", "")), payload.get("tool_input") or {}, tool_use_id or "")


def _denied(refusal: Execution) -> dict[str, Any]:
    """The agent cannot be handed a result, so a hook's own result is told as the reason."""
    reason = f"Blocked by Fairlead: {refusal.error}" if refusal.blocked else str(refusal.output)
    answer: dict[str, Any] = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }
    return answer | _stop(refusal)


def _withheld(execution: Execution) -> dict[str, Any]:
    return _replaced(f"Blocked by Fairlead: {execution.error}") | _stop(execution)


def _replaced(output: object) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": output}}


def _stop(execution: Execution) -> dict[str, Any]:
    if execution.decision is not Decision.HALT:
        return {}
    return {"continue_": False, "stopReason": execution.error}
