"""Requests of one side that have no answer yet. Each side counts for itself, so each has its own table."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.mcp.protocol.messages import BadMessage, Message

MOST = 10_000
"""Requests at a time; a peer that leaves more unanswered is told so."""

Then = Callable[[Message], None]


class Held:
    """A request that the door has not passed on."""

    def __init__(self) -> None:
        self.withdraw: Callable[[], None] | None = None
        """What ends a question that is asked because of it."""


class Flights:
    def __init__(self, own: str) -> None:
        self._own = own
        self._table: dict[str | int, Held | Then] = {}

    def __len__(self) -> int:
        return len(self._table)

    @property
    def held(self) -> int:
        """How many wait here, and not for a person."""
        return sum(isinstance(each, Held) and each.withdraw is None for each in self._table.values())

    def hold(self, id: str | int) -> Held:
        self._check(id)
        held = self._table[id] = Held()
        return held

    def pass_on(self, id: str | int, then: Then) -> None:
        self._check(id)
        self._table[id] = then

    def release(self, id: str | int, held: Held, then: Then) -> bool:
        """Passes a held request on; False if it was withdrawn meanwhile."""
        if self._table.get(id) is not held:
            return False
        self._table[id] = then
        return True

    def settle(self, id: str | int, held: Held) -> bool:
        """The door answers it; False if it was withdrawn meanwhile."""
        if self._table.get(id) is not held:
            return False
        del self._table[id]
        return True

    def waits(self, id: str | int, held: Held) -> bool:
        return self._table.get(id) is held

    def take(self, id: str | int | None) -> Then | None:
        """What to do with an answer; None for one that nobody waits for. Some peers answer 1 with "1"."""
        for spelled in (id, _twin(id)):
            found = self._table.get(spelled) if spelled is not None else None
            if found is not None and not isinstance(found, Held):
                del self._table[spelled]  # type: ignore[arg-type]
                return found
        return None

    def cancel(self, id: object) -> bool:
        """Whether the request was still here: the other side has never heard of it."""
        held = self._table.get(id) if isinstance(id, str | int) else None
        if not isinstance(held, Held):
            return False
        self._table = {key: each for key, each in self._table.items() if each is not held}
        if held.withdraw is not None:
            held.withdraw()
        return True

    def _check(self, id: str | int) -> None:
        if isinstance(id, str) and id.startswith(self._own):
            raise BadMessage("this id is one of the door's own", id=id)
        if id in self._table:
            raise BadMessage("this id is in use", id=id)
        if len(self._table) >= MOST:
            raise BadMessage(f"{MOST} requests have no answer yet", id=id)


def _twin(id: str | int | None) -> str | int | None:
    if isinstance(id, int):
        return str(id)
    return int(id) if id and len(id) < 16 and id.isascii() and id.isdigit() else None
