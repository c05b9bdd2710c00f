"""Counts per minute, by agent and rule."""

from __future__ import annotations

from pathlib import Path

from fairlead.model.decision import Decision
from fairlead.store.activity import Activity, activities, activity_of, together
from fairlead.store.query import Query
from index_kit import NOW, Store, call, write


def test_calls_are_counted_by_minute_agent_rule_and_decision(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made = [call(0), call(1), call(2, "block"), call(60), call(61, agent="codex"), call(70, canary=True)]
    write(store.journal, *made)
    store.writer.catch_up()
    first = int(NOW // 60)
    counted = {
        Activity(first, "claude", "", Decision.CONTINUE, 2),
        Activity(first, "claude", "git/force-push", Decision.BLOCK, 1),
        Activity(first + 1, "claude", "", Decision.CONTINUE, 1),
        Activity(first + 1, "codex", "", Decision.CONTINUE, 1),
    }
    assert set(activities(store.reader, Query(limit=-1))) == counted
    assert set(together(map(activity_of, store.reader.calls(Query(limit=-1))))) == counted
    late = activities(store.reader, Query(since=NOW + 30, agent="codex"))
    assert late == [Activity(first + 1, "codex", "", Decision.CONTINUE, 1)]
