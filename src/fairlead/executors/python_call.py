"""Runs a hook that is a Python callable in this process: a built-in, or one given through the API."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome


class PythonCall:
    """Calls `hook.run.target(event, config, previous)`. An awaitable answer is left to the driver.

    What others said before is a copy: a hook can read it, and take nothing of it back.
    """

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        function, value, failure = hook.run.target, None, None
        start = perf_counter()
        if callable(function):
            try:
                value = function(event, hook.config, tuple(previous))
            except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
                failure = _failure(hook, f"{type(error).__name__}: {error}{_place(error)}")
        else:
            failure = _failure(hook, f"a {type(function).__name__} cannot be called")
        milliseconds = (perf_counter() - start) * 1000
        return Capture(value, None, None, milliseconds, failure)  # by place: names take twice the time


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace is not None else ""


def _failure(hook: Hook, message: str) -> Failure:
    return Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})
