import pytest

from fairlead.model.timeline import Line, Stream, Timeline, timeline_of

OUT, ERR = Stream.STDOUT, Stream.STDERR


def test_it_renders_as_the_seed_writes_it():
    timeline = timeline_of((OUT, b"one\n"), (ERR, b"two\n"), (OUT, b"three\n"))
    assert timeline.rendered() == ["1: one", "2: two", "1: three"]


def test_a_line_that_the_other_stream_interrupts_is_whole_and_stands_where_it_began():
    timeline = timeline_of((OUT, b"working... "), (ERR, b"warning\n"), (OUT, b"done\nnext\n"))
    assert timeline.rendered() == ["1: working... done", "2: warning", "1: next"]


def test_a_last_line_without_a_newline_is_a_line():
    lines = timeline_of((ERR, b"warn"), (OUT, b"contract:env:X=yes\n")).lines
    assert lines == (Line(ERR, b"warn", ended=False), Line(OUT, b"contract:env:X=yes"))


def test_bytes_are_kept_and_decoding_is_a_view():
    data = bytes(range(256))
    timeline = timeline_of((OUT, data))
    assert timeline.data(OUT) == data
    assert "�" in timeline.text(OUT)


def test_empty_lines_are_lines():
    assert timeline_of((OUT, b"\n\na\n")).rendered() == ["1: ", "1: ", "1: a"]


def test_nothing_written_is_no_lines():
    assert Timeline().lines == ()


@pytest.mark.parametrize("first", [0, 1, 3])
@pytest.mark.parametrize("last", [1, 2, 9])
def test_the_ends_of_a_timeline_are_those_of_its_lines(first, last):
    timeline = timeline_of(
        (Stream.STDOUT, b"a\nb"),
        (Stream.STDERR, b"e\nf"),
        (Stream.STDOUT, b"c\n\nd\n"),
        (Stream.STDERR, b"g"),
    )
    lines = timeline.lines
    assert [line.text for line in lines] == ["a", "bc", "e", "fg", "", "d"]
    begin, missing, end = timeline.ends(first, last)
    if first + last < len(lines):
        assert (begin, missing, end) == (lines[:first], len(lines) - first - last, lines[-last:])
    else:
        assert (begin, missing, end) == (lines, 0, ())
