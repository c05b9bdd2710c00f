"""Real clients for the tests of the doors: built once per run of a worker."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bash_shell import Shell
from client_workshop import PUBLISHED, Daemons, Workshop, build_client
from installation import Installation

as_published = pytest.mark.skipif(
    "FAIRLEAD_DIST" not in os.environ, reason="`make test-dist` runs the clients that are in the wheels"
)


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
        *(pytest.param(kind, marks=[pytest.mark.slow, as_published]) for kind in PUBLISHED),
    ],
)
def checked_client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Also built with sanitizers, and run by valgrind: what is undefined then fails the test. And as it is in
    the wheels, that for another processor in its emulator."""
    if request.param == "valgrind" and shutil.which("valgrind") is None:
        pytest.skip("there is no valgrind here, so the native client is not checked with it")
    if request.param == "aarch64" and shutil.which("qemu-aarch64-static") is None:
        pytest.skip("NOT RUN: the client for aarch64 needs qemu-user-static here")
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


@pytest.fixture(scope="session")
def native_recorder(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The recorder in C, where there is a compiler."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "native"))
    try:
        from build import build_recorder
    finally:
        sys.path.pop(0)
    built: Path | None = build_recorder(tmp_path_factory.mktemp("recorder"))
    return built


@pytest.fixture(params=["native", "python"])
def shell(tmp_path: Path, request: pytest.FixtureRequest, native_recorder: Path | None) -> Shell:
    """Scripts are captured alike by either recorder."""
    if request.param == "native" and native_recorder is None:
        pytest.skip("there is no C compiler")
    recorder = str(native_recorder) if request.param == "native" else "/nowhere"
    return Shell(tmp_path, FAIRLEAD_RECORDER=recorder)
