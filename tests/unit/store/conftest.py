from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from index_kit import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    made.writer.close()
    made.reader.close()
