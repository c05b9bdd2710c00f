"""Hooks at random do the same through every door."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from conformance.doing import Came, through, write_files
from conformance.forking import Forking
from conformance.random_rows import rows
from conformance.table import DOORS, Row

EXAMPLES = int(os.environ.get("RANDOM_HOOKS", "12"))


@pytest.fixture(scope="module")
def forking() -> Iterator[Forking]:
    made = Forking()
    yield made
    made.close()


def through_all(row: Row, forking: Forking) -> dict[str, Came]:
    came = {}
    for door in DOORS:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            write_files(row, here)
            came[door] = through(door, row, here, forking)
            assert not (here / "pwned").exists(), "something that a hook printed was run"
    return came


def compared(row: Row, came: Came) -> dict[str, object]:
    """A script that obeys its hooks may end before it can tell its variables."""
    if "timeline" in row:
        return {"exit": came.exit, "timeline": came.timeline}
    shown = {"exit": came.exit, "stdout": came.stdout}
    return {**shown, "goes on": came.goes_on} if row.get("apply") else {**shown, "variables": came.variables}


ALIKE = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def check(row: Row, forking: Forking) -> None:
    came = through_all(row, forking)
    wanted = compared(row, came["bash"])
    for door in ("python", "run"):
        assert compared(row, came[door]) == wanted, (door, came)


@ALIKE
@given(row=rows(contract="hide"))
def test_variables_output_and_codes(forking: Forking, row: Row) -> None:
    check(row, forking)


@ALIKE
@given(row=rows(timeline=[], calls=[["h"]]))
def test_what_a_middleware_is_given(forking: Forking, row: Row) -> None:
    check(row, forking)


@ALIKE
@given(row=rows(contract="show", apply=True, calls=[["h"]]))
def test_what_the_caller_then_does(forking: Forking, row: Row) -> None:
    check(row, forking)
