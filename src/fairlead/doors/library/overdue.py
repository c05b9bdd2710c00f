"""Waiting for a tool, and no longer than it has time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fairlead.doors.library.threads import Ending, begin


class OverdueError(Exception):
    """A tool did not end in time. Its text is told to the model."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(
            f"{name!r} did not end within {max(seconds, 0):.3g} s, and nobody waits for it any more"
        )


async def wait_at_most(work: Coroutine[Any, Any, Any], seconds: float | None, name: str) -> Any:
    """What is awaited ends when time is up; a thread that it waits for goes on unheard.

    Raises OverdueError then.
    """
    import asyncio

    if seconds is not None and seconds <= 0:
        work.close()
        raise OverdueError(name, 0)
    try:
        async with asyncio.timeout(seconds) as limit:  # in this task, so that context variables stay
            return await work
    except TimeoutError:
        if not limit.expired():
            raise  # the tool's own
        raise OverdueError(name, seconds or 0) from None


def wait_for_thread(function: Callable[[], Any], seconds: float, name: str) -> Any:
    """What the function returns or raises, if it does in time. Raises OverdueError else."""
    endings: list[Ending] = []
    begin(function, endings.append, name).join(seconds)
    if not endings:
        raise OverdueError(name, seconds)
    return endings[0]()
