"""What the recorder keeps of a flood, and the lines that it makes."""

from __future__ import annotations

import pytest

from fairlead.doors.bash import recorded
from fairlead.doors.bash.recorded import lines_of, thinned


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "HEAD", 60)
    monkeypatch.setattr(recorded, "TAIL", 60)
    monkeypatch.setattr(recorded, "CONTRACTS", 100)


def out(*pieces: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"1", piece) for piece in pieces]


def flood(*middle: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """A head and a tail that just fit, and what is between them."""
    return [*out(b"h" * 54 + b"\n"), *middle, *out(b"t" * 54 + b"\n")]


def kept_lines(writes: list[tuple[bytes, bytes]]) -> list[bytes]:
    return lines_of(thinned(writes)[0])[0][1:-1]


@pytest.mark.parametrize(
    ("middle", "kept"),
    [
        (out(b"dropped\n"), []),
        (out(b"contract:A=1\n"), [b"1: contract:A=1"]),
        (out(b"a\ncontract:A=1\nb\n"), [b"1: contract:A=1"]),
        (out(b"con", b"tract:A", b"=1\n"), [b"1: contract:A=1"]),
        ([(b"1", b"contr"), (b"2", b"noise\n"), (b"1", b"act:A=1\n")], [b"1: contract:A=1"]),
        ([(b"2", b"contract:A=1\n")], []),
        (out(b"contracts\n", b" contract:A=1\n"), []),
        (out(b"contract:B"), [b"1: contract:B" + b"t" * 54]),
    ],
)
def test_contract_lines_of_the_middle_are_kept_whole(
    middle: list[tuple[bytes, bytes]], kept: list[bytes]
) -> None:
    writes = flood(*middle)
    found = lines_of(thinned(writes)[0])[0]
    assert found[0] == b"1: " + b"h" * 54
    assert [line for line in found[1:] if line != b"1: " + b"t" * 54] == kept


def test_a_line_that_began_in_the_head_ends_there_and_its_rest_does_not_become_a_line() -> None:
    writes = [*out(b"begun in the head"), *out(b"x" * 50, b"y" * 50, b"z\nnext\n"), *out(b"t" * 50 + b"\n")]
    found = lines_of(thinned(writes)[0])[0]
    assert found[0].startswith(b"1: begun in the head")
    assert found[-1] == b"1: " + b"t" * 50
    assert b"1: z" not in found


def test_a_contract_line_that_began_in_the_head_is_kept_whole() -> None:
    writes = [*out(b"contract:LONG="), *out(b"v" * 60), *out(b"w\n"), *out(b"t" * 50 + b"\n")]
    assert lines_of(thinned(writes)[0])[0][0] == b"1: contract:LONG=" + b"v" * 60 + b"w"


def test_what_was_cut_and_lost_is_counted() -> None:
    kept, cut, lost = thinned(flood(*out(b"dropped\n", b"contract:" + b"x" * 200 + b"\n")))
    assert (cut, lost) == (8 + 210, 209)
    assert sum(len(data) for _, data in kept) == 110


def test_thinning_what_was_thinned_before_keeps_the_same() -> None:
    once, _, _ = thinned(flood(*out(b"dropped\n", b"contract:A=1\n")))
    assert thinned(once)[:2] == (once, 0)


def test_lines_stand_where_they_began_and_nuls_are_counted() -> None:
    writes = [(b"1", b"a\0"), (b"2", b"e\n"), (b"1", b"b\nc"), (b"2", b"\0"), (b"2", b"f")]
    assert lines_of(writes) == ([b"1: ab", b"2: e", b"1: c", b"2: f"], 2)
