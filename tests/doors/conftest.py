"""Real clients for the tests of the doors: built once per run of a worker."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_workshop import Daemons, Workshop, build_client
from installation import Installation


@pytest.fixture(scope="session", params=["native", "pure"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_client(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(
    scope="session",
    params=[
        "native",
        "pure",
        pytest.param("sanitized", marks=pytest.mark.slow),
        pytest.param("valgrind", marks=pytest.mark.slow),
    ],
)
def checked_client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Also built with sanitizers, and run by valgrind: what is undefined then fails the test."""
    if request.param == "valgrind" and shutil.which("valgrind") is None:
        pytest.skip("there is no valgrind here, so the native client is not checked with it")
    return build_client(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture
def workshop(checked_client: Path, tmp_path: Path) -> Workshop:
    return Workshop(checked_client, tmp_path)


@pytest.fixture
def daemons() -> Iterator[Daemons]:
    made = Daemons()
    yield made
    for daemon in made.started:
        daemon.close()


@pytest.fixture
def installation(client: Path, tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path, client)
    yield made
    made.stop()


@pytest.fixture
def copied(client: Path, tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path, client, copied=True)
    yield made
    made.stop()
