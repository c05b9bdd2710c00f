"""What every answer is made from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from fairlead.model.value import Value
from fairlead.policy.places import Places
from fairlead.store.reader import IndexReader


class HealthRow(Value):
    """One thing that has to be well for calls to be judged. `fix` is a command; empty where all is well."""

    name: str
    state: str
    well: bool
    detail: str = ""
    fix: str = ""

    def as_json(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self._fields}


Health = Callable[[], Sequence[HealthRow]]


def unknown_health() -> Sequence[HealthRow]:
    """Where nobody looks."""
    return ()


class Sources:
    """`writable` is set by `fairlead ui --writable`, behind the human gate."""

    def __init__(
        self, places: Places, root: str, *, writable: bool = False, health: Health = unknown_health
    ) -> None:
        self.places = places
        self.root = root
        self.writable = writable
        self.health = health
        self.journal = os.path.join(places.state, "journal")
        self.index = os.path.join(places.state, "index", "index.sqlite3")

    @contextmanager
    def reader(self) -> Iterator[IndexReader]:
        reader = IndexReader(self.index, self.journal)
        try:
            yield reader
        finally:
            reader.close()
