"""`make test-dist` builds what is installed here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from installers.newcomer import Newcomer
from installers.publishing import earlier_wheel, fetch, publish, wheel_for_this_machine
from shipping import project

NOT_BUILT = "NOT INSTALLED FROM BUILT FILES: `make test-dist` builds them"


@pytest.fixture(scope="session")
def built() -> Path:
    if "FAIRLEAD_DIST" not in os.environ:
        pytest.skip(NOT_BUILT)
    return Path(os.environ["FAIRLEAD_DIST"])


@pytest.fixture(scope="session")
def needed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Fairlead, its build and pipx need, fetched once."""
    folder = tmp_path_factory.mktemp("needed")
    fetch([*project()["dependencies"], "hatchling>=1.27", "pip"], folder)
    return folder


@pytest.fixture
def published(needed: Path, tmp_path: Path) -> Path:
    """An index of one's own, without Fairlead for now."""
    return Path(shutil.copytree(needed, tmp_path / "published"))


@pytest.fixture
def newcomer(tmp_path: Path, published: Path) -> Newcomer:
    return Newcomer(tmp_path, published)


@pytest.fixture
def publish_earlier(built: Path, published: Path) -> Callable[[], None]:
    return lambda: publish(earlier_wheel(wheel_for_this_machine(built), published.parent), published)


@pytest.fixture
def publish_now(built: Path, published: Path) -> Callable[[], None]:
    return lambda: publish(wheel_for_this_machine(built), published)
