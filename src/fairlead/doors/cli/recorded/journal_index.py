"""The index of the journal, as commands open it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.progress import progress
from fairlead.errors import FairleadError
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter


def journal_directory(session: Session) -> str:
    return os.path.join(session.places.state, "journal")


def index_path(session: Session) -> str:
    return os.path.join(session.places.state, "index", "index.sqlite3")


@contextmanager
def index_writer(session: Session) -> Iterator[IndexWriter]:
    with _index_errors(session):
        writer = IndexWriter(index_path(session), journal_directory(session))
        try:
            yield writer
        finally:
            writer.close()


@contextmanager
def index_reader(session: Session) -> Iterator[IndexReader]:
    """The index, brought up to date first."""
    with index_writer(session) as writer, progress("indexing") as told:
        writer.catch_up(told)
    with _index_errors(session):
        reader = IndexReader(index_path(session), journal_directory(session))
        try:
            yield reader
        finally:
            reader.close()


@contextmanager
def open_as_it_is(session: Session) -> Iterator[IndexReader | None]:
    """The index without a look at the journal; None where there is none yet."""
    if not os.path.isfile(index_path(session)):
        yield None
        return
    reader = IndexReader(index_path(session), journal_directory(session))
    try:
        yield reader
    finally:
        reader.close()


@contextmanager
def _index_errors(session: Session) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        path = index_path(session)
        raise FairleadError(
            f"the index {path} cannot be used: {error}",
            hint="`fairlead index rebuild` makes it anew from the journal; nothing is lost",
        ) from error
