"""Journals and indexes to test with."""

from __future__ import annotations

from pathlib import Path

from fairlead.journal.ids import new_id, timestamp
from fairlead.journal.writer import JournalWriter
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter

NOW = 1_790_000_000.0


def outcome(hook: str, decision: str = "continue", *, ms: float = 0.5, **more: object) -> dict[str, object]:
    return {"hook": hook, "type": "safety", "decision": decision, "ms": ms, "failure": None, **more}


def call(number: int, decision: str = "continue", **more: object) -> dict[str, object]:
    now = NOW + number
    rule = "git/force-push" if decision in ("block", "ask") else ""
    command = f"git push {number}"
    return {
        "v": 1,
        "id": new_id(now),
        "request": f"r{number}",
        "ts": timestamp(now),
        "agent": "claude",
        "event": "BeforeTool",
        "session": "s1",
        "root": "/home/dev/acme",
        "facts": {"tool": {"name": "Bash", "kind": "shell", "input": {"command": command}}},
        "outcomes": [outcome("guard", decision)],
        "verdict": {"decision": decision, "rule": rule, "hook": "guard" if rule else "", "reason": ""},
        "degraded": "",
        "rendered": {"exit": 0, "stdout": "", "stderr": ""},
        "ms": 1.0,
        **more,
    }


def observation(of: dict[str, object], number: int, **more: object) -> dict[str, object]:
    now = NOW + number
    kept = {key: of[key] for key in ("v", "request", "agent", "event", "session", "root")}
    return {
        **kept,
        "id": new_id(now),
        "ts": timestamp(now),
        "observes": of["id"],
        "outcomes": [outcome("log-operations", **more)],
    }


def write(directory: Path, *records: dict[str, object], max_bytes: int = 1 << 30) -> None:
    writer = JournalWriter(str(directory), max_bytes=max_bytes)
    for record in records:
        writer.write(record)
    writer.close()


class Store:
    """A journal and its index in a folder of their own."""

    def __init__(self, top: Path) -> None:
        self.journal = top / "journal"
        self.path = top / "index" / "index.sqlite3"
        self.writer = IndexWriter(str(self.path), str(self.journal))
        self.reader = IndexReader(str(self.path), str(self.journal))

    def content(self) -> dict[str, list[tuple[object, ...]]]:
        """Everything that the index says, in words, so that two indexes can be compared."""
        name = self.reader.name
        self.reader.count(Query())  # so that it notices an index that was made anew
        execute = self.reader.connection.execute
        words = {"agent", "event", "tool", "rule", "hook", "session", "root", "subagent", "degraded", "model"}
        words |= {"would_rule"}
        content = {}
        for table in ("calls", "observations", "agents", "days", "hooks", "latency", "usage"):
            cursor = execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in cursor.description]
            spelled = words - ({"degraded"} if table == "days" else set())
            rows = [
                tuple(
                    name(value) if column in spelled else value
                    for column, value in zip(columns, row, strict=True)
                    if column != "segment"
                )
                for row in cursor.fetchall()
            ]
            count = {"days": -3, "hooks": -2, "latency": -1}.get(table)
            content[table] = sorted(row for row in rows if count is None or row[count])
        return content
