"""Notes for as long as a process lasts: for a replay, and for tests."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.sessions.note import Note
from fairlead.sessions.recollection import Recollection


class NotesInMemory:
    def __init__(self) -> None:
        self._known: dict[str, Recollection] = {}

    def recollect(self, session: str, /) -> Recollection | None:
        return self._known.get(session)

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        known = self._known.setdefault(session, Recollection())
        for note in notes:
            known.add(note)
        return ""
