from __future__ import annotations

import pytest

from fairlead.store.entry import DAY, HOUR
from fairlead.store.query import Query
from fairlead.store.summary import (
    facets,
    first_of,
    latency,
    percentiles,
    summary,
    timeline,
    unfaceted,
)
from index_kit import NOW, Store, call, write


@pytest.fixture
def three(store: Store) -> Store:
    """Two calls of one agent and one of another, a day before NOW."""
    write(
        store.journal,
        call(-86400, "block", ms=20.0),
        call(-86399, root="/other", ms=1.0),
        call(-86398, agent="codex", ms=1.0),
    )
    store.writer.catch_up()
    return store


def counted(store: Store, query: Query) -> dict[str, dict[str, int]]:
    found = summary(store.reader, unfaceted(query), now=NOW, looked_at=100)
    return {facet: dict(values) for facet, values in facets(found, query).items()}


@pytest.mark.parametrize("since", [None, NOW - 40 * 86400, NOW - 86500], ids=["all", "by day", "by row"])
def test_facets_count_what_each_choice_would_show(three: Store, since: float | None) -> None:
    assert counted(three, Query(since=since))["agent"] == {"claude": 2, "codex": 1}
    chosen = counted(three, Query(since=since, agent="codex"))
    assert chosen["agent"] == {"claude": 2, "codex": 1}
    assert chosen["decision"] == {"continue": 1}
    assert chosen["rule"] == {}
    both = counted(three, Query(since=since, agent="claude", decision=(4,)))
    assert (both["agent"], both["decision"]) == ({"claude": 1}, {"block": 1, "continue": 1})


def test_facets_heed_what_the_counts_of_days_do_not_know(three: Store) -> None:
    assert counted(three, Query(text="push -86400"))["agent"] == {"claude": 1}
    assert counted(three, Query(session="another"))["agent"] == {}


def test_only_so_many_rows_are_looked_at(three: Store) -> None:
    found = summary(three.reader, Query(text="push"), now=NOW, looked_at=1)
    assert found.looked_at == 1
    assert sum(tally.calls for tally in found.tallies) == 2  # the one that is looked back to counts, too


def test_what_only_tells_that_a_call_went_on_is_not_counted_again(store: Store) -> None:
    write(store.journal, call(1), call(2, event="AfterTool"), call(3, "ask", event="AfterTool"))
    store.writer.catch_up()
    for since in (None, NOW - 10):
        found = summary(store.reader, Query(since=since), now=NOW, looked_at=100)
        assert sorted((tally.event, tally.calls) for tally in found.tallies) == [
            ("AfterTool", 1),
            ("BeforeTool", 1),
        ]


@pytest.mark.parametrize("since", [None, NOW - 86500])
def test_percentiles_are_of_all_and_of_each_agent(three: Store, since: float | None) -> None:
    counts = latency(three.reader, Query(since=since), now=NOW, looked_at=100)
    assert percentiles(counts["codex"])["p99"] == pytest.approx(1.0, rel=0.08)
    assert percentiles(counts[""])["p99"] == pytest.approx(20.0, rel=0.08)
    assert percentiles({}) == {"p50": None, "p95": None, "p99": None}


def test_bars_begin_where_the_clock_of_the_reader_begins(store: Store) -> None:
    midnight = int(NOW) // 86400 * 86400
    write(store.journal, call(midnight - int(NOW) + 1800), call(midnight - int(NOW) - 1800, "block"))
    store.writer.catch_up()
    utc = timeline(store.reader, Query(), step=DAY, zone=0, looked_at=100)
    assert {start // 1000 - midnight: dict(counts) for start, counts in utc.items()} == {
        0: {0: 1},
        -86400: {4: 1},
    }
    east = timeline(store.reader, Query(), step=DAY, zone=2 * HOUR, looked_at=100)
    assert {start // 1000 - midnight: counts.total() for start, counts in east.items()} == {-7200: 2}
    minutes = timeline(store.reader, Query(since=midnight), step=60_000, zone=0, looked_at=100)
    assert {start // 1000 - midnight: counts.total() for start, counts in minutes.items()} == {1800: 1}
    newest = timeline(store.reader, Query(), step=60_000, zone=0, looked_at=0)
    assert sum(counts.total() for counts in newest.values()) == 1


def test_an_empty_index_has_nothing_first(store: Store) -> None:
    assert first_of(store.reader) is None
    write(store.journal, call(5))
    store.writer.catch_up()
    assert first_of(store.reader) == NOW + 5
