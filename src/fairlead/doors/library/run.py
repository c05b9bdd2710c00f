"""One run of an agent: a model call and its tools, step after step, until nobody wants another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.state import AgentState, Message, Usage
from fairlead.doors.library.steps import AFTER_MODEL, AFTER_STEP, BEFORE_MODEL, BEFORE_STEP
from fairlead.engine.middleware import drive_async
from fairlead.errors import RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall

if TYPE_CHECKING:
    from fairlead.doors.library.agent import Agent

DONE = "done"

Piece = str | Execution | AgentState
"""What a stream gives: text as it comes, each tool's execution, and the state at the end."""


class Run:
    """`state` is what hooks see and change. `spent` is what this run used: no hook can change that, so a
    state that a hook made anew does not get around a limit."""

    def __init__(self, agent: Agent, state: AgentState, *, streaming: bool) -> None:
        self._agent, self._streaming = agent, streaming
        self._steps, self._limits = agent.steps, agent.limits
        self.state = state
        self.spent = AgentState(started=state.started)
        self._until = agent.limits.deadline(state)

    async def pieces(self) -> AsyncIterator[Piece]:
        while not self.state.stop:
            async for piece in self._step():
                yield piece
            if not self.state.stop:
                self.state = await drive_async(self._steps.votes(self.state))
        yield self.state

    async def _step(self) -> AsyncIterator[str | Execution]:
        """One model call and its tools. Whoever asked the model also ends the step, whatever came of it."""
        request = await self._request()
        if request is None:
            return
        answer: object = None
        async for piece in self._answer(request):
            if isinstance(piece, str):
                yield piece
            else:
                answer = piece
        reply = None if self.state.stop else await self._taken(_checked_reply(answer))
        if reply is not None:
            if self._streaming and self._held_back and (reply.message.content or _said(answer)):
                yield reply.message.content
            for execution in await self._tools(reply.message.calls):
                yield execution
        self.spent = self.spent.replace(steps=self.spent.steps + 1)
        self.state = self.state.replace(steps=self.state.steps + 1)
        self.state, _ = await drive_async(self._steps.run(AFTER_STEP, self.state))
        if reply is not None and not reply.message.calls:
            self.state = self.state.stopped(DONE)

    # the model

    async def _request(self) -> ModelRequest | None:
        """What the model is asked; None when something stopped the step before."""
        self.state = self.state.stopped(self._limits.exceeded(self.spent))
        if not self.state.stop:
            self.state, _ = await drive_async(self._steps.run(BEFORE_STEP, self.state))
        request = ModelRequest(self.state.messages, tuple(self._agent.executor.tools.values()))
        if not self.state.stop:
            self.state, request = await drive_async(self._steps.run(BEFORE_MODEL, self.state, request))
        return None if self.state.stop else request

    async def _answer(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        """Text, and the reply; neither once time is up, and then the state says so."""
        pieces = self._pieces_of_model(request)
        try:
            while True:
                async with asyncio.timeout(self._left()) as limit:
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                if not isinstance(piece, str) or not self._held_back:
                    yield piece
        except TimeoutError:
            if not limit.expired():
                raise  # the model's own
            self.state = self.state.stopped(self._limits.reached("seconds"))
        finally:
            await pieces.aclose()  # type: ignore[attr-defined]  # a generator, as the method below shows

    async def _pieces_of_model(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        if not self._streaming:
            yield await self._agent.model.complete(request)
            return
        async for piece in self._agent.model.stream(request):
            yield piece

    async def _taken(self, reply: ModelReply) -> ModelReply | None:
        """The reply as hooks leave it, in the state; None when one of them stopped it."""
        self.spent = self.spent.replace(usage=self.spent.usage.plus(reply.usage))
        self.state = self.state.replace(usage=self.state.usage.plus(reply.usage))
        self.state = self.state.stopped(self._uncounted(reply.usage))
        if self.state.stop:
            return None
        self.state, changed = await drive_async(self._steps.run(AFTER_MODEL, self.state, reply))
        if self.state.stop:
            return None
        self.state = self.state.with_messages(changed.message)
        taken: ModelReply = changed
        return taken

    def _uncounted(self, usage: Usage) -> str:
        """A limit that cannot be kept is not ignored in silence: some endpoints never say what was used."""
        if self._limits.tokens is not None and not usage.tokens:
            return "the model does not say how many tokens it used, so their limit cannot be kept"
        if (
            self._limits.cost is not None
            and not usage.cost
            and getattr(self._agent.model, "price", None) is None
        ):
            return "the model does not say what it cost, so the limit of cost cannot be kept"
        return ""

    @property
    def _held_back(self) -> bool:
        """Text waits for hooks that may want to withhold it."""
        return self._steps.has(AFTER_MODEL)

    def _left(self) -> float | None:
        return None if self._until is None else self._until - time.monotonic()

    # its tools

    async def _tools(self, calls: Sequence[ToolCall]) -> list[Execution]:
        """At once where every tool allows it, else one after another; results in the order of the calls."""
        before, tools = self.state, self._agent.executor.tools
        executions: list[Execution] = []
        if all(call.name in tools and tools[call.name].parallel for call in calls):
            for execution, after in await asyncio.gather(*(self._use(call, before) for call in calls)):
                executions.append(self._noted(execution, self.state.changed_as(before, after)))
        else:
            for call in calls:
                executions.append(self._noted(*await self._use(call, self.state)))
        self.state = _answered(self.state, before, calls, executions)
        return executions

    async def _use(self, call: ToolCall, state: AgentState) -> tuple[Execution, AgentState]:
        reason = state.stop or self._limits.exceeded(self.spent)
        if reason:
            hook = "limits" if not state.stop else ""
            return Execution(call, None, ok=False, error=reason, decision=Decision.HALT, hook=hook), state
        execution, after = await self._agent.executor.advance_async(call, state, until=self._until)
        if not isinstance(after, AgentState):
            after = state.stopped(f"a hook on {call.name!r} left {after!r:.60} where the state belongs")
        return execution, after

    def _noted(self, execution: Execution, state: AgentState) -> Execution:
        self.state = self.state.changed_to(state).with_executions(execution)
        if execution.decision is Decision.HALT:
            self.state = self.state.stopped(execution.error)
        return execution


def _checked_reply(answer: object) -> ModelReply:
    if not isinstance(answer, ModelReply):
        raise RegistrationError(
            f"the model gave {answer!r:.60} where its reply belongs",
            hint="complete() returns a ModelReply, stream() ends with one",
        )
    return answer


def _said(answer: object) -> str:
    return answer.message.content if isinstance(answer, ModelReply) else ""


def _answered(
    state: AgentState, before: AgentState, calls: Sequence[ToolCall], executions: Sequence[Execution]
) -> AgentState:
    """Results come right after the message that asked for them; what hooks added comes after these."""
    results = tuple(
        Message("tool", execution.message, call_id=call.id, ok=execution.ok)
        for call, execution in zip(calls, executions, strict=True)
    )
    place = len(before.messages)
    if state.messages[:place] != before.messages:
        return state.with_messages(*results)
    return state.replace(messages=(*before.messages, *results, *state.messages[place:]))
