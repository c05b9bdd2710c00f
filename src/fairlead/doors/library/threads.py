"""Plain functions beside an event loop: each in a thread of its own.

Nothing can end a thread. One that nobody waits for any more runs to its end unheard, and it does not keep the
process from ending, as the threads of asyncio's own pool would.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import copy_context
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

Ending = Callable[[], Any]
"""Returns what a function returned, or raises what it raised."""


def begin(function: Callable[[], Any], tell: Callable[[Ending], None], name: str) -> Thread:
    """Starts the function in a thread that knows the context variables of this one."""
    context = copy_context()

    def work() -> None:
        try:
            result = context.run(function)
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits for it
            tell(_raising(error))
        else:
            tell(lambda: result)

    thread = Thread(target=work, name=f"fairlead-{name}", daemon=True)
    thread.start()
    return thread


def _raising(error: BaseException) -> Ending:
    def ending() -> Any:
        raise error

    return ending


async def in_thread(function: Callable[[], Any], name: str) -> Any:
    """What the function returns or raises."""
    import asyncio

    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Ending] = loop.create_future()
    begin(function, lambda ending: _tell(loop, ended, ending), name)
    ending = await ended
    return ending()


def _tell(loop: asyncio.AbstractEventLoop, ended: asyncio.Future[Ending], ending: Ending) -> None:
    def settle() -> None:
        if not ended.done():
            ended.set_result(ending)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return


class AbandonedError(Exception):
    """A function in a thread went on after nobody waited for it any more."""


async def around_in_thread(
    function: Callable[..., Any], call: Any, state: Any, inner: Callable[..., Awaitable[Any]]
) -> Any:
    """A function that calls `next` and waits for it: it waits in a thread, and what it calls runs here."""
    import asyncio

    loop = asyncio.get_running_loop()
    under_way: list[Future[Any]] = []
    waited_for = True

    def next_from_thread(call: Any, state: Any = None) -> Any:
        if not waited_for:
            raise AbandonedError("nobody waits for this call any more")
        under_way.append(asyncio.run_coroutine_threadsafe(_awaited(inner, call, state), loop))
        return under_way[-1].result()

    try:
        return await in_thread(lambda: function(call, state, next_from_thread), "around")
    finally:
        waited_for = False
        for future in under_way:
            future.cancel()


async def _awaited(inner: Callable[..., Awaitable[Any]], call: Any, state: Any) -> Any:
    return await inner(call, state)
