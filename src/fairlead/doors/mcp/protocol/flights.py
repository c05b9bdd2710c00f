"""Requests of one side that have no answer yet. Each side counts for itself, so each has its own table."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.mcp.protocol.messages import BadMessage, Message

MOST = 10_000
"""Requests at a time; a peer that leaves more unanswered is told so."""
MOST_CANCELLED = 1_000

Then = Callable[[Message], None]


class Held:
    """A request that the door has not passed on."""

    def __init__(self) -> None:
        self.withdraw: Callable[[], None] | None = None
        """What ends a question that is asked because of it."""


class Flights:
    """Some peers answer 1 with "1", so both are the same request here."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._table: dict[str, Held | Then] = {}
        self._cancelled: dict[str, Then] = {}
        """Most are never answered; an answer that comes all the same is judged as any other."""

    @property
    def held(self) -> int:
        """How many wait here, and not for a person."""
        return sum(isinstance(each, Held) and each.withdraw is None for each in self._table.values())

    def hold(self, id: str | int) -> Held:
        held = Held()
        self._table[self._free(id)] = held
        return held

    def pass_on(self, id: str | int, then: Then) -> None:
        self._table[self._free(id)] = then

    def release(self, id: str | int, held: Held, then: Then) -> bool:
        """Passes a held request on; False if it was withdrawn meanwhile."""
        if self._table.get(str(id)) is not held:
            return False
        self._table[str(id)] = then
        return True

    def settle(self, id: str | int, held: Held) -> bool:
        """The door answers it; False if it was withdrawn meanwhile."""
        if self._table.get(str(id)) is not held:
            return False
        del self._table[str(id)]
        return True

    def waits(self, id: str | int, held: Held) -> bool:
        return self._table.get(str(id)) is held

    def take(self, id: str | int | None) -> Then | None:
        """What to do with an answer; None for one that nobody waits for."""
        found = self._table.get(str(id)) if id is not None else None
        if isinstance(found, Held):
            return None
        if found is None:
            return self._cancelled.pop(str(id), None) if id is not None else None
        del self._table[str(id)]
        return found

    def is_open(self, id: object) -> bool:
        """Whether an answer to it would be taken."""
        return isinstance(id, str | int) and str(id) in self._table

    def cancel(self, id: object) -> bool:
        """Whether the request was still here: the other side has never heard of it."""
        found = self._table.pop(str(id), None) if isinstance(id, str | int) else None
        if found is None:
            return False
        if isinstance(found, Held):
            if found.withdraw is not None:
                found.withdraw()
            return True
        self._cancelled[str(id)] = found
        if len(self._cancelled) > MOST_CANCELLED:
            del self._cancelled[next(iter(self._cancelled))]
        return False

    def _free(self, id: str | int) -> str:
        """Raises BadMessage for what cannot be told apart from another."""
        key = str(id)
        if key.startswith(self._own):
            raise BadMessage("this id is one of the door's own", id=id)
        if key in self._table or key in self._cancelled:
            raise BadMessage("this id is in use", id=id)
        if len(self._table) >= MOST:
            raise BadMessage(f"{MOST} requests have no answer yet", id=id)
        return key
