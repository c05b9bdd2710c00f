"""What audit kept back, as the index counts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.store.query import Query
from fairlead.store.would_have import kept_back
from index_kit import Store, call, write


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def audited(number: int, decision: str, rule: str, **more: object) -> dict[str, object]:
    would = {"decision": decision, "rule": rule, "hook": "guard", "reason": "no"}
    record = call(number)
    verdict = record["verdict"]
    assert isinstance(verdict, dict)
    return {**record, "verdict": {**verdict, "would": would}, **more}


def test_rules_are_counted_with_their_newest_example(store: Store) -> None:
    write(
        store.journal,
        audited(1, "block", "git/force-push"),
        audited(2, "block", "git/force-push", session="other"),
        audited(3, "ask", "packages/publish"),
        audited(4, "approve", "approve/listed"),
        call(5, "block"),
    )
    store.writer.catch_up()
    first, second = kept_back(store.reader, Query())
    assert (first.rule, first.decision, first.calls, first.sessions) == ("git/force-push", "block", 2, 2)
    assert first.example == "git push 2"
    assert (second.rule, second.calls) == ("packages/publish", 1)


def test_a_rule_without_a_name_is_known_by_its_hook(store: Store) -> None:
    write(store.journal, audited(1, "block", ""))
    store.writer.catch_up()
    assert [each.rule for each in kept_back(store.reader, Query())] == ["guard"]


def test_a_query_about_audit_means_what_would_have_been(store: Store) -> None:
    write(store.journal, audited(1, "block", "git/force-push"), call(2, "block"))
    store.writer.catch_up()
    assert [each.would_rule for each in store.reader.calls(Query(would=True, decision=(4,)))] == [
        "git/force-push"
    ]
    assert store.reader.calls(Query(would=True, rule="packages/*")) == []
    assert len(store.reader.calls(Query(decision=(4,)))) == 1


def test_an_index_from_before_audit_is_made_anew(store: Store, tmp_path: Path) -> None:
    write(store.journal, audited(1, "block", "git/force-push"))
    store.writer.catch_up()
    store.writer._connection.execute("PRAGMA user_version = 2")
    store.writer.close()
    again = Store(tmp_path)
    again.writer.catch_up()
    assert again.reader.calls(Query(would=True))
