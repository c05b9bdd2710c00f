"""What a journal holds never steers a terminal, and rows are as wide as the screen at the most."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.cli.presentation.wrapping import cells
from fairlead.doors.cli.top.frame import frame
from fairlead.doors.cli.top.rows import Piece, painted, row
from overview_kit import NOW, blocked, question, state_of, typed

STYLE = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\n\x00\u202e"


def lines(state: object, width: int = 60) -> list[str]:
    return [painted(each, width, colour=True) for each in frame(state, width, 12, NOW)]  # type: ignore[arg-type]


@given(st.text(), st.text(), st.integers(1, 90), st.booleans())
def test_nothing_but_styles_of_our_own_reaches_a_terminal(a: str, b: str, width: int, chosen: bool) -> None:
    shown = painted(row(a, Piece(b, "red", bold=True), HOSTILE, chosen=chosen), width, colour=True)
    plain = STYLE.sub("", shown)
    assert plain.isprintable() and cells(plain) <= width


def test_a_hostile_journal_is_shown_as_harmless_marks() -> None:
    bad = blocked(1, **dict.fromkeys(("agent", "tool", "rule", "summary", "session", "event"), HOSTILE))
    state = state_of(bad).with_questions(
        [question("aaaaaaaa", summary=HOSTILE, reason=HOSTILE, agent=HOSTILE)]
    )
    views = [state, typed(state, "a")[0], typed(state, "/", "x")[0]]
    views.append(typed(state, "enter")[0].replace(detail=(HOSTILE,)))
    for view in views:
        assert all(STYLE.sub("", line).isprintable() for line in lines(view))


def test_without_colour_there_are_no_escapes_and_the_choice_is_marked() -> None:
    plain = [painted(each, 60, colour=False) for each in frame(state_of(blocked(1)), 60, 12, NOW)]
    assert not any("\x1b" in line for line in plain) and any(line.startswith("> ") for line in plain)
