"""New calls as they come into the index."""

from __future__ import annotations

from fairlead.journal.ids import floor_of, time_of
from fairlead.store.query import Query
from fairlead.store.reader import Call, IndexReader

_BACK = 10.0
"""Seconds to look back: a writer makes its id, and may be overtaken before it writes its line."""


class Follower:
    """Gives each call once, however the lines of several writers cross."""

    def __init__(self, reader: IndexReader, query: Query) -> None:
        self._reader = reader
        self._query = query.replace(limit=-1, before="", until=None)
        self._seen = {call.id for call in reader.calls(Query(after=self._start(), canaries=True, limit=-1))}

    def new(self) -> list[Call]:
        """What came in since the last time, oldest first."""
        start = self._start()
        fresh = [
            call for call in self._reader.calls(self._query.replace(after=start)) if call.id not in self._seen
        ]
        self._seen = {line_id for line_id in self._seen if line_id > start} | {call.id for call in fresh}
        return fresh

    def _start(self) -> str:
        newest = self._reader.newest()
        try:
            return floor_of(time_of(newest) - _BACK)
        except ValueError:
            return floor_of(0)
