"""PostgreSQL, by psycopg: a connection for each transaction at once, kept for those that follow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, cast
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from fairlead.doors.fleet.collecting.database import DatabaseError, Rows, Statements
from fairlead.errors import UsageError

_LOCK = 0x6661_6972_6C65_6164
"""For `alone`: any number that others do not use."""
_SECONDS = 10


class _Statements:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[object] = ()) -> Rows:
        done = self._connection.execute(cast(Any, statement.replace("?", "%s")), tuple(values))
        return done.fetchall() if done.description else []


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
        self._idle: deque[psycopg.Connection[Any]] = deque()

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
        connection = None
        try:
            connection = self._connection()
            with connection.transaction():
                connection.execute(cast(Any, f"SET TRANSACTION ISOLATION LEVEL {isolation}"))
                yield _Statements(connection)
            self._idle.append(connection)
            connection = None
        except psycopg.Error as error:
            self.close()  # those that lie idle are as old as the trouble
            said = str(error).strip().partition("\n")[0]
            raise DatabaseError(f"{self.shown}: {said}", hint="is the server running?") from error
        finally:
            if connection is not None:
                _end(connection)

    def _connection(self) -> psycopg.Connection[Any]:
        with suppress(IndexError):
            while (found := self._idle.pop()).closed:
                pass
            return found
        options = {"connect_timeout": _SECONDS, **self._options, "application_name": "fairlead"}
        return psycopg.connect(autocommit=True, **cast(Any, options))

    def close(self) -> None:
        """Those that are not in use."""
        with suppress(IndexError):
            while True:
                _end(self._idle.pop())


def _end(connection: psycopg.Connection[Any]) -> None:
    with suppress(psycopg.Error):
        connection.close()
