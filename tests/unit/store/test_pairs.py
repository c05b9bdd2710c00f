from __future__ import annotations

import pytest

from fairlead.store.pairs import page, ran_although_refused, what_became_of
from fairlead.store.query import Query
from fairlead.store.retention import Retention, expire
from index_kit import NOW, Store, call, write


def of_tool(number: int, name: str, event: str = "BeforeTool", decision: str = "continue", **more: object):
    """An event of the call of a tool that the agent named."""
    tool = {"name": "Bash", "kind": "shell", "call": name, "input": {"command": f"make {name}"}}
    return call(number, decision, event=event, facts={"tool": tool}, **more)


def listed(store: Store, **asked: object) -> list[tuple[str, str]]:
    found = page(store.reader, Query(folded=True, **asked), looked_at=1000)
    return [(each.event, each.summary) for each in found.calls]


def test_before_and_after_are_one_call_in_the_list(store: Store) -> None:
    write(
        store.journal,
        of_tool(1, "a"),
        of_tool(2, "b"),
        of_tool(3, "a", "AfterTool"),
        of_tool(4, "b", "ToolFailure"),
    )
    store.writer.catch_up()
    assert listed(store) == [("BeforeTool", "make b"), ("BeforeTool", "make a")]
    ids = [each.id for each in store.reader.calls(Query(event="BeforeTool"))]
    after = what_became_of(store.reader, ids)
    assert [(after[each].event, after[each].ran) for each in ids] == [
        ("ToolFailure", True),
        ("AfterTool", True),
    ]


def test_a_session_counts_calls_and_not_what_tells_of_their_end(store: Store) -> None:
    write(store.journal, of_tool(1, "a"), of_tool(2, "a", "AfterTool"), of_tool(3, "b", decision="block"))
    store.writer.catch_up()
    (session,) = store.reader.sessions(Query())
    assert (session.calls, session.blocked) == (2, 1)


def test_a_call_that_the_agent_gave_up_did_not_run(store: Store) -> None:
    write(store.journal, of_tool(1, "a"), of_tool(2, "a", "ToolDenied"))
    store.writer.catch_up()
    (before,) = store.reader.calls(Query(event="BeforeTool"))
    assert not what_became_of(store.reader, [before.id])[before.id].ran


@pytest.mark.parametrize(
    "after",
    [
        of_tool(2, "a", "AfterTool", "block"),
        of_tool(2, "a", "AfterTool", outcomes=[{"hook": "x", "failure": {"message": "broke"}}]),
        of_tool(2, "a", "AfterTool", session="another"),
        of_tool(2, "", "AfterTool"),
    ],
    ids=["it objects", "a hook failed", "of another session", "without a name"],
)
def test_an_event_that_says_more_than_that_the_call_went_on_stands_alone(store: Store, after) -> None:
    write(store.journal, of_tool(1, "a"), after)
    store.writer.catch_up()
    assert [event for event, _ in listed(store)] == ["AfterTool", "BeforeTool"]


def test_an_event_after_without_one_before_is_shown(store: Store) -> None:
    write(store.journal, of_tool(1, "a", "AfterTool"))
    store.writer.catch_up()
    assert listed(store) == [("AfterTool", "make a")]


def test_a_refused_call_that_ran_is_an_alarm(store: Store) -> None:
    write(
        store.journal,
        of_tool(1, "ran", decision="block"),
        of_tool(2, "ran", "AfterTool"),
        of_tool(3, "denied", decision="block"),
        of_tool(4, "denied", "ToolDenied"),
        of_tool(5, "refused", decision="halt"),
        of_tool(6, "asked", decision="ask"),
        of_tool(7, "asked", "AfterTool"),
        of_tool(8, "doctor", decision="block", canary=True),
        of_tool(9, "doctor", "AfterTool", canary=True),
    )
    store.writer.catch_up()
    found = ran_although_refused(store.reader, NOW - 100, limit=10)
    assert [(each.summary, after.event) for each, after in found] == [("make ran", "AfterTool")]
    assert ran_although_refused(store.reader, NOW + 2, limit=10) == []


def test_a_name_that_is_given_again_does_not_make_the_refused_call_run(store: Store) -> None:
    """An agent that calls its calls `1` each time refuses the first, and runs the second."""
    write(
        store.journal,
        of_tool(1, "1", decision="block"),
        of_tool(2, "1"),
        of_tool(3, "1", "AfterTool"),
    )
    store.writer.catch_up()
    assert ran_although_refused(store.reader, NOW - 100, limit=10) == []
    assert [event for event, _ in listed(store)] == ["BeforeTool", "BeforeTool"]


def test_a_page_looks_at_a_part_and_says_where_the_next_begins(store: Store) -> None:
    write(store.journal, call(0, "block"), *(call(number) for number in range(1, 30)))
    store.writer.catch_up()
    query, more, pages = Query(decision=(4,), limit=5), "", 0
    while not (found := page(store.reader, query.replace(before=more), looked_at=10)).calls:
        more, pages = found.more, pages + 1
        assert more
    assert pages == 2
    assert [each.summary for each in found.calls] == ["git push 0"]
    assert found.more == ""


def test_pages_of_a_list_miss_nothing_and_show_nothing_twice(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(23)))
    store.writer.catch_up()
    seen: list[str] = []
    more = ""
    while True:
        found = page(store.reader, Query(limit=4, before=more), looked_at=6)
        seen += [each.summary for each in found.calls]
        more = found.more
        if not more:
            break
    assert seen == [f"git push {number}" for number in reversed(range(23))]


def test_lost_and_torn_lines_are_gaps_until_their_segment_goes(store: Store) -> None:
    write(store.journal, call(1), {**call(2), "lost": {"lines": 3, "why": "the disk was full"}})
    with (store.journal / "journal.jsonl").open("ab") as file:
        file.write(b'{"torn": \n')
    write(store.journal, call(3))
    store.writer.catch_up()
    gaps = "SELECT lines, why FROM gaps ORDER BY offset"
    assert store.reader.connection.execute(gaps).fetchall() == [
        (3, "the disk was full"),
        (1, "a line was cut short"),
    ]
    store.writer.rebuild()
    assert len(store.reader.connection.execute(gaps).fetchall()) == 2


def test_what_is_pruned_leaves_nothing_in_any_table(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(40)), max_bytes=3000)
    store.writer.catch_up()
    assert expire(str(store.path), str(store.journal), Retention(bytes=3000), NOW)
    kept = store.reader.count(Query())
    hours = store.reader.connection.execute("SELECT sum(n) FROM hours").fetchone()[0]
    assert 0 < hours == kept < 40
