"""The overview as text: a state goes in, the rows of a screen come out."""

from __future__ import annotations

import pytest

from fairlead.doors.cli.presentation.wrapping import cells
from fairlead.doors.cli.top.frame import frame
from fairlead.doors.cli.top.rows import painted
from fairlead.doors.cli.top.state import State
from overview_kit import NOW, blocked, call, question, screen, state_of, typed

STATE = state_of(
    call(3000, agent="gemini"),
    call(120),
    blocked(61, agent="codex"),
    call(5, event="AfterTool", summary="make 9"),
    blocked(2),
)

AT_40 = """\
last hour  5 calls, 2 blocked, 0 asked
    ▃                       ▃▇  2/min
agents  claude 3  gemini 1  codex 1
rules   git/force-push 2

>  2s block   claude   Bash  git push…
   5s pass    claude   Bash result …
   1m block   codex    Bash  git push…
   2m pass    claude   Bash  make 120
  50m pass    gemini   Bash  make 3000

q quit  / filter  Enter detail  a answer"""

AT_80 = """\
last hour  5 calls, 2 blocked, 0 asked
         ▃                                               ▃▃▆  2/min
agents  claude 3  gemini 1  codex 1
rules   git/force-push 2

>  2s block   claude   Bash  git push --force origin main
   5s pass    claude   Bash result  make 9
   1m block   codex    Bash  git push --force origin main
   2m pass    claude   Bash  make 120
  50m pass    gemini   Bash  make 3000

q quit  / filter  Enter detail  a answer  ↑↓ choose  g newest"""

AT_120 = """\
last hour  5 calls, 2 blocked, 0 asked
         ▃                                               ▃▃▆  2/min
agents  claude 3  gemini 1  codex 1
rules   git/force-push 2

>  2s block   claude   Bash  git push --force origin main                                                 git/force-push
   5s pass    claude   Bash result  make 9
   1m block   codex    Bash  git push --force origin main                                                 git/force-push
   2m pass    claude   Bash  make 120
  50m pass    gemini   Bash  make 3000

q quit  / filter  Enter detail  a answer  ↑↓ choose  g newest"""  # noqa: E501


@pytest.mark.parametrize(("width", "expected"), [(40, AT_40), (80, AT_80), (120, AT_120)])
def test_the_screen_shows_the_last_hour_and_the_newest_calls(width: int, expected: str) -> None:
    assert "\n".join(screen(STATE, width)) == expected


@pytest.mark.parametrize("width", [1, 2, 20, 40, 41, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("height", [1, 2, 6, 8, 12, 50])
def test_a_screen_is_filled_and_never_overfilled(width: int, height: int) -> None:
    wide = call(1, agent="a" * 90, tool="工具" * 40, rule="r" * 90, summary="词" * 300)
    busy = state_of(*(call(number) for number in range(200)), wide).with_questions([question("12345678")])
    views = [busy, *(typed(busy, *keys)[0] for keys in (["/", *"make"], ["a"], ["enter"]))]
    for state in views:
        rows = frame(state.replace(detail=("x",) * 80), width, height, NOW)
        assert len(rows) == height
        assert all(cells(painted(row, width, colour=True)) <= width for row in rows)


def test_the_chosen_call_stays_in_sight_however_far_down_it_is() -> None:
    state = state_of(*(call(number) for number in reversed(range(100))))
    state, _ = typed(state.replace(page=6), *["down"] * 40)
    marked = [line for line in screen(state, 80) if line.startswith(">")]
    assert marked == ["> 40s pass    claude   Bash  make 40"]


def test_questions_are_shown_with_their_reason_and_one_is_chosen() -> None:
    state, _ = typed(STATE.with_questions([question("aaaaaaaa"), question("bbbbbbbb")]), "a", "down")
    assert screen(state, 60)[5:9] == [
        "  aaaaaaaa  30s  codex: npm publish aaaaaaaa",
        "    It would publish a package.",
        "> bbbbbbbb  30s  codex: npm publish bbbbbbbb",
        "    It would publish a package.",
    ]


def test_whoever_looks_at_calls_is_told_that_somebody_waits() -> None:
    assert "1 waits for an answer: press a" in screen(STATE.with_questions([question("aaaaaaaa")]), 40)


def test_an_empty_journal_says_what_will_be_here() -> None:
    assert screen(State(), 40)[5:7] == ["no calls yet; they appear as agents make", "them"]


def test_a_filter_is_shown_with_what_it_left() -> None:
    state, _ = typed(STATE, "/", *"codex push", "enter")
    assert "filter: codex push (1 of 5)" in screen(state, 60)
    assert [line for line in screen(state, 60) if " codex " in line and "block" in line]
