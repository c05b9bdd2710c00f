"""A memory of what was found out about one very object, which may not be hashable."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Thing = TypeVar("Thing")
Found = TypeVar("Found")


def once_for_each(most: int) -> Callable[[Callable[[Thing], Found]], Callable[[Thing], Found]]:
    """Asks the function once about each object, and knows `most` of them; equal ones are others.

    It keeps the objects, so that the id of each stays its own. What raised is asked again.
    """

    def remembering(find: Callable[[Thing], Found]) -> Callable[[Thing], Found]:
        known: dict[int, tuple[Thing, Found]] = {}

        @wraps(find)
        def found(thing: Thing) -> Found:
            entry = known.get(id(thing))
            if entry is None:
                entry = thing, find(thing)
                if len(known) >= most:
                    known.clear()
                known[id(thing)] = entry
            return entry[1]

        return found

    return remembering
