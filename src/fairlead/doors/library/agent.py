"""A small agent loop: ask the model, run the tools that it asks for, until nobody wants another step."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from fairlead.doors.library.model import Model, ModelReply, ModelRequest
from fairlead.doors.library.state import AgentState, Limits, Message
from fairlead.doors.library.steps import AFTER_MODEL, AFTER_STEP, BEFORE_MODEL, BEFORE_STEP, StepStack
from fairlead.doors.library.tools import ToolExecutor, run_to_end
from fairlead.engine.middleware import drive_async
from fairlead.errors import RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall

DONE = "done"

Piece = str | Execution | AgentState
"""What a stream gives: text as it comes, each tool's execution, and the state at the end."""


class Agent:
    """Made by `AgentBuilder`. Holds nothing between runs, so one agent serves many at once."""

    def __init__(
        self, model: Model, executor: ToolExecutor, steps: StepStack, *, limits: Limits, system: str = ""
    ) -> None:
        self.model, self.executor, self.steps = model, executor, steps
        self.limits, self.system = limits, system

    def run(self, prompt: str | AgentState) -> AgentState:
        """The state in which the agent ended: `text` is what it said last, `stop` why it ended."""
        final: AgentState = run_to_end(self.run_async(prompt), hint="await run_async() instead")
        return final

    async def run_async(self, prompt: str | AgentState) -> AgentState:
        final: AgentState | None = None
        async for piece in self._pieces(prompt, streaming=False):
            if isinstance(piece, AgentState):
                final = piece
        assert final is not None
        return final

    def stream(self, prompt: str | AgentState) -> AsyncIterator[Piece]:
        """Text, executions, and the final state. Hooks after the model see text before it comes."""
        return self._pieces(prompt, streaming=True)

    async def _pieces(self, prompt: str | AgentState, *, streaming: bool) -> AsyncIterator[Piece]:
        state = self._begun(prompt)
        while not state.stop:
            async for piece in self._step(state, streaming=streaming):
                if isinstance(piece, AgentState):
                    state = piece
                else:
                    yield piece
            if not state.stop:
                state = await drive_async(self.steps.votes(state))
        yield state

    def _begun(self, prompt: str | AgentState) -> AgentState:
        if isinstance(prompt, AgentState):
            return prompt.replace(started=prompt.started or time.monotonic(), stop="")
        system = (Message("system", self.system),) if self.system else ()
        return AgentState((*system, Message("user", prompt)), started=time.monotonic())

    async def _step(self, state: AgentState, *, streaming: bool) -> AsyncIterator[Piece]:
        """One model call and its tools. The last piece is the state after it."""
        state = state.stopped(self.limits.exceeded(state))
        if not state.stop:
            state, _ = await drive_async(self.steps.run(BEFORE_STEP, state))
        request = ModelRequest(state.messages, tuple(self.executor.tools.values()))
        if not state.stop:
            state, request = await drive_async(self.steps.run(BEFORE_MODEL, state, request))
        if state.stop:
            yield state
            return
        answer: object = None
        async for piece in self._reply(request, streaming=streaming):
            if isinstance(piece, str):
                yield piece
            else:
                answer = piece
        reply = _checked_reply(answer)
        state = state.replace(usage=state.usage.plus(reply.usage))
        said = reply.message.content
        state, reply = await drive_async(self.steps.run(AFTER_MODEL, state, reply))
        if streaming and self._held_back and not state.stop and (reply.message.content or said):
            yield reply.message.content
        if not state.stop:
            state = state.with_messages(reply.message)
            executions = await self._tools(reply.message.calls, state)
            for execution in executions:
                yield execution
            state = _answered(state, executions)
        state = state.replace(steps=state.steps + 1)
        state, _ = await drive_async(self.steps.run(AFTER_STEP, state))
        yield state if reply.message.calls else state.stopped(DONE)

    @property
    def _held_back(self) -> bool:
        """Text waits for hooks that may want to withhold it."""
        return self.steps.has(AFTER_MODEL)

    async def _reply(self, request: ModelRequest, *, streaming: bool) -> AsyncIterator[str | ModelReply]:
        if not streaming:
            yield await self.model.complete(request)
            return
        async for piece in self.model.stream(request):
            if isinstance(piece, ModelReply) or not self._held_back:
                yield piece

    async def _tools(self, calls: Sequence[ToolCall], state: AgentState) -> list[Execution]:
        """At once where every tool allows it, else one after another; results in the order of the calls."""
        tools = self.executor.tools
        if all(call.name in tools and tools[call.name].parallel for call in calls):
            return list(await asyncio.gather(*(self._use(call, state) for call in calls)))
        return [await self._use(call, state) for call in calls]

    async def _use(self, call: ToolCall, state: AgentState) -> Execution:
        exceeded = self.limits.exceeded(state)
        if exceeded:
            return Execution(call, None, ok=False, error=exceeded, decision=Decision.HALT, hook="limits")
        return await self.executor.use_tool_async(call, state)


def _checked_reply(answer: object) -> ModelReply:
    if not isinstance(answer, ModelReply):
        raise RegistrationError(
            f"the model gave {answer!r:.60} where its reply belongs",
            hint="complete() returns a ModelReply, stream() ends with one",
        )
    return answer


def _answered(state: AgentState, executions: Sequence[Execution]) -> AgentState:
    for execution in executions:
        call: Any = execution.call
        state = state.with_messages(Message("tool", execution.message, call_id=call.id, ok=execution.ok))
        if execution.decision is Decision.HALT:
            state = state.stopped(execution.error)
    return state
