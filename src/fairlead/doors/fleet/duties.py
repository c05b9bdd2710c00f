"""What an agent of a fleet does besides taking up its policy: each duty is a module with one function.

    async def run(context: Context) -> None

It runs from the start of the agent to its end, beside the others. What it raises is written down, and it is
begun again after a pause that grows; where it returns, it is done. At the end of the agent it is cancelled,
so what must be finished belongs into a `finally`, and what must not be lost on the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from random import uniform

from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.standing import Standing
from fairlead.errors import FairleadError
from fairlead.policy.places import Places
from fairlead.secrets.redact import redact_text

DUTIES: Mapping[str, str] = {
    "approvals": "fairlead.doors.fleet.approvals.duty",
    "heartbeats": "fairlead.doors.fleet.telling.heartbeats",
    "forwarding": "fairlead.doors.fleet.forwarding",
}
"""Name, and the module that has `run`. It is imported by the agent alone."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 300.0
Run = Callable[["Context"], Awaitable[None]]


class Context:
    """What a duty has to work with."""

    def __init__(
        self, places: Places, *, machine: str, group: str, link: Link | None, standing: Standing
    ) -> None:
        self.places = places
        self.machine = machine
        self.group = group
        self.link = link
        """The connection to the broker; None where the fleet has none (HTTP, a folder)."""
        self.standing = standing
        self.stopping = asyncio.Event()
        """Set when the agent is told to end."""

    def tell(self, duty: str, **facts: object) -> None:
        """Puts facts about a duty beside those that it told before, into status.json."""
        self.standing.tell(duty, facts)

    async def pause(self, seconds: float) -> bool:
        """False as soon as the agent is told to end."""
        try:
            await asyncio.wait_for(self.stopping.wait(), seconds)
        except TimeoutError:
            return True
        return False


async def attend(name: str, context: Context, run: Run | None = None) -> None:
    """Keeps a duty going. One that breaks takes nothing with it."""
    pause = _FIRST_PAUSE
    while not context.stopping.is_set():
        try:
            await (run or _run_of(name))(context)
            return
        except FairleadError as error:
            context.tell(name, error=error.message)
        except Exception as error:  # noqa: BLE001 - one duty's trouble must not end the others
            context.tell(name, error=redact_text(f"{type(error).__name__}: {error}"))
        await context.pause(uniform(pause / 2, pause))  # noqa: S311 - spreads machines, hides nothing
        pause = min(pause * 2, _LONGEST_PAUSE)


def _run_of(name: str) -> Run:
    run: Run = import_module(DUTIES[name]).run
    return run
