"""What is new in the journal, through its index, as `log` and `tail` read it: never the whole of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fairlead.doors.cli.commands.every_day.explain import explanation, reach_of
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.recorded.journal_index import index_path, index_writer, journal_directory
from fairlead.doors.cli.top.state import KEPT, WINDOW, State
from fairlead.policy.answers.questions import questions
from fairlead.store.activity import MINUTE, activities
from fairlead.store.effect import effect_of
from fairlead.store.follow import Follower
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter


class Feed:
    def __init__(self, session: Session, query: Query, writer: IndexWriter, reader: IndexReader) -> None:
        self._session, self._query = session, query
        self._writer, self._reader = writer, reader
        self._follower = Follower(reader, query)

    def beginning(self) -> State:
        now = time.time()
        start = now - (WINDOW - 1) * MINUTE
        calls = self._reader.calls(self._query.replace(limit=KEPT))
        counted = activities(self._reader, self._query.replace(since=start))
        return State(calls=tuple(calls), activity=tuple(counted)).with_questions(self._waiting())

    def further(self, state: State) -> State:
        """With whatever has happened meanwhile."""
        new = self._follower.new() if self._writer.catch_up() else []
        return state.with_calls(new, time.time()).with_questions(self._waiting())

    def explained(self, line_id: str) -> list[str]:
        """What `fairlead explain` says of a call; nothing where the journal does not hold it any more."""
        found = self._reader.record(line_id)
        if found is None:
            return []
        return list(explanation(found, effect_of(self._reader, found), reach_of(self._session, found)))

    def _waiting(self) -> list[Any]:
        return questions(self._session.places)


@contextmanager
def feed(session: Session, query: Query) -> Iterator[Feed]:
    with index_writer(session) as writer:
        with progress("indexing") as told:
            writer.catch_up(told)
        reader = IndexReader(index_path(session), journal_directory(session))
        try:
            yield Feed(session, query, writer, reader)
        finally:
            reader.close()
