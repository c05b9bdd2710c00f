"""What a machine tells, and how the centre reads what a machine might have told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.fleet.refusal import RefusedError
from fairlead.fleet.telling.heartbeat import MAX_HEARTBEAT, BundleState, Counts, Heartbeat, read_heartbeat

TOLD = Heartbeat(
    machine="m1",
    group="web",
    at=1_800_000_000,
    host="box",
    version="0.1.0",
    build="b",
    bundle=BundleState(7, "a" * 64, "stale", "why", 1_799_000_000),
    rows=({"name": "claude", "state": "installed"},),
    agents=({"agent": "claude", "installed": True, "calls": 3, "last_call": None},),
    behind=4,
    off=True,
    mode="audit",
    counts=Counts(9, 3, 2, 1, 5),
)


def test_what_was_told_is_what_is_read():
    assert read_heartbeat(TOLD.written(), "m1") == TOLD


def test_whoever_names_another_machine_is_a_forger():
    with pytest.raises(RefusedError, match="says that it is from m1") as caught:
        read_heartbeat(TOLD.written(), "m2")
    assert str(caught.value.refusal.code) == "forged"


def test_rows_go_before_the_message_is_too_large():
    many = TOLD.replace(rows=tuple({"name": "x" * 300, "state": "y" * 300} for _ in range(400)))
    content = many.written()
    assert len(content) <= MAX_HEARTBEAT
    assert read_heartbeat(content, "m1") == TOLD.replace(rows=(), agents=())


def test_one_that_is_too_large_is_not_read():
    with pytest.raises(RefusedError, match="bytes"):
        read_heartbeat(b" " * (MAX_HEARTBEAT + 1), "m1")


def test_what_is_not_known_here_is_left_out():
    data = {**TOLD.as_json(), "weather": "fine"}
    assert read_heartbeat(json.dumps(data).encode(), "m1") == TOLD


@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "\u202e"])
def test_nothing_that_moves_a_cursor_gets_through(text):
    data = {**TOLD.as_json(), "host": text, "rows": [{"name": text, text: text}]}
    read = read_heartbeat(json.dumps(data).encode(), "m1")
    shown = read.host + str(read.rows[0]["name"]) + "".join(read.rows[0])
    assert shown.isprintable()


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from([*TOLD.as_json(), "other"]), _ANYTHING))
def test_whatever_is_sent_is_read_or_refused(data):
    data = {"v": 1, "machine": "m1", "group": "web"} | data
    try:
        read = read_heartbeat(json.dumps(data).encode(), "m1")
    except RefusedError:
        return
    assert read.machine == "m1"
    assert read_heartbeat(read.written(), "m1") == read


@given(st.binary(max_size=200))
def test_rubbish_is_refused(content):
    with pytest.raises(RefusedError):
        read_heartbeat(content, "m1")
