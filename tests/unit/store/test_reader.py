from __future__ import annotations

import pytest

from fairlead.model.decision import Decision
from fairlead.store.query import Query
from index_kit import NOW, Store, call, outcome, write

BROKEN = {"code": "TIMEOUT", "message": "late"}


@pytest.fixture
def filled(store: Store) -> Store:
    """Ten calls: the even ones of codex, every third blocked, the fifth degraded, the seventh failed."""
    for number in range(10):
        made = call(
            number,
            "block" if number % 3 == 0 else "continue",
            agent="codex" if number % 2 == 0 else "claude",
            session=f"s{number % 2}",
            degraded="ask became block" if number == 5 else "",
            event="AfterTool" if number == 8 else "BeforeTool",
        )
        if number == 7:
            made["outcomes"] = [outcome("slow", failure=BROKEN)]
        write(store.journal, made)
    store.writer.catch_up()
    return store


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        (Query(agent="codex"), [8, 6, 4, 2, 0]),
        (Query(decision=(4,)), [9, 6, 3, 0]),
        (Query(decision=(4,), agent="codex"), [6, 0]),
        (Query(rule="git/force-push"), [9, 6, 3, 0]),
        (Query(rule="git/*", agent="claude"), [9, 3]),
        (Query(tool="Bash", session="s1"), [9, 7, 5, 3, 1]),
        (Query(tool="Write"), []),
        (Query(root="*/acme", event="AfterTool"), [8]),
        (Query(hook="guard"), [9, 6, 3, 0]),
        (Query(text="PUSH 4"), [4]),
        (Query(text="%"), []),
        (Query(troubled=True), [7, 5]),
        (Query(since=NOW + 8), [9, 8]),
        (Query(until=NOW + 2), [1, 0]),
        (Query(since=NOW + 3, until=NOW + 5), [4, 3]),
        (Query(limit=2), [9, 8]),
        (Query(agent="'; DROP TABLE calls; --"), []),
    ],
)
def test_filters_find_what_they_name(filled: Store, query: Query, numbers: list[int]) -> None:
    found = filled.reader.calls(query)
    assert [line.summary for line in found] == [f"git push {number}" for number in numbers]


def test_pages_follow_each_other(filled: Store) -> None:
    first = filled.reader.calls(Query(limit=4))
    second = filled.reader.calls(Query(limit=4, before=first[-1].id))
    assert [line.summary[-1] for line in (*first, *second)] == list("98765432")


def test_what_is_new_comes_oldest_first(filled: Store) -> None:
    newest = filled.reader.newest()
    assert filled.reader.calls(Query(after=newest)) == []
    write(filled.journal, call(20), call(21))
    filled.writer.catch_up()
    assert [line.summary[-2:] for line in filled.reader.calls(Query(after=newest))] == ["20", "21"]


def test_a_call_is_found_by_either_end_of_its_id(filled: Store) -> None:
    wanted = filled.reader.calls(Query(text="push 3"))[0]
    assert wanted.decision is Decision.BLOCK
    for part in (wanted.id, wanted.id[:20], wanted.id[-8:]):
        record = filled.reader.find(part)
        assert record is not None
        assert record["id"] == wanted.id
    assert filled.reader.find("nothing") is None
    assert filled.reader.find("%") is None


def test_whole_records_come_oldest_first(filled: Store) -> None:
    records = list(filled.reader.records(Query(agent="claude", limit=2)))
    assert [record["request"] for record in records] == ["r1", "r3"]


def test_sessions_are_summed_up(filled: Store) -> None:
    sessions = filled.reader.sessions(Query())
    assert [(line.session, line.agent, line.calls, line.blocked) for line in sessions] == [
        ("s1", "claude", 5, 2),
        ("s0", "codex", 4, 2),
    ]
    assert sessions[0].first == NOW + 1
    assert sessions[0].last == NOW + 9


def test_a_call_reads_as_json(filled: Store) -> None:
    (line,) = filled.reader.calls(Query(limit=1))
    assert line.as_json()["decision"] == "block"
    assert line.as_json()["milliseconds"] == 1.0
