"""Runs a hook that is a Python callable in this process: a built-in, or one given through the API."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome


class PythonCall:
    """Calls `hook.run.target(event, config, previous)`.

    An awaitable answer is left in the capture for the asynchronous driver; where nothing awaits
    (`awaits=False`) it is a failure, since an answer that nobody waits for would read as no objection.
    """

    def __init__(self, *, awaits: bool = False) -> None:
        self._awaits = awaits

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        start = time.perf_counter()
        value, failure = self._call(hook, event, previous)
        return Capture(value=value, failure=failure, milliseconds=(time.perf_counter() - start) * 1000)

    def _call(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> tuple[object, Failure | None]:
        function = hook.run.target
        if not callable(function):
            return None, _failure(hook, f"{hook.id}: a {type(function).__name__} cannot be called")
        try:
            value = function(event, hook.config, previous)
        except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
            return None, raised(hook, error)
        if not self._awaits and hasattr(value, "__await__"):
            _close(value)
            return None, _failure(hook, f"{hook.id}: it is asynchronous, and was called where nothing awaits")
        return value, None


def raised(hook: Hook, error: BaseException) -> Failure:
    """What an exception means: its kind, its words and the line that it came from."""
    return _failure(hook, f"{hook.id}: {type(error).__name__}: {error}{_place(error)}")


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace is not None else ""


def _failure(hook: Hook, message: str) -> Failure:
    return Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})


def _close(value: object) -> None:
    """A coroutine that nobody awaits warns when it is collected, unless it was closed."""
    close = getattr(value, "close", None)
    if callable(close):
        close()
