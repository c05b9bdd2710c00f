"""Every row of the table, through every door that can do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.doing import Came, through, write_files
from conformance.forking import Forking
from conformance.table import DOORS, Row, placed, rows, why_not

ROWS = rows()


@pytest.fixture(scope="module")
def forking() -> Iterator[Forking]:
    made = Forking()
    yield made
    made.close()


def cases() -> list[object]:
    able = [(row, door) for row in ROWS for door in DOORS if not why_not(row, door)]
    return [
        pytest.param(row, door, id=f"{row['says']}, {door}", marks=_marks(row, door)) for row, door in able
    ]


def _marks(row: Row, door: str) -> list[pytest.MarkDecorator]:
    if door in row.get("pending", []):
        return [pytest.mark.xfail(reason=f"{door} does not do this yet", strict=True)]
    return []


@pytest.mark.parametrize(("row", "door"), cases())
def test_row(row: Row, door: str, tmp_path: Path, forking: Forking) -> None:
    row = placed(row, tmp_path)
    write_files(row, tmp_path)
    check(row, through(door, row, tmp_path, forking))


def check(row: Row, came: Came) -> None:
    assert came.exit == row.get("exit", 0), came
    for name in ("stdout", "both"):
        if name in row:
            assert came.stdout == row[name]
    if row.get("stderr") == []:
        assert came.stderr == ""
    for piece in row.get("stderr", []):
        assert piece in came.stderr
    if "timeline" in row:
        assert came.timeline == row["timeline"]
    assert {name: came.variables.get(name) for name in row.get("sets", {})} == row.get("sets", {})
    assert [name for name in row.get("unset", []) if name in came.variables] == []
    if "goes_on" in row:
        assert came.goes_on == row["goes_on"]


def test_rows_are_named_once_and_expect_something() -> None:
    assert [name for name, times in Counter(row["says"] for row in ROWS).items() if times > 1] == []
    expected = {"exit", "stdout", "stderr", "both", "timeline", "sets", "unset", "goes_on"}
    assert [row["says"] for row in ROWS if not expected & set(row)] == []
