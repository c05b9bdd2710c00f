"""Events are the same wherever the network cuts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.mcp.http.event_stream import (
    Comment,
    EventReader,
    EventTooLongError,
    StreamEvent,
    written,
    written_comment,
)

ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINES = st.lists(
    st.sampled_from(
        [
            b"",
            b":",
            b": still here",
            b"data",
            b"data:",
            b"data: {",
            b'data:  "a": 1',
            b"id: 7",
            b"id",
            b"retry: 15",
            b"event: message",
            b"other: x",
            b"\xef\xbb\xbfdata: a",
        ]
    ),
    max_size=12,
)


def read(chunks):
    reader = EventReader()
    return [found for chunk in chunks for found in reader.feed(chunk)]


@given(LINES, ENDS, st.data())
def test_where_the_bytes_are_cut_makes_no_difference(lines, end, data):
    stream = b"".join(line + end for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(chunks) == read([stream])


@given(LINES)
def test_the_three_ends_of_lines_mean_the_same(lines):
    plain, *others = [read([b"".join(line + end for line in lines)]) for end in (b"\n", b"\r\n", b"\r")]
    assert all(other == plain for other in others)


def test_lines_of_data_belong_together_and_one_blank_before_them_is_none():
    (event,) = read([b"data: {\ndata:  1\ndata\n\n"])
    assert event.data == b"{\n 1\n"
    assert event.line == b"{  1 \n"


def test_the_last_of_a_field_counts_and_an_id_with_a_nul_is_none():
    (event,) = read([b"event: a\nevent: b\nid: 1\nretry: 2500\ndata: x\n\n"])
    assert (event.name, event.id, event.retry) == (b"b", b"1", 2.5)
    assert StreamEvent(b"", ((b"id", b"a\0b"),)).id is None
    assert StreamEvent(b"", ((b"retry", b"soon"),)).retry is None


def test_an_event_without_data_still_brings_its_id():
    (event,) = read([b"id: 9\n\n"])
    assert (event.data, event.id) == (b"", b"9")


def test_a_comment_comes_at_once_and_is_no_part_of_an_event():
    assert read([b": one\ndata: x\n: two\n\n"]) == [Comment(b"one"), Comment(b"two"), StreamEvent(b"x")]


def test_what_has_no_end_is_no_event():
    assert read([b"data: x\n"]) == []


def test_a_byte_order_mark_is_taken_off_the_beginning_alone():
    assert read([b"\xef\xbb", b"\xbfdata: x\n\n"]) == [StreamEvent(b"x")]


def test_an_event_cannot_fill_the_memory_but_many_comments_may_come():
    reader = EventReader(longest=100)
    for _ in range(100):
        reader.feed(b": a comment\n")
    with pytest.raises(EventTooLongError):
        for _ in range(100):
            reader.feed(b"data: more\n")


@given(LINES)
def test_what_is_written_is_read_as_it_was(lines):
    found = read([b": first\n" + b"".join(line + b"\n" for line in lines) + b"\n"])
    written_again = b"".join(
        written_comment(each) if isinstance(each, Comment) else written(each, each.line) for each in found
    )
    expected = [
        each if isinstance(each, Comment) else each.replace(data=each.data.replace(b"\n", b" "))
        for each in found
    ]
    assert read([written_again]) == expected
