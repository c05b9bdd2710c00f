"""What no event can do to the journal, whatever an agent or a hook puts into it."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.journal.line import encode, record_of
from fairlead.journal.reader import fold, read_records
from fairlead.journal.scrub import FIELD_LIMIT, Scrubber
from fairlead.journal.writer import JournalWriter
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.model.verdict import Reply, Verdict
from fairlead.store.entry import Counts, row_of

texts = st.text(st.characters(codec=None), max_size=60)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
events = st.builds(
    Event,
    st.sampled_from(EventName),
    native_name=texts,
    agent=texts,
    session=texts,
    root=texts,
    cwd=texts,
    tool=st.none() | st.builds(ToolCall, texts, st.dictionaries(texts, anything, max_size=4), id=texts),
    prompt=st.none() | texts,
    payload=st.dictionaries(texts, anything, max_size=4),
    request=texts,
)
outcomes = st.builds(
    Outcome,
    st.sampled_from(Decision),
    texts,
    hook=texts,
    rule=texts,
    evidence=st.lists(st.builds(Evidence, texts, texts), max_size=2).map(tuple),
    metrics=st.dictionaries(texts, anything, max_size=3),
)
verdicts = st.builds(
    Verdict,
    st.sampled_from(Decision),
    texts,
    updated_output=anything,
    extra=st.dictionaries(texts, anything, max_size=2),
    outcomes=st.lists(outcomes, max_size=3).map(tuple),
)
replies = st.builds(Reply, st.integers(0, 255), st.binary(max_size=60), st.binary(max_size=60), texts)


@given(events, verdicts, replies)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_law_8_any_call_is_one_line_that_reads_back(event: Event, verdict: Verdict, reply: Reply) -> None:
    record = record_of(event, verdict, reply)
    line = encode(record).encode("ascii")
    assert b"\n" not in line
    assert json.loads(line) == json.loads(encode(record))
    assert record["verdict"]["decision"] == verdict.decision.word
    counts = Counts()
    counts.add_call(1, row_of(record), record)  # and the index can take it


@given(events, verdicts, replies)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_law_8_any_call_comes_back_from_the_file(
    tmp_path_factory, event: Event, verdict: Verdict, reply: Reply
) -> None:
    directory = str(tmp_path_factory.mktemp("journal"))
    record = record_of(event, verdict, reply)
    writer = JournalWriter(directory)
    writer.write(record)
    writer.close()
    (found,) = read_records(directory)
    assert {key: found[key] for key in record} == json.loads(encode(record))


@given(anything, st.integers(0, 500))
def test_no_value_is_written_longer_than_its_field(value: object, limit: int) -> None:
    cleaned = Scrubber().field(value, limit)
    assert len(encode(cleaned)) < 12 * (limit + 4096) < 12 * (FIELD_LIMIT + 4096)


calls = st.lists(
    st.tuples(st.sampled_from(["r1", "r2", "r3"]), st.booleans(), st.sampled_from(["allow", "block"])),
    max_size=12,
)


@given(calls)
def test_law_8_folding_counts_each_request_once_and_keeps_every_word_of_observers(
    lines: list[tuple[str, bool, str]],
) -> None:
    records = []
    for number, (request, observes, decision) in enumerate(lines):
        made: dict[str, object] = {"id": str(number), "request": request, "outcomes": []}
        if observes:
            made |= {"observes": "x", "outcomes": [{"hook": str(number)}]}
        else:
            made["verdict"] = {"decision": decision}
        records.append(made)
    folded = fold(records)
    answered = [request for request, observes, _ in lines if not observes]
    assert sorted(str(call["request"]) for call in folded) == sorted(set(answered))
    for call in folded:
        last = [
            decision for request, observes, decision in lines if request == call["request"] and not observes
        ]
        assert call["verdict"] == {"decision": last[-1]}
        assert call.get("attempts", 1) == len(last)
