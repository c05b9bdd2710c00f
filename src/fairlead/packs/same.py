"""A memory of what was found out about one very object, which may not be hashable."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Things = ParamSpec("Things")
Found = TypeVar("Found")


def once_for_each(most: int) -> Callable[[Callable[Things, Found]], Callable[Things, Found]]:
    """Asks the function once about each object, and knows `most` of them; equal ones are others.

    Where it is given several, which are not to be named, it is asked once about each combination.

    It keeps the objects, so that the id of each stays its own. What raised is asked again.
    """

    def remembering(find: Callable[Things, Found]) -> Callable[Things, Found]:
        known: dict[tuple[int, ...], tuple[object, Found]] = {}

        @wraps(find)
        def found(*things: Things.args, **named: Things.kwargs) -> Found:
            key = tuple([id(thing) for thing in things])
            entry = known.get(key)
            if entry is None:
                entry = things, find(*things, **named)
                if len(known) >= most:
                    known.clear()
                known[key] = entry
            return entry[1]

        return found

    return remembering
