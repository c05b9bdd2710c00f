from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("agent_hooks", reason="agent-hooks-sdk is not installed: make test-frameworks")

from agent_hooks import AgentContextBuilder, InterceptionBlocked, InterceptionEmitter

from fairlead import Halt, ToolResult, ToolStack, agent_hooks_interceptor
from framework_conformance import Conformance, Seen


class TestAgentHooks(Conformance):
    """Through the SDK's own emitter, as a host uses it."""

    def host(self, stack: ToolStack, argument: str) -> Seen:
        return asyncio.run(self._turn(stack, argument))

    async def _turn(self, stack: ToolStack, argument: str) -> Seen:
        emitter = InterceptionEmitter().register(agent_hooks_interceptor(stack))
        contexts = AgentContextBuilder(agent_id="a", framework="test", session_id="s")
        call = {"call_id": "1", "name": "shout"}
        try:
            permitted = await emitter.emit(contexts.pre_tool_call(**call, args={"text": argument}))
        except InterceptionBlocked as blocked:
            return Seen(None, str(blocked.result.verdict.message))
        given = permitted.target
        output = given["text"].upper()
        try:
            seen = await emitter.emit(contexts.post_tool_call(**call, args=given, value=output))
        except InterceptionBlocked as blocked:
            return Seen(given["text"], str(blocked.result.verdict.message))
        return Seen(given["text"], seen.target)

    def test_a_hook_gives_the_result_itself(self) -> None:
        """The contract has no result at this point: it is told as the reason of a deny."""
        stack = ToolStack()
        stack.before()(lambda call: ToolResult("cached"))
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: cached")

    def test_halt_ends_the_run(self) -> None:
        """The contract has no halt: it is a deny."""
        stack = ToolStack()
        stack.before(name="stopper")(lambda call: Halt("enough"))
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: enough")
