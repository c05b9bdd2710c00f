"""How a process with machines is told what to do: lines of JSON, each answered with one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any, Protocol


class Ordered(Protocol):
    @property
    def orders(self) -> dict[str, Any]:
        """What it can do, by name; `end` is the last."""


async def serve(lines: Iterable[str], begin: Callable[[dict[str, Any]], Ordered]) -> None:
    """The first line says who they are; each further one is an order."""
    given = iter(lines)
    crowd = begin(json.loads(next(given)))
    while line := await asyncio.to_thread(next, given, ""):
        order = json.loads(line)
        answer = await crowd.orders[order["do"]](order)
        print(json.dumps(answer), flush=True)
        if order["do"] == "end":
            return


def sample(found: list[float]) -> list[float]:
    """Enough of them for a median and a percentile."""
    step = max(len(found) // 2000, 1)
    return [round(each, 4) for each in sorted(found)[::step]]
