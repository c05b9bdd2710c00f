"""One around-hook at work: a generator that serves sync and async alike, or an `async def` with `next`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairlead.engine.answers import NoAnswerError
from fairlead.engine.middleware import Waits, drive_async
from fairlead.model.hook import Hook
from fairlead.model.tool_call import ToolCall

NOTHING_YET = object()


class Layer:
    """One around-hook at work: the way further in, and what came back from there last."""

    __slots__ = ("_inner", "_passing", "hook", "result")

    def __init__(self, hook: Hook, inner: Callable[[ToolCall], Waits], passing: list[BaseException]) -> None:
        self.hook, self._inner, self._passing = hook, inner, passing
        self.result: Any = NOTHING_YET

    def inward(self, call: ToolCall) -> Waits:
        """What the tool raises on the way is marked, so that it is not taken for the hook's own mistake."""
        try:
            self.result = yield from self._inner(call)
        except Exception as error:
            self._passing.append(error)
            raise
        return self.result

    def through(self, function: Callable[..., Any], call: ToolCall, state: Any) -> Waits:
        """What the hook made of the call; nothing said means the result that it got."""
        if self.hook.run.target.yields:  # type: ignore[attr-defined]  # only Around comes here
            answer = yield from self._generator(function(call, state))
        else:
            answer = yield function(call, state, self._next)
        if answer is not None:
            return answer
        if self.result is NOTHING_YET:
            raise NoAnswerError("it neither ran the call nor gave a result")
        return self.result

    async def _next(self, call: ToolCall, state: Any = None) -> Any:
        if not isinstance(call, ToolCall):
            raise NoAnswerError(f"it called next with {call!r:.60}, which is not a call")
        return await drive_async(self.inward(call))

    def _generator(self, hook: Any) -> Waits:
        try:
            wanted = next(hook)
            while True:
                if not isinstance(wanted, ToolCall):
                    hook.close()
                    raise NoAnswerError(f"it yielded {wanted!r:.60}, which is not a call")
                try:
                    result = yield from self.inward(wanted)
                except Exception as error:  # noqa: BLE001 - the hook may handle what the tool raised
                    wanted = hook.throw(error)
                else:
                    wanted = hook.send(result)
        except StopIteration as finished:
            return finished.value
