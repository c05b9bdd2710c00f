"""Real clients for the tests of the doors: built once per run of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from client_workshop import Daemons, Workshop, build_client


@pytest.fixture(scope="session", params=["native", "pure"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_client(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture
def workshop(client: Path, tmp_path: Path) -> Workshop:
    return Workshop(client, tmp_path)


@pytest.fixture
def daemons() -> Iterator[Daemons]:
    made = Daemons()
    yield made
    for daemon in made.started:
        daemon.close()
