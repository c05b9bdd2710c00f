from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard


@pytest.fixture
def dashboard(tmp_path: Path) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path)
    made.enter()
    yield made
    made.close()


@pytest.fixture
def writable(tmp_path: Path) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path, writable=True)
    made.enter()
    yield made
    made.close()
