"""Both databases, the same tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.store import Store
from postgresql_kit import PostgresqlServer


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    server = PostgresqlServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:{tmp_path}/fleet.sqlite3"
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.make_database()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(open_database(url))
    yield made
    made.database.close()
