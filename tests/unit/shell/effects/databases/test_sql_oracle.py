"""Our reading of SQL beside that of a parser: every difference has a name.

sqlglot is a development dependency; the guard itself never imports it.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.guard.lines import HOME, PROJECT, VISIBLE, Line, read_folder
from fairlead.shell import read_script
from fairlead.shell.effects.databases.sql_statements import sql_danger

pytest.importorskip("sqlglot", reason="NOT COMPARED: sqlglot is missing, install the extra `dev`")

from sql_oracle import loses_data

STATEMENTS = Path(__file__).parents[5] / "tests/data/sql/statements.txt"
DIALECTS = {
    **dict.fromkeys(("psql", "pgcli", "cockroach"), "postgres"),
    **dict.fromkeys(("mysql", "mariadb", "mycli"), "mysql"),
    **dict.fromkeys(("sqlite3", "sqlite", "litecli"), "sqlite"),
    **dict.fromkeys(("clickhouse-client", "clickhouse"), "clickhouse"),
    **dict.fromkeys(("hive", "beeline"), "hive"),
    **{"sqlcmd": "tsql", "sqlplus": "oracle", "bq": "bigquery", "snowsql": "snowflake", "snow": "snowflake"},
    **{"duckdb": "duckdb", "trino": "trino", "presto": "presto", "spark-sql": "spark"},
}
_SQL = re.compile(
    r"\s*(?:DROP|DELETE|UPDATE|SELECT|INSERT|TRUNCATE|ALTER|CREATE|WITH|MERGE|REPLACE|EXPLAIN|BEGIN|START)\s",
    re.I,
)

WE_STOP = {
    "a condition that every row meets: ids are there and positive, any text is like %": (
        r"WHERE (?:id = id|id IS NOT NULL|id > 0|id NOT IN \(0\)|name LIKE '%')$"
    ),
    "a function that drops": r"^SELECT drop_chunks\(",
    "a key is dropped as an index or a constraint is": r"DROP PRIMARY KEY",
    "columns in parentheses, which the parser takes for something else": r"DROP \(a, b\)",
    "the bin is emptied, which the parser takes for a name": r"^PURGE RECYCLEBIN",
    "a backslash ends no string in most dialects, and nobody tells us which one this is": r"'a\\'b",
    "a mutation of ClickHouse, which cannot be taken back": r"^ALTER TABLE users DELETE WHERE",
    "a database that is detached is gone for its users; SQLite alone only closes it": r"^DETACH DATABASE",
}
THE_PARSER_STOPS = {
    "a table that goes with the session": (
        r"^CREATE TEMP TABLE t .*; (?:DROP TABLE|DELETE FROM) t$|^DROP TABLE (?:temp\.|#)"
    ),
    "a transaction that is rolled back": r"^(?:BEGIN|START TRANSACTION|BEGIN TRAN); [^;]*; ROLLBACK$",
}
UNREAD = 0.16
"""The part of the statements at most that the parser has no tree for: those are not compared."""


def written() -> Iterator[tuple[str, str]]:
    for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            dialect, sql = line.split(" | ", 1)
            yield sql.replace("~", "\n"), dialect


def in_corpus() -> Iterator[tuple[str, str]]:
    """Statements that lines of the corpus hand to a client, and those of tools that take one."""
    for line in read_folder(VISIBLE):
        if line.tool != "Bash":
            yield from ((sql, "postgres") for sql in _told(line))
        elif any(program in line.command for program in DIALECTS):
            script = read_script(line.command, cwd=PROJECT, home=HOME, environment={})
            for command in script.commands:
                texts = [*(word.text for word in command.argv[1:] if word.known), command.stdin.text or ""]
                for text in texts if command.name in DIALECTS else ():
                    sql = text.partition("=")[2] if text.startswith("--") else text
                    if _SQL.match(sql):
                        yield sql, DIALECTS[command.name]


def _told(line: Line) -> Iterator[str]:
    if line.command.startswith("{") and re.search("sql|query|execute", line.tool):
        yield from (
            text for text in json.loads(line.command).values() if isinstance(text, str) and _SQL.match(text)
        )


def we_say(sql: str) -> bool:
    found = sql_danger(sql)
    return found is not None and found[0] in ("drop", "unbound")


def unexplained(statements: list[tuple[str, str]]) -> list[str]:
    found = []
    for sql, dialect in statements:
        opinion = loses_data(sql, dialect)
        if opinion is None or opinion == we_say(sql):
            continue
        names = THE_PARSER_STOPS if opinion else WE_STOP
        if not any(re.search(pattern, sql.strip("; \n"), re.I | re.S) for pattern in names.values()):
            found.append(f"{dialect}: {sql!r}: the parser says {opinion}")
    return found


@pytest.fixture(scope="module")
def corpus() -> list[tuple[str, str]]:
    return list(dict.fromkeys(in_corpus()))


def test_every_difference_over_the_written_statements_has_a_name():
    statements = list(written())
    assert len(statements) > 300
    assert unexplained(statements) == []


def test_every_difference_over_the_statements_of_the_corpus_has_a_name(corpus):
    assert len(corpus) > 300
    assert unexplained(corpus) == []


def test_the_parser_reads_most_of_the_statements(corpus):
    for statements in (list(written()), corpus):
        unread = [sql for sql, dialect in statements if loses_data(sql, dialect) is None]
        assert len(unread) <= UNREAD * len(statements)


@pytest.mark.parametrize("name", [*WE_STOP, *THE_PARSER_STOPS])
def test_every_name_of_a_difference_is_needed(name):
    """An explanation that explains nothing any more hides the next difference."""
    pattern = {**WE_STOP, **THE_PARSER_STOPS}[name]
    differing = [sql for sql, dialect in written() if loses_data(sql, dialect) is (name in THE_PARSER_STOPS)]
    assert any(re.search(pattern, sql, re.I | re.S) and we_say(sql) is (name in WE_STOP) for sql in differing)
