"""One of two databases behind the same few statements: PostgreSQL, or SQLite for small fleets.

Statements are written in what both understand, with `?` where a value belongs. A transaction is a context:
all of it is there afterwards, or nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, Protocol

from fairlead.errors import FairleadError, UsageError

Rows = list[tuple[Any, ...]]
_BUSY_SECONDS = 60
MOST_VALUES = 30_000
"""In one statement: below what either database takes."""


class DatabaseError(FairleadError):
    """The database did not take it; nothing of the transaction is there."""

    code = "FLEET_DATABASE"


class Statements(Protocol):
    """Within one transaction."""

    def run(self, statement: str, values: Sequence[object] = ()) -> Rows: ...

    def put(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], then: str = ""
    ) -> Rows:
        """Any number of rows, in their order. `then` says what else: ON CONFLICT, RETURNING."""


class Database(Protocol):
    shown: str

    def writing(self) -> Any:
        """A context with Statements."""

    def reading(self) -> Any:
        """A context with Statements, all of which see the same moment."""

    def alone(self, statements: Statements) -> None:
        """Until the end of the transaction nobody else is at this point."""

    def close(self) -> None: ...


def open_database(url: str) -> Database:
    """`postgresql://...`, or `sqlite:PATH`. Raises FairleadError."""
    if url.startswith("sqlite:"):
        return _Sqlite(url.removeprefix("sqlite:").removeprefix("//"))
    if url.startswith(("postgresql://", "postgres://")):
        return _postgresql(url)
    hint = "write postgresql://USER@HOST/NAME or sqlite:PATH"
    raise UsageError(f"{url.partition(':')[0]!r} is no database that is known here", hint=hint)


class _SqliteStatements:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[object] = ()) -> Rows:
        return self._connection.execute(statement, tuple(values)).fetchall()

    def put(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], then: str = ""
    ) -> Rows:
        found: Rows = []
        for portion in in_portions(rows, len(columns)):
            values = [value for row in portion for value in row]
            found += self.run(f"{insertion(table, columns, len(portion))} {then}", values)
        return found


class _Sqlite:
    """A connection for each transaction: it may be asked from several threads."""

    def __init__(self, path: str) -> None:
        if not path:
            raise UsageError("sqlite: needs the path of a file", hint="sqlite:/var/lib/fleet.sqlite3")
        self._path = os.path.abspath(path)
        self.shown = f"sqlite:{self._path}"
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            os.close(descriptor)
        except OSError as error:
            raise DatabaseError(f"{self.shown} cannot be opened: {error.strerror}") from error
        self._write_ahead()

    def _write_ahead(self) -> None:
        """Whoever wants this mode while another takes it is refused at once, and so has to ask again."""
        end = monotonic() + _BUSY_SECONDS
        while True:
            try:
                with self._within("BEGIN", "PRAGMA journal_mode = WAL"):
                    return
            except DatabaseError as error:
                if not _is_busy(error.__cause__) or monotonic() > end:
                    raise
                sleep(0.02)

    @contextmanager
    def writing(self) -> Iterator[Statements]:
        with self._within("BEGIN IMMEDIATE") as statements:
            yield statements

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        with self._within("BEGIN") as statements:
            yield statements

    def alone(self, statements: Statements) -> None:
        """BEGIN IMMEDIATE has seen to it."""

    @contextmanager
    def _within(self, begin: str, before: str = "") -> Iterator[Statements]:
        try:
            connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
            try:
                connection.execute(before or "PRAGMA synchronous = FULL")
                connection.execute(begin)
                yield _SqliteStatements(connection)
                connection.execute("COMMIT")
            finally:
                connection.close()  # which undoes what was not committed
        except sqlite3.Error as error:
            raise DatabaseError(f"{self.shown}: {error}") from error

    def close(self) -> None:
        """Nothing is held between two transactions."""


def _is_busy(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.Error) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY


def _postgresql(url: str) -> Database:
    try:
        from fairlead.doors.fleet.collecting.postgresql import Postgresql
    except ImportError as error:
        raise FairleadError(
            f"PostgreSQL needs {error.name}", hint="pip install 'fairlead[fleet-collector]'"
        ) from error
    return Postgresql(url)


def places_for(rows: int, columns: int) -> str:
    """`(?, ?), (?, ?)`: the values of several rows in one statement."""
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)


def insertion(table: str, columns: Sequence[str], rows: int) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {places_for(rows, len(columns))}"


def in_portions(rows: Sequence[Any], columns: int) -> Iterable[Sequence[Any]]:
    step = max(MOST_VALUES // max(columns, 1), 1)
    return (rows[start : start + step] for start in range(0, len(rows), step))
