"""Real agents: whose turn it is, what a run proved, and whether the tables say the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.agents import proved, tables
from benchmarks.agents.clients import CLIENTS, agent_of
from benchmarks.agents.proved import Proved, Result
from benchmarks.agents.rotation import ALWAYS, OTHERS, other_on
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.live.agents import RECIPES

FORTNIGHT = 14


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_every_agent_has_its_turn_within_a_fortnight_from_any_day(first: date) -> None:
    turns = [other_on(first + timedelta(days=number)) for number in range(len(OTHERS))]
    assert sorted([ALWAYS, *turns]) == sorted(CLIENTS)
    assert len(turns) <= FORTNIGHT


def test_the_turn_of_a_day_is_printed_for_a_script() -> None:
    words = [sys.executable, "-m", "benchmarks.agents.rotation", "2026-11-16"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tables.ROOT)
    assert done.stdout == f"{other_on(date(2026, 11, 16))}\n"


def test_what_is_driven_is_what_doctor_can_drive() -> None:
    assert {agent_of(client) for client in CLIENTS} == set(RECIPES)


RESULTS = [
    Result("kimi", ("shell", "daemon killed"), "passed"),
    Result("kimi", ("shell",), "failed"),
    Result("kimi", ("rewrite",), "skipped"),
    Result("qwen", ("shell",), "passed"),
    Result("gone", ("shell",), "skipped"),
]
VERSIONS = {"kimi": "2.1.0", "qwen": "0.24.4", "claude": "2.1.325"}


def test_a_record_counts_the_tests_of_each_row_and_all_of_them_once() -> None:
    kimi = proved.records_of(RESULTS, VERSIONS, "2026-11-16")["kimi"]
    assert (kimi.version, kimi.date) == ("2.1.0", "2026-11-16")
    assert (kimi.passed, kimi.failed, kimi.skipped) == (1, 1, 1)
    assert kimi.rows["shell"] == {"passed": 1, "failed": 1}
    assert [kimi.cell(row) for row in ("shell", "daemon killed", "rewrite", "ask")] == [
        "FAILED 1 of 2",
        "1",
        "-",
        "-",
    ]


def test_an_agent_that_was_not_there_or_not_driven_gets_no_record() -> None:
    assert set(proved.records_of(RESULTS, VERSIONS, "2026-11-16")) == {"kimi", "qwen"}


def test_a_run_replaces_the_records_of_its_agents_and_keeps_the_others(tmp_path: Path) -> None:
    file = tmp_path / "proved.json"
    old = proved.records_of(RESULTS, VERSIONS, "2026-11-01")
    new = proved.records_of([Result("qwen", ("shell",), "passed")], {"qwen": "9"}, "2026-11-02")
    proved.write(old, file)
    proved.write(new, file)
    assert proved.read(file) == {"kimi": old["kimi"], "qwen": new["qwen"]}
    assert json.loads(file.read_text())["qwen"]["date"] == "2026-11-02"


def test_a_table_takes_the_place_of_the_one_before() -> None:
    page = f"a\n{tables.BEGIN}\nold\n\n{tables.END}b\n"
    assert tables.with_table(page, "| new |\n") == f"a\n{tables.BEGIN}\n| new |\n\n{tables.END}b\n"


def test_a_failure_is_shown_and_what_was_not_driven_is_not_proved() -> None:
    failed = Proved("1", "2026-11-16", 3, 2, 0, {"shell": {"passed": 1, "failed": 2}})
    shown = tables.summary({"kimi": failed})
    assert "| Kimi Code | 1, 2026-11-16 | 3, **2 failed** | not proved |" in shown
    assert "FAILED 2 of 3" in tables.details({"kimi": failed})
    assert f"| Claude Code | {INSTALLS['claude'].tried}, no full run yet | - | not proved |" in shown
    last = shown.splitlines()[-1]
    assert last.startswith("| Cursor, ") and "| not proved |" in last


# --- what stands in the project now ---


@pytest.mark.parametrize("page", tables.PAGES)
def test_the_table_of_a_page_is_made_from_the_records(page: str) -> None:
    text = (tables.ROOT / page).read_text()
    assert text.count(tables.BEGIN) == text.count(tables.END) == 1
    wanted = tables.with_table(text, tables.PAGES[page](proved.read()))
    assert text == wanted, "run `python -m benchmarks.agents.tables`"


def test_the_records_are_of_agents_that_can_be_driven_and_without_a_failure() -> None:
    records = proved.read()
    assert records.keys() <= set(tables.driven())
    assert {agent: record.failed for agent, record in records.items() if record.failed} == {}


def test_the_versions_that_are_told_elsewhere_are_those_of_the_records() -> None:
    records = proved.read()
    tried = {agent: install.tried for agent, install in INSTALLS.items() if install.tried}
    assert tried.keys() == set(tables.driven())
    assert {agent: tried[agent] for agent in records} == {
        agent: record.version for agent, record in records.items()
    }
    page = (tables.ROOT / "docs" / "reference" / "agents.md").read_text()
    told = dict(re.findall(r"^\| \[([^]]+)\]\([^)]+\) \| (\d[\d.]*) \| yes \|", page, re.MULTILINE))
    assert told == {tables.TITLES[agent]: version for agent, version in tried.items()}


def test_every_agent_has_a_title() -> None:
    assert set(tables.TITLES) == set(INSTALLS)
