from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installers_kit import Newcomer, fill, wheel_before, wheel_for_this_machine
from shipping import project

BUILD_BACKEND = "hatchling"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            if "FAIRLEAD_DIST" not in os.environ:
                item.add_marker(pytest.mark.skip(reason="`make test-dist` installs what it has built"))


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of others that Fairlead needs."""
    return fetched(tmp_path_factory.mktemp("others"), "pip", BUILD_BACKEND, *project()["dependencies"])


@pytest.fixture(scope="session")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oldest of them that Fairlead says it works with."""
    needs = [need.replace(">=", "==") for need in project()["dependencies"]]
    return fetched(tmp_path_factory.mktemp("oldest"), *needs)


def fetched(folder: Path, *packages: str) -> Path:
    words = ("download", "--quiet", "--dest", str(folder), *packages)
    subprocess.run([sys.executable, "-m", "pip", *words], check=True, capture_output=True)
    return folder


@pytest.fixture
def index(tmp_path: Path, others: Path) -> Path:
    """Has the version before alone; `released` adds the one that was built."""
    shutil.copytree(others, tmp_path / "index")
    wheel_before(wheel_for_this_machine(), tmp_path / "index")
    return tmp_path / "index"


@pytest.fixture
def newcomer(tmp_path: Path, index: Path) -> Newcomer:
    return Newcomer(tmp_path, index)


@pytest.fixture
def released(index: Path):
    return lambda: fill(index, [wheel_for_this_machine()])
