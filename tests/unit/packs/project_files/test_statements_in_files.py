"""Files that tell a database something are read as the statements in them."""

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls

TELLING = (
    "psql -f a.sql",
    "psql < a.sql",
    "cat a.sql | psql app",
    "mysql shop < a.sql",
    "sqlite3 app.db < a.sql",
)


def verdict(root: Path, line: str) -> Decision:
    return SessionOfCalls(root).run(line).decision


@pytest.mark.parametrize("line", TELLING)
def test_a_file_that_drops_a_table_is_stopped(line: str, tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "a.sql", "insert into t values (1);\ndrop table users;\n")
    assert verdict(tmp_path, line) is Decision.BLOCK


@pytest.mark.parametrize("line", TELLING)
def test_a_committed_file_is_the_persons_own(line: str, tmp_path: Path) -> None:
    commit(tmp_path, a_sql="drop table users;\n")
    assert not verdict(tmp_path, line).objects


@pytest.mark.parametrize("line", TELLING)
def test_a_file_that_makes_its_tables_anew_passes(line: str, tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "a.sql", "DROP TABLE IF EXISTS t;\nCREATE TABLE t (a int);\ninsert into t values (1);\n")
    assert not verdict(tmp_path, line).objects


def test_to_look_at_such_a_file_tells_nobody(tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "a.sql", "drop table users;\n")
    assert not verdict(tmp_path, "grep -n drop < a.sql && cat a.sql | head").objects
