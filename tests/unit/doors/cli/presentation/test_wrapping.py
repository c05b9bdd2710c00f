"""Lines fit the screen, and no word is broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.cli.presentation.wrapping import LEAST, cells, cut, fields, wrapped

TEXT = "`rm -rf *` would delete / with everything in it, and that is outside the project."
words = st.lists(st.text("abcé漢-/.", min_size=1, max_size=12), min_size=1, max_size=20)


@given(words, st.integers(40, 120), st.integers(0, 12))
def test_every_line_fits_unless_one_word_alone_does_not(some: list[str], width: int, indent: int) -> None:
    for line in wrapped(" ".join(some), width, first=" " * indent):
        assert cells(line) <= width or len(line.split()) == 1


@given(words, st.integers(20, 120))
def test_nothing_is_lost_and_no_word_is_broken(some: list[str], width: int) -> None:
    lines = wrapped(" ".join(some), width)
    assert " ".join(lines).split() == some


def test_a_pipe_gets_whole_lines() -> None:
    assert wrapped(TEXT * 10, 0, first="  ") == [f"  {TEXT * 10}"]


def test_a_short_command_stays_on_one_line() -> None:
    assert wrapped("to end it, run `fairlead on` now", 25) == ["to end it, run", "`fairlead on` now"]


def test_further_lines_of_a_text_keep_their_own_indent() -> None:
    assert wrapped("one\n  hint: two", 40, first="- ") == ["- one", "  hint: two"]


def test_fields_stand_below_their_names_where_these_are_wide() -> None:
    told = [("fairlead doctor --fix", "mend what is wrong here")]
    assert list(fields(told, width=30)) == ["  fairlead doctor --fix", "    mend what is wrong here"]
    assert list(fields(told, width=80)) == ["  fairlead doctor --fix  mend what is wrong here"]


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("echo hello", 20, "echo hello"),
        ("git push --force origin main", 16, "git push…"),
        ("abcdefghijklmnop", 8, "abcdefg…"),
        ("漢字漢字漢字", 7, "漢字漢…"),
    ],
)
def test_a_text_is_cut_at_a_word_where_one_is_near(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown
    assert cells(shown) <= width


def test_letters_are_counted_as_a_terminal_shows_them() -> None:
    assert [cells(text) for text in ("abc", "漢字", "e\u0301", "\x1b[31mred\x1b[0m", "a\u200bb")] == [
        3,
        4,
        1,
        3,
        2,
    ]


def test_text_is_never_squeezed_into_less_than_can_be_read() -> None:
    lines = wrapped(TEXT, 20, first=" " * 18)
    assert max(len(line.strip()) for line in lines) <= LEAST
    assert len(lines) > 1
