from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.store.histogram import bucket, percentile
from fairlead.store.query import Query
from fairlead.store.statistics import statistics
from index_kit import NOW, Store, call, observation, outcome, write

DAY = 86400
MIDNIGHT = NOW // DAY * DAY


def at(seconds: float, number: int, decision: str = "continue", **more: object) -> dict[str, object]:
    return call(int(seconds - NOW), decision, **{"request": f"r{number}-{seconds}", **more})


def test_counts_and_latencies_of_everything(store: Store) -> None:
    for number in range(100):
        decision = "block" if number < 10 else "ask" if number < 15 else "continue"
        made = call(number, decision, ms=1.0 if number < 90 else 50.0)
        made["outcomes"] = [outcome("quick", ms=0.1), outcome("slow", decision, ms=number)]
        write(store.journal, made)
    store.writer.catch_up()
    found = statistics(store.reader, Query())
    assert found.total.calls == 100
    assert found.total.decisions == {"continue": 85, "ask": 5, "block": 10}
    assert found.total.p50 == pytest.approx(1.0, rel=0.08)
    assert found.total.p99 == pytest.approx(50.0, rel=0.08)
    assert [share.name for share in found.hooks] == ["slow", "quick"]
    assert found.hooks[0].p50 == pytest.approx(49, rel=0.08)
    assert found.hooks[0].decisions == {"continue": 85, "ask": 5, "block": 10}
    (rule,) = found.rules
    assert (rule.name, rule.calls) == ("git/force-push", 15)
    (agent,) = found.agents
    assert (agent.name, agent.last) == ("claude", NOW + 99)
    assert found.trend == (100,)


def test_degraded_calls_and_failed_hooks_are_counted(store: Store) -> None:
    broken = outcome("guard", failure={"code": "TIMEOUT"})
    write(store.journal, call(1, degraded="ask became block"), call(2, outcomes=[broken]), call(3))
    store.writer.catch_up()
    found = statistics(store.reader, Query())
    assert (found.total.degraded, found.total.failed) == (1, 1)
    assert found.hooks[0].failed == 1


@pytest.mark.parametrize("ragged", [0, 1, 3600, DAY - 1])
def test_any_stretch_of_time_is_exact_whether_it_begins_with_a_day_or_not(store: Store, ragged: int) -> None:
    moments = [MIDNIGHT + hour * 1800 for hour in range(200)]
    for number, moment in enumerate(moments):
        write(store.journal, at(moment, number, "block" if number % 4 == 0 else "continue"))
    store.writer.catch_up()
    since, until = MIDNIGHT + ragged, MIDNIGHT + 3 * DAY + ragged // 2
    expected = [number for number, moment in enumerate(moments) if since <= moment < until]
    found = statistics(store.reader, Query(since=since, until=until))
    assert found.total.calls == len(expected)
    assert found.total.decisions.get("block", 0) == sum(number % 4 == 0 for number in expected)
    assert sum(share.calls for share in found.hooks) == len(expected)


def test_a_stretch_within_one_day_is_counted_once(store: Store) -> None:
    for number in range(24):
        made = at(MIDNIGHT + number * 3600, number)
        write(store.journal, made, observation(made, int(MIDNIGHT + number * 3600 - NOW)))
    store.writer.catch_up()
    found = statistics(store.reader, Query(since=MIDNIGHT + 3600, until=MIDNIGHT + 5 * 3600))
    assert found.total.calls == 4
    assert {share.name: share.calls for share in found.hooks} == {"guard": 4, "log-operations": 4}
    assert found.trend == (1, 1, 1, 1)


def test_an_agent_can_be_looked_at_alone(store: Store) -> None:
    write(store.journal, call(1), call(2, "block", agent="codex"), call(3, agent="codex"))
    store.writer.catch_up()
    found = statistics(store.reader, Query(agent="codex"))
    assert found.total.calls == 2
    assert [share.name for share in found.agents] == ["codex"]


def test_tokens_are_summed_over_sessions(store: Store) -> None:
    first, second = call(1, session="a"), call(2, session="b")
    write(
        store.journal,
        first,
        second,
        observation(first, 3, metrics={"total_tokens": 10, "output_tokens": 4}),
        observation(second, 4, metrics={"total_tokens": 5, "output_tokens": 1}),
    )
    store.writer.catch_up()
    tokens = statistics(store.reader, Query()).tokens
    assert (tokens["sessions"], tokens["total"], tokens["output"]) == (2, 15, 5)


def test_an_empty_index_has_no_latency(store: Store) -> None:
    found = statistics(store.reader, Query())
    assert (found.total.calls, found.total.p50, found.trend) == (0, None, ())
    assert found.as_json()["agents"] == []


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=200), st.sampled_from([0.5, 0.95, 0.99]))
def test_a_percentile_is_right_within_the_width_of_a_bucket(values: list[int], share: float) -> None:
    counts: dict[int, int] = {}
    for value in values:
        counts[bucket(value)] = counts.get(bucket(value), 0) + 1
    exact = sorted(values)[max(-(-int(share * len(values) * 1000) // 1000) - 1, 0)]
    found = percentile(counts, share)
    assert found is not None
    low, high = sorted(values)[0] / 1000 / 1.2, sorted(values)[-1] / 1000 * 1.2
    assert low <= found <= high
    if share * len(values) == int(share * len(values)):
        assert found == pytest.approx(exact / 1000, rel=0.16, abs=0.001)
