"""PostgreSQL, by psycopg: a connection for each transaction at once, kept for those that follow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, cast
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from fairlead.doors.fleet.collecting.database import DatabaseError, Rows, Statements, insertion
from fairlead.errors import UsageError

_LOCK = 0x6661_6972_6C65_6164
"""For `alone`: any number that others do not use."""
_SECONDS = 10
_FEW = 4
"""Rows that go as quickly by themselves."""


class _Connected:
    """A connection, and the tables that it has for itself: what comes in stands there first."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.arrivals: set[str] = set()


class _Statements:
    """Of one transaction."""

    def __init__(self, connected: _Connected) -> None:
        self._connection = connected.connection
        self._arrivals = connected.arrivals
        self._used: set[str] = set()

    def run(self, statement: str, values: Sequence[object] = ()) -> Rows:
        done = self._connection.execute(cast(Any, statement.replace("?", "%s")), tuple(values))
        return done.fetchall() if done.description else []

    def put(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], then: str = ""
    ) -> Rows:
        """By COPY: a statement with a place for each value takes longer to be read than to be carried out."""
        if len(rows) <= _FEW:
            found = [self.run(f"{insertion(table, columns, 1)} {then}", row) for row in rows]
            return [row for each in found for row in each]
        names = ", ".join(columns)
        arrivals = self._emptied(table)
        copying = f"COPY {arrivals} ({names}) FROM STDIN"
        with self._connection.cursor() as cursor, cursor.copy(cast(Any, copying)) as copy:
            for row in rows:
                copy.write_row(row)
        return self.run(f"INSERT INTO {table} ({names}) SELECT {names} FROM {arrivals} {then}")

    def _emptied(self, table: str) -> str:
        """A table of this connection alone, with the same columns; the end of a transaction empties it."""
        name = f"arriving_{table}"
        if name not in self._arrivals:
            form = f"SELECT * FROM {table} LIMIT 0"
            self.run(f"CREATE TEMPORARY TABLE {name} ON COMMIT DELETE ROWS AS {form}")
            self._arrivals.add(name)
        elif name in self._used:
            self.run(f"DELETE FROM {name}")
        self._used.add(name)
        return name


class Postgresql:
    def __init__(self, url: str) -> None:
        try:
            self._options = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise UsageError(
                "this is no address of PostgreSQL", hint="postgresql://USER@HOST/NAME"
            ) from error
        parts = urlsplit(url)
        self.shown = f"postgresql://{parts.hostname or ''}{parts.path}"
        self._idle: deque[_Connected] = deque()

    @contextmanager
    def writing(self) -> Iterator[Statements]:
        with self._within("read committed") as statements:
            yield statements

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        with self._within("repeatable read, read only") as statements:
            yield statements

    def alone(self, statements: Statements) -> None:
        statements.run("SELECT pg_advisory_xact_lock(?)", (_LOCK,))

    @contextmanager
    def _within(self, isolation: str) -> Iterator[Statements]:
        connected = None
        try:
            connected = self._connected()
            with connected.connection.transaction():
                connected.connection.execute(cast(Any, f"SET TRANSACTION ISOLATION LEVEL {isolation}"))
                yield _Statements(connected)
            self._idle.append(connected)
            connected = None
        except psycopg.Error as error:
            self.close()  # those that lie idle are as old as the trouble
            said = str(error).strip().partition("\n")[0]
            raise DatabaseError(f"{self.shown}: {said}", hint="is the server running?") from error
        finally:
            if connected is not None:
                _end(connected)

    def _connected(self) -> _Connected:
        with suppress(IndexError):
            while (found := self._idle.pop()).connection.closed:
                pass
            return found
        options = {"connect_timeout": _SECONDS, **self._options, "application_name": "fairlead"}
        return _Connected(psycopg.connect(autocommit=True, **cast(Any, options)))

    def close(self) -> None:
        """Those that are not in use."""
        with suppress(IndexError):
            while True:
                _end(self._idle.pop())


def _end(connected: _Connected) -> None:
    with suppress(psycopg.Error):
        connected.connection.close()
