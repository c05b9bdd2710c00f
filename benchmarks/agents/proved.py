"""What the last full run with each real agent proved: docs/agents-proved.json, one record per agent.

A run replaces the records of the agents that it drove, and leaves those of the others alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fairlead.model.value import Value

FILE = Path(__file__).parents[2] / "docs" / "agents-proved.json"
ROWS = (
    *("shell", "write", "edit", "read", "MCP", "rewrite", "ask", "context"),
    *("daemon killed", "client removed", "profile noise", "neighbours", "off-switches"),
    *("install killed", "upgrade", "doctor", "audit", "undo", "MCP door"),
)
"""What is tried, in the order in which it is shown. Every test of the real agents says which it is about."""
OUTCOMES = ("passed", "failed", "skipped")


class Result(Value):
    """One test with one agent."""

    agent: str
    rows: tuple[str, ...]
    outcome: str


class Proved(Value):
    """One agent: `rows` has how often each outcome came of the tests about a row."""

    version: str
    date: str
    passed: int
    failed: int
    skipped: int
    rows: Mapping[str, Mapping[str, int]]

    def cell(self, row: str) -> str:
        """How many tests passed; a dash where none of them could be made."""
        counts = self.rows.get(row, {})
        if counts.get("failed"):
            return f"FAILED {counts['failed']} of {counts['failed'] + counts.get('passed', 0)}"
        return str(counts["passed"]) if counts.get("passed") else "-"


def records_of(results: Iterable[Result], versions: Mapping[str, str], date: str) -> dict[str, Proved]:
    """One record for each agent that was there to be driven, by the results of all its tests."""
    by_agent: dict[str, list[Result]] = {}
    for result in results:
        by_agent.setdefault(result.agent, []).append(result)
    return {
        agent: _record(found, versions[agent], date)
        for agent, found in by_agent.items()
        if versions.get(agent)
    }


def _record(results: list[Result], version: str, date: str) -> Proved:
    total = _counts(results)
    by_row = {row: _counts([result for result in results if row in result.rows]) for row in ROWS}
    rows = {
        row: {word: number for word, number in counts.items() if number} for row, counts in by_row.items()
    }
    return Proved(
        version, date, *(total[word] for word in OUTCOMES), {row: rows[row] for row in ROWS if rows[row]}
    )


def _counts(results: list[Result]) -> dict[str, int]:
    return {word: sum(result.outcome == word for result in results) for word in OUTCOMES}


def read(file: Path = FILE) -> dict[str, Proved]:
    if not file.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(file.read_text())
    return {agent: Proved(**fields) for agent, fields in found.items()}


def write(records: Mapping[str, Proved], file: Path = FILE) -> None:
    """Beside the records of other agents, which stay."""
    merged = {**read(file), **records}
    shown = {agent: {name: getattr(merged[agent], name) for name in _FIELDS} for agent in sorted(merged)}
    file.write_text(json.dumps(shown, indent=1, default=dict) + "\n")


_FIELDS = ("version", "date", "passed", "failed", "skipped", "rows")
