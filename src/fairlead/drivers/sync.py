"""Runs the engine's steps and waits for them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.plan import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Result = TypeVar("Result")
Execute = Callable[[Hook, Event, Sequence[Outcome]], Capture]


def drive(steps: Generator[Step, list[Capture], Result], execute: Execute) -> Result:
    """Runs each step's hooks and sends back their captures in the same order, until the engine is done.

    Hooks of one step run at once; a step of one hook, which nearly every step is, costs no thread.
    """
    try:
        step = next(steps)
        while True:
            hooks = step.hooks
            if len(hooks) == 1:
                capture = execute(hooks[0], step.event, step.previous)
                captures = [_unawaited(hooks[0], capture) if hasattr(capture.value, "__await__") else capture]
            else:
                captures = _at_once(step, execute) if hooks else []
            step = steps.send(captures)
    except StopIteration as finished:
        result: Result = finished.value
        return result


def _capture(hook: Hook, step: Step, execute: Execute) -> Capture:
    capture = execute(hook, step.event, step.previous)
    return _unawaited(hook, capture) if hasattr(capture.value, "__await__") else capture


def _unawaited(hook: Hook, capture: Capture) -> Capture:
    """What nobody waits for would read as no objection: here an awaitable answer is a failure."""
    close = getattr(capture.value, "close", None)
    if close is not None:
        close()  # a coroutine that is never awaited warns, unless it was closed
    message = "it is asynchronous, and was called where nothing awaits"
    failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})
    return capture.replace(value=None, failure=failure)


def _at_once(step: Step, execute: Execute) -> list[Capture]:
    """One thread per hook but the last, which runs here. What one raises is raised when all are done."""
    from threading import Thread

    captures: list[Capture | None] = [None] * len(step.hooks)
    errors: list[BaseException] = []

    def run(place: int) -> None:
        try:
            captures[place] = _capture(step.hooks[place], step, execute)
        except BaseException as error:  # noqa: BLE001 - carried to the calling thread, below
            errors.append(error)

    threads = [Thread(target=run, args=(place,), daemon=True) for place in range(len(captures) - 1)]
    for thread in threads:
        thread.start()
    run(len(captures) - 1)
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [capture for capture in captures if capture is not None]
