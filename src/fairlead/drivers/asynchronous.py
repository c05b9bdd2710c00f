"""Runs the engine's steps without blocking the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from inspect import isawaitable
from typing import TypeVar

from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.plan import Step

Execute = Callable[[Hook, Event, Sequence[Outcome]], Capture]
Result = TypeVar("Result")


async def drive(steps: Generator[Step, list[Capture], Result], execute: Execute) -> Result:
    """As `sync.drive`. `execute` may block, so it runs in a thread; an awaitable that it gives is awaited."""
    try:
        step = next(steps)
        while True:
            step = steps.send(await _captures(step, execute))
    except StopIteration as finished:
        result: Result = finished.value
        return result


async def _captures(step: Step, execute: Execute) -> list[Capture]:
    if len(step.hooks) == 1:
        return [await _capture(step.hooks[0], step, execute)]
    return list(await asyncio.gather(*(_capture(hook, step, execute) for hook in step.hooks)))


async def _capture(hook: Hook, step: Step, execute: Execute) -> Capture:
    capture = await asyncio.to_thread(execute, hook, step.event, step.previous)
    if not isawaitable(capture.value):
        return capture
    return await _settled(hook, capture, capture.value)


async def _settled(hook: Hook, capture: Capture, value: Awaitable[object]) -> Capture:
    """The capture with what its awaitable gave, within the hook's timeout."""
    start = time.perf_counter()
    failure, settled = None, None
    try:
        settled = await asyncio.wait_for(value, hook.timeout)
    except TimeoutError:
        message = f"no answer within {hook.timeout:g} s"
        failure = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, message, {"hook": hook.id})
    except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
        message = f"{type(error).__name__}: {error}"
        failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})
    spent = (time.perf_counter() - start) * 1000
    return capture.replace(value=settled, failure=failure, milliseconds=capture.milliseconds + spent)
