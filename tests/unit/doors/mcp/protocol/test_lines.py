"""Bytes that arrive in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.mcp.protocol.lines import Lines, TooLong


@given(
    st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b""))), st.lists(st.integers(1, 9))
)
def test_lines_are_the_same_wherever_the_pieces_are_cut(lines, cuts):
    whole = b"".join(line + b"\n" for line in lines)
    reader, seen = Lines(), []
    for cut in cuts:
        piece, whole = whole[:cut], whole[cut:]
        seen += reader.feed(piece) if piece else []
    seen += reader.feed(whole) if whole else []
    assert seen == [line + b"\n" for line in lines]
    assert reader.end() == []


def test_what_has_no_end_is_a_line_once_nothing_more_comes():
    reader = Lines()
    assert reader.feed(b"a\nb") == [b"a\n"]
    assert reader.end() == [b"b\n"]
    assert reader.end() == []


def too_long(*pieces, longest=10_000):
    reader = Lines(longest)
    lines = [line for piece in pieces for line in reader.feed(piece)]
    assert lines[1:] == [b"next\n"]
    assert isinstance(lines[0], TooLong)
    return lines[0]


def test_a_line_that_is_too_long_is_let_go_and_the_next_is_read():
    line = too_long(*[b"x" * 4000] * 10, b"\nnext\n")
    assert (line.size, line.id) == (40_000, None)


def test_its_id_is_found_where_it_comes_first():
    assert too_long(b'{"jsonrpc": "2.0", "id": 7, "result": "', b"x" * 20_000, b'"}\nnext\n').id == 7


def test_its_id_is_found_where_it_comes_last():
    assert too_long(b'{"result": "', b"x" * 20_000, b'","jsonrpc":"2.0","id":"a"}\nnext\n').id == "a"


def test_an_id_in_the_middle_of_its_text_is_none_of_its():
    assert too_long(b'{"result": "', b'"id":5,' * 3000, b'"}\nnext\n').id is None
