"""PostgreSQL, by psycopg. One connection at a time for each thread, made anew when the server was away."""

from __future__ import annotations

import threading
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
        self._kept = threading.local()

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
        try:
            connection = self._connection()
            with connection.transaction():
                connection.execute(cast(Any, f"SET TRANSACTION ISOLATION LEVEL {isolation}"))
                yield _Statements(connection)
        except psycopg.Error as error:
            self.close()
            said = str(error).strip().partition("\n")[0]
            raise DatabaseError(f"{self.shown}: {said}", hint="is the server running?") from error

    def _connection(self) -> psycopg.Connection[Any]:
        connection = getattr(self._kept, "connection", None)
        if connection is None or connection.closed:
            options = {"connect_timeout": _SECONDS, **self._options, "application_name": "fairlead"}
            connection = psycopg.connect(autocommit=True, **cast(Any, options))
            self._kept.connection = connection
        return cast("psycopg.Connection[Any]", connection)

    def close(self) -> None:
        """The connection of this thread."""
        connection = getattr(self._kept, "connection", None)
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
            self._kept.connection = None
