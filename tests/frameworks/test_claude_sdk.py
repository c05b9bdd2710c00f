"""Through the SDK's own handling of a hook request; the agent's side of the wire is played here."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed: make test-frameworks")

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
from claude_agent_sdk._internal.query import Query

from fairlead import ToolStack, claude_hooks
from fairlead.doors.library.frameworks.common import HaltedError
from fairlead.errors import RegistrationError
from framework_conformance import Conformance, Seen


class Wire:
    """What the agent would see of the SDK's answers."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []

    async def write(self, data: str) -> None:
        self.written.append(json.loads(data))


async def answered(
    hooks: dict[Any, list[HookMatcher]], event: str, payload: dict[str, Any]
) -> dict[str, Any]:
    wire: Any = Wire()
    query = Query(transport=wire, is_streaming_mode=True)
    (matcher,) = hooks[event]
    query.hook_callbacks = {"hook": matcher.hooks[0]}
    request = {"subtype": "hook_callback", "callback_id": "hook", "input": payload, "tool_use_id": "1"}
    await query._handle_control_request(
        {"type": "control_request", "request_id": "r", "request": request}  # type: ignore[typeddict-item]
    )
    query._message_send.close()
    query._message_receive.close()
    response = wire.written[-1]["response"]
    assert response["subtype"] == "success", response
    answer: dict[str, Any] = response["response"]
    return answer


class TestClaudeAgentSDK(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        return asyncio.run(self._turn(ClaudeAgentOptions(hooks=claude_hooks(stack)).hooks, argument))

    async def _turn(self, hooks: Any, argument: str) -> Seen:
        """As the agent does it: PreToolUse, the tool, PostToolUse."""
        payload = {"hook_event_name": "PreToolUse", "tool_name": "shout", "tool_input": {"text": argument}}
        before = await answered(hooks, "PreToolUse", payload)
        if before.get("continue") is False:
            raise HaltedError(before["stopReason"])
        specific = before.get("hookSpecificOutput", {})
        if specific.get("permissionDecision") == "deny":
            return Seen(None, specific["permissionDecisionReason"])
        assert "permissionDecision" not in specific, "a rewrite must not skip the user's permissions"
        given = specific.get("updatedInput", payload["tool_input"])
        output = given["text"].upper()
        payload |= {"hook_event_name": "PostToolUse", "tool_input": given, "tool_response": output}
        after = await answered(hooks, "PostToolUse", payload)
        return Seen(given["text"], after.get("hookSpecificOutput", {}).get("updatedToolOutput", output))


def test_a_callback_that_fails_blocks() -> None:
    for matchers in claude_hooks(ToolStack()).values():
        assert [(matcher.on_failure, matcher.matcher) for matcher in matchers] == [("block", None)]


def test_around_hooks_are_refused_rather_than_skipped() -> None:
    stack = ToolStack()

    @stack.around()
    def wrap(call: Any, state: Any) -> Any:
        return (yield call)

    with pytest.raises(RegistrationError, match="the Claude Agent SDK cannot run 'wrap' around a call"):
        claude_hooks(stack)
