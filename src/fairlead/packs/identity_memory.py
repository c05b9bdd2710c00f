"""A memory of what was found out about one very object, which may not be hashable."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Concatenate, ParamSpec, TypeVar

    Thing = TypeVar("Thing")
    Beside = ParamSpec("Beside")
    Found = TypeVar("Found")


def once_for_each(
    most: int,
) -> Callable[[Callable[Concatenate[Thing, Beside], Found]], Callable[Concatenate[Thing, Beside], Found]]:
    """Asks the function once about each object, and knows `most` of them; equal ones are others.

    It keeps the objects, so that the id of each stays its own. What raised is asked again, and so is what was
    asked with something else beside the object the last time.
    """

    def remembering(
        find: Callable[Concatenate[Thing, Beside], Found],
    ) -> Callable[Concatenate[Thing, Beside], Found]:
        known: dict[int, tuple[Thing, object, Found]] = {}

        @wraps(find)
        def found(thing: Thing, /, *beside: Beside.args, **named: Beside.kwargs) -> Found:
            entry = known.get(id(thing))
            if entry is None or entry[1] != beside:
                entry = thing, beside, find(thing, *beside, **named)
                if len(known) >= most:
                    known.clear()
                known[id(thing)] = entry
            return entry[2]

        return found

    return remembering
