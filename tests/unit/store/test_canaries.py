"""Calls of `fairlead doctor` in the index: there, found by who asks for them, and in nobody's count."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.store.follow import Follower
from fairlead.store.query import Query
from fairlead.store.schema import open_index
from fairlead.store.statistics import statistics
from index_kit import NOW, Store, call, observation, outcome, write


@pytest.fixture
def store(tmp_path: Path) -> Store:
    mine, checked = call(1), call(2, "block", session="doctor", canary=True)
    write(tmp_path / "journal", mine, checked, observation(checked, 3, ms=2) | {"canary": True})
    made = Store(tmp_path)
    made.writer.catch_up()
    return made


def test_a_canary_is_left_out_and_counted_as_left_out(store: Store) -> None:
    assert [found.session for found in store.reader.calls(Query())] == ["s1"]
    assert store.reader.left_out(Query()) == 1
    assert store.reader.left_out(Query(session="s1")) == 0


def test_a_canary_is_shown_to_whoever_asks_for_it(store: Store) -> None:
    shown = store.reader.calls(Query(canaries=True))
    assert [(found.session, found.canary) for found in shown] == [("doctor", True), ("s1", False)]
    assert store.reader.left_out(Query(canaries=True)) == 0


def test_sessions_and_the_newest_call_leave_canaries_out(store: Store) -> None:
    assert [line.session for line in store.reader.sessions(Query())] == ["s1"]
    asked = store.reader.sessions(Query(canaries=True))
    assert [line.session for line in asked] == ["doctor", "s1"]
    (mine,) = store.reader.calls(Query())
    assert store.reader.newest(canaries=False) == mine.id < store.reader.newest()


@pytest.mark.parametrize("since", [None, NOW - 5], ids=["whole days", "parts of a day"])
def test_statistics_leave_canaries_out_of_every_table(store: Store, since: float | None) -> None:
    found = statistics(store.reader, Query(since=since))
    assert found.total.calls == 1
    assert [share.name for share in found.rules] == []
    assert [share.name for share in found.hooks] == ["guard"]
    assert found.left_out == 1
    everything = statistics(store.reader, Query(since=since, canaries=True))
    assert everything.total.calls == 2
    assert {share.name for share in everything.hooks} == {"guard", "log-operations"}
    assert everything.left_out == 0


def test_when_an_agent_was_last_seen_is_not_when_it_was_last_checked(store: Store) -> None:
    (agent,) = statistics(store.reader, Query(canaries=True)).agents
    assert agent.last == NOW + 1


def test_tokens_of_a_canary_are_on_no_account(tmp_path: Path) -> None:
    checked = call(1, session="doctor", canary=True)
    spent = [outcome("track-token-usage", metrics={"total_tokens": 5, "input_tokens": 5})]
    write(tmp_path / "journal", checked, observation(checked, 2) | {"canary": True, "outcomes": spent})
    store = Store(tmp_path)
    store.writer.catch_up()
    assert statistics(store.reader, Query(canaries=True)).tokens["total"] == 0


def test_only_the_word_true_of_the_journal_makes_a_canary(tmp_path: Path) -> None:
    write(tmp_path / "journal", call(1, canary="yes"), call(2, canary=1))
    store = Store(tmp_path)
    store.writer.catch_up()
    assert store.reader.count(Query()) == 2


def test_a_follower_gives_canaries_to_whoever_asks_for_them(store: Store, tmp_path: Path) -> None:
    plain, all_of_them = Follower(store.reader, Query()), Follower(store.reader, Query(canaries=True))
    write(tmp_path / "journal", call(4, canary=True), call(5))
    store.writer.catch_up()
    assert [found.summary for found in plain.new()] == ["git push 5"]
    assert [found.summary for found in all_of_them.new()] == ["git push 4", "git push 5"]


def test_an_index_without_the_mark_is_made_anew(store: Store) -> None:
    store.reader.close()
    store.writer.close()
    connection = open_index(str(store.path))
    connection.executescript("DROP TABLE calls; CREATE TABLE calls (id TEXT); PRAGMA user_version = 1")
    connection.close()
    again = Store(store.path.parent.parent)
    again.writer.catch_up()
    assert again.reader.count(Query(canaries=True)) == 2
