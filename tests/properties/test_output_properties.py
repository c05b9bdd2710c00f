"""What holds for any output of a hook."""

import json

from hypothesis import given
from hypothesis import strategies as st

from fairlead.contracts.auto import Auto
from fairlead.contracts.directives import Malformed, directives, parse
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Capture, Hook, HookType, Outcome, Run
from fairlead.model.timeline import Stream, Timeline, timeline_of

HOOK = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", "x"))
EVENT = Event(EventName.BEFORE_TOOL)

streams = st.sampled_from(Stream)
writes = st.lists(st.tuples(streams, st.binary(max_size=20) | st.sampled_from([b"a\n", b"b", b"\n"])))
log_lines = st.lists(st.text(st.characters(codec="utf-8", exclude_characters='{}[]"\n'), max_size=30))


def outcome_of(text: str, exit_code: int = 0) -> Outcome:
    timeline = timeline_of((Stream.STDOUT, text.encode("utf-8", "surrogatepass")))
    return Auto().read(HOOK, EVENT, Capture(timeline=timeline, exit_code=exit_code))


@given(writes)
def test_lines_hold_every_byte_of_each_stream_in_its_order(written):
    timeline = timeline_of(*written)
    for stream in Stream:
        lines = [line for line in timeline.lines if line.stream is stream]
        assert b"".join(line.data + b"\n" * line.ended for line in lines) == timeline.data(stream)


@given(st.lists(st.tuples(streams, st.integers(0, 999))))
def test_whole_lines_stand_in_the_order_of_the_writes(written):
    timeline = timeline_of(*((stream, b"%d\n" % number) for stream, number in written))
    assert timeline.rendered() == [f"{int(stream)}: {number}" for stream, number in written]


@given(log_lines, log_lines, st.sampled_from(["deny", "block", "ask"]))
def test_an_objection_is_found_between_any_lines_of_a_log(before, after, word):
    text = "\n".join([*before, json.dumps({"decision": word, "reason": "no"}), *after])
    assert outcome_of(text).decision.objects


@given(st.text(), st.sampled_from([0, 1, 2, 3, 127, -9]))
def test_no_output_breaks_the_reader_and_exit_2_always_blocks(text, code):
    outcome = outcome_of(text, code)
    assert (outcome.decision >= Decision.BLOCK) == (code == 2) or outcome.decision.objects
    assert outcome.failure is not None or code in (0, 2)


@given(st.text())
def test_an_approval_never_comes_from_what_is_not_json(text):
    outcome = outcome_of(text)
    assert outcome.decision is not Decision.APPROVE or "approve" in text


@given(st.text())
def test_every_contract_line_is_understood_or_malformed(text):
    for asked in parse(text):
        assert isinstance(asked, Malformed) or asked.kind


@given(writes)
def test_contract_lines_of_any_output_can_be_read(written):
    timeline: Timeline = timeline_of(*written, (Stream.STDOUT, b"\ncontract:A=1\n"))
    assert directives(timeline)[-1].name == "A"
