"""One around-hook at work: a generator that serves sync and async alike, or a function with `next`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairlead.engine.answers import NoAnswerError
from fairlead.engine.middleware import Around, Waiting, Waits, drive, drive_async
from fairlead.model.answer import State
from fairlead.model.hook import Hook
from fairlead.model.tool_call import ToolCall

NOTHING_YET = object()


class Layer:
    """One around-hook at work: the way further in, and what came back from there last.

    `inner` gets the call and a state, which is None where the hook did not give one.
    """

    __slots__ = ("_inner", "_passing", "hook", "result")

    def __init__(
        self, hook: Hook, inner: Callable[[ToolCall, Any], Waits], passing: list[BaseException]
    ) -> None:
        self.hook, self._inner, self._passing = hook, inner, passing
        self.result: Any = NOTHING_YET

    def inward(self, call: ToolCall, state: Any = None) -> Waits:
        """What the tool raises on the way is marked, so that it is not taken for the hook's own mistake."""
        try:
            self.result = yield from self._inner(call, state)
        except Exception as error:
            self._passing.append(error)
            raise
        return self.result

    def through(self, function: Callable[..., Any], call: ToolCall, state: Any) -> Waits:
        """What the hook made of the call; nothing said means the result that it got."""
        answer = yield from self._answer(function, call, state)
        if answer is not None and not isinstance(answer, State):
            return answer
        if self.result is NOTHING_YET:
            raise NoAnswerError("it neither ran the call nor gave a result")
        return self.result if answer is None else answer

    def _answer(self, function: Callable[..., Any], call: ToolCall, state: Any) -> Waits:
        target = self.hook.run.target
        assert isinstance(target, Around)
        if target.yields:
            return (yield from self._generator(function(call, state)))
        beside = target.beside
        if beside is None:
            return (yield function(call, state, self._next))
        answer = yield Waiting(
            lambda: function(call, state, self._next_here),
            lambda: beside(function, call, state, self._next),
        )
        if hasattr(answer, "__await__"):
            getattr(answer, "close", lambda: None)()
            raise NoAnswerError("it returned something that must be awaited; write it as `async def`")
        return answer

    async def _next(self, call: ToolCall, state: Any = None) -> Any:
        return await drive_async(self.inward(_checked(call), state))

    def _next_here(self, call: ToolCall, state: Any = None) -> Any:
        return drive(self.inward(_checked(call), state))

    def _generator(self, hook: Any) -> Waits:
        try:
            wanted = next(hook)
            while True:
                call, state = wanted if isinstance(wanted, tuple) and len(wanted) == 2 else (wanted, None)
                if not isinstance(call, ToolCall):
                    hook.close()
                    raise NoAnswerError(f"it yielded {wanted!r:.60}, which is not a call")
                try:
                    result = yield from self.inward(call, state)
                except Exception as error:  # noqa: BLE001 - the hook may handle what the tool raised
                    wanted = hook.throw(error)
                else:
                    wanted = hook.send(result)
        except StopIteration as finished:
            return finished.value


def _checked(call: object) -> ToolCall:
    if not isinstance(call, ToolCall):
        raise NoAnswerError(f"it called next with {call!r:.60}, which is not a call")
    return call
