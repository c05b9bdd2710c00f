"""What is kept of output that is too much: the beginning, the end, and every contract line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.contracts.directives import contract_lines
from fairlead.executors import keeping
from fairlead.executors.keeping import Keeping
from fairlead.model.timeline import Stream

OUT, ERR = Stream.STDOUT, Stream.STDERR


def kept(writes, limit, spill=""):
    keeping = Keeping(limit, spill)
    for number, (stream, data) in enumerate(writes):
        keeping.add(stream, float(number), data)
    return keeping.timeline(exact=True)


def contracts(timeline):
    return [text for _, text in contract_lines(timeline)]


def test_what_fits_is_kept_as_it_is():
    timeline = kept([(OUT, b"a\n"), (ERR, b"b\n"), (OUT, b"c")], 100)
    assert timeline.rendered() == ["1: a", "2: b", "1: c"]
    assert (timeline.truncated, timeline.dropped, timeline.unheard) == (False, 0, 0)


def test_the_beginning_the_end_and_contracts_in_the_middle_are_kept():
    middle = [(OUT, b"contract:N=%d\n" % number if number == 500 else b"line\n") for number in range(1000)]
    timeline = kept([(OUT, b"first\n"), *middle, (OUT, b"last\n")], 100)
    lines = [line.text for line in timeline.lines]
    assert (lines[0], lines[-1], contracts(timeline)) == ("first", "last", ["N=500"])
    assert timeline.truncated
    assert timeline.dropped + len(timeline.data(OUT)) - 1 == 6 + 999 * 5 + 15 + 5, (
        "one newline ends the cut line"
    )


@pytest.mark.parametrize("limit", range(0, 120, 3))
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_wherever_the_cut_is_all_contracts_are_heard_once_and_whole(limit, size):
    text = b"".join(b"some words\ncontract:A%d=value\n" % number for number in range(20))
    writes = [(OUT, text[at : at + size]) for at in range(0, len(text), size)]
    assert contracts(kept(writes, limit)) == [f"A{number}=value" for number in range(20)]


@pytest.mark.parametrize("limit", range(0, 80))
def test_no_cut_makes_a_contract_of_what_is_none(limit):
    line = b"xcontract:EVIL=1"
    assert contracts(kept([(OUT, line[at : at + 1]) for at in range(len(line))] * 5, limit)) == []
    assert contracts(kept([(OUT, line * 9)], limit)) == []
    assert contracts(kept([(ERR, b"contract:E=1\n" * 20)], limit)) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from((OUT, ERR)), st.sampled_from((b"x", b"\n", b"con", b"tract:", b"A=1", b"y\n"))
        ),
        max_size=60,
    ),
    st.integers(0, 60),
)
def test_the_contracts_do_not_depend_on_the_bound(writes, limit):
    assert contracts(kept(writes, limit)) == contracts(kept(writes, 10_000))


def test_the_order_across_streams_is_kept_after_the_cut():
    writes = [(OUT, b"o%d\n" % number) if number % 2 else (ERR, b"e%d\n" % number) for number in range(2000)]
    ends = [line.text for line in kept(writes, 400).lines[-30:]]
    assert ends == [f"{'o' if number % 2 else 'e'}{number}" for number in range(1970, 2000)]


def test_a_quiet_stream_is_not_pushed_out_by_a_loud_one():
    timeline = kept([(OUT, b"x" * 1000), (ERR, b"why\n"), *[(OUT, b"x" * 1000)] * 50], 2000)
    assert timeline.data(ERR) == b"why\n"


def test_too_many_small_writes_lose_no_contract_and_not_the_end(monkeypatch):
    monkeypatch.setattr(keeping, "_MOST_CHUNKS", 10)
    monkeypatch.setattr(keeping, "_MOST_LATEST_CHUNKS", 5)
    writes = [(OUT if number % 2 else ERR, b"%d\n" % number) for number in range(1000)]
    timeline = kept([*writes, (OUT, b"contract:exit:3\n"), *writes, (OUT, b"end\n")], 1 << 20)
    assert contracts(timeline) == ["exit:3"]
    assert [line.text for line in timeline.lines][-1] == "end"
    assert len(timeline.chunks) < 30


def test_contracts_without_end_are_bounded_and_said(monkeypatch):
    monkeypatch.setattr(keeping, "MOST_CONTRACT_BYTES", 100)
    timeline = kept(
        [(OUT, b"contract:A=1\n")] * 50 + [(OUT, b"contract:B=" + b"x" * 500 + b"\n" + b"z\n" * 40)], 40
    )
    assert timeline.unheard > 30
    assert all(text == "A=1" for text in contracts(timeline))


def test_what_is_dropped_goes_to_a_file_and_a_folder_that_is_none_loses_nothing_else(tmp_path):
    writes = [(OUT, b"%03d\n" % number) for number in range(100)]
    timeline = kept(writes, 40, str(tmp_path))
    with open(timeline.spilled, "rb") as file:
        assert len(file.read()) == timeline.dropped == 400 - 40
    assert kept(writes, 40, str(tmp_path / "missing")).spilled == ""


@pytest.mark.parametrize("line", [b"\n", b"con\n", b"contract\n"])
def test_a_flood_of_lines_that_only_begin_as_contracts_is_dropped_like_any_other(line, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_CONTRACT_BYTES", 100)
    writes = [(OUT, line[at : at + 1]) for at in range(len(line))] * 300
    timeline = kept(writes, 40)
    assert (timeline.unheard, contracts(timeline)) == (0, [])
    assert len(timeline.data(OUT)) <= 50
