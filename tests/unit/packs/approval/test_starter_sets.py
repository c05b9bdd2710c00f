"""Each starter set approves its examples in a project without surprises, and none of its traps."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.packs.approval.starter_sets import PREFIX, SETS, starter_set
from tests.unit.packs.approval.project_kit import approved, make_project, why_not

EVERY = [PREFIX + name for name in SETS]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project"))


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in SETS for line in starter_set(name).passes]
)
def test_a_starter_set_approves_its_examples(project: Path, name: str, line: str) -> None:
    items = [f"starter/{name}", "starter/read-only", "starter/git-read"]
    assert not why_not(line, project, items)
    assert approved(line, project, items)


@pytest.mark.parametrize("line", sorted({line for name in SETS for line in starter_set(name).traps}))
def test_no_starter_set_nor_all_together_approve_a_trap(project: Path, line: str) -> None:
    assert not approved(line, project, EVERY)


HERE = Path(__file__).parent


def lines_of(name: str, project: Path) -> list[str]:
    """Written by somebody who had not seen the sets; the project stands where each line says."""
    text = (HERE / name).read_text(encoding="utf-8")
    return [line.replace("/home/user/project", str(project)) for line in text.splitlines()]


def test_no_line_that_was_written_against_the_sets_is_approved(project: Path) -> None:
    lines = lines_of("second_traps.txt", project)
    assert len(lines) > 2_000
    assert [line for line in lines if approved(line, project, EVERY)] == []


def test_lines_of_every_day_are_approved(project: Path) -> None:
    lines = lines_of("everyday.txt", project)
    assert len(lines) > 380
    assert [line for line in lines if not approved(line, project, EVERY)] == []
