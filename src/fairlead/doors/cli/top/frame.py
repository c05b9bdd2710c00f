"""The state as the rows of one screen, from 40 columns and 8 lines on."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.doors.cli.presentation.calls import what_happened
from fairlead.doors.cli.presentation.screen import NARROWEST
from fairlead.doors.cli.presentation.sparks import sparkline
from fairlead.doors.cli.presentation.words import ago, printable, shown_decision
from fairlead.doors.cli.presentation.wrapping import cells, cut, padded, wrapped
from fairlead.doors.cli.top.rows import Piece, Row, decided, row, side_by_side
from fairlead.doors.cli.top.state import WINDOW, State, View, hour_of
from fairlead.policy.answers.questions import Question
from fairlead.store.reader import Call

_HEAD = 5
"""Rows above the list."""
_RULE_FROM = 100
"""Columns from which on the rule of a call stands behind it."""
_KEYS = {
    View.CALLS: ("q quit", "/ filter", "Enter detail", "a answer", "↑↓ choose", "g newest"),
    View.FILTER: ("Enter keep", "Esc clear"),
    View.CALL: ("q quit", "Esc back", "↑↓ scroll"),
    View.QUESTIONS: ("q quit", "Esc back", "Enter answer", "↑↓ choose"),
}


def list_height(height: int) -> int:
    return max(height - _HEAD - 1, 1)


def frame(state: State, width: int, height: int, now: float) -> list[Row]:
    """Exactly as many rows as the screen has; one that is narrower than 40 columns shows their beginning."""
    width = max(width, NARROWEST)
    room = list_height(height)
    body = {
        View.CALL: _detail,
        View.QUESTIONS: _questions,
    }.get(state.view, _calls)(state, width, room, now)
    filled = [*body[:room], *[row()] * (room - len(body))]
    return [*_head(state, width, now), *filled, _foot(state, width)][-height:]


def _head(state: State, width: int, now: float) -> list[Row]:
    hour = hour_of(state, now)
    per_minute = hour.minutes[-1]
    counts = (f"{hour.calls:,} calls", f"{hour.stopped:,} blocked", f"{hour.asked:,} asked")
    told = f"  {per_minute}/min"
    sparks = sparkline(hour.minutes, min(WINDOW, width - len(told)))
    return [
        row(Piece("last hour  ", bold=True), side_by_side(counts, width - 11, gap=", ")),
        row(Piece(sparks, "cyan"), told),
        _ranking("agents", hour.agents, width),
        _ranking("rules", hour.rules, width),
        _bar(state, width),
    ]


def _ranking(name: str, counted: Sequence[tuple[str, int]], width: int) -> Row:
    """The most frequent first; a name that does not fit is cut only where it would stand alone."""
    texts = [f"{printable(word)} {number:,}" for word, number in counted]
    room = width - 8
    return row(Piece(f"{name:<8}", bold=True), side_by_side(texts, room) or cut("".join(texts[:1]), room))


def _bar(state: State, width: int) -> Row:
    """What the list below is: filtered by what, or that somebody waits for an answer."""
    if state.view is View.FILTER:
        return row(Piece("filter: ", bold=True), f"{state.filter}_")
    if state.message:
        return row(Piece(state.message, "yellow"))
    parts = [f"filter: {state.filter} ({len(state.shown)} of {len(state.calls)})"] if state.filter else []
    if state.questions and state.view is not View.QUESTIONS:
        waiting = len(state.questions)
        parts.append(f"{waiting} wait{'s' if waiting == 1 else ''} for an answer: press a")
    return row(Piece(side_by_side(parts, width, gap="; ") or cut("".join(parts), width), "yellow"))


def _foot(state: State, width: int) -> Row:
    return row(Piece(side_by_side(_KEYS[state.view], width), bold=True))


def _calls(state: State, width: int, room: int, now: float) -> list[Row]:
    calls, place = state.shown, state.place
    if not calls:
        why = "no call has this in it" if state.filter else "no calls yet; they appear as agents make them"
        return [row(line) for line in wrapped(why, width)]
    first = min(max(place - room // 2, 0), max(len(calls) - room, 0))
    return [
        _call(call, width, now, chosen=first + number == place)
        for number, call in enumerate(calls[first : first + room])
    ]


def _call(call: Call, width: int, now: float, *, chosen: bool) -> Row:
    mark = ">" if chosen else " "
    word = decided(call.decision, f"{shown_decision(call.decision):<7} ")
    who = f"{cut(printable(call.agent), 8):<8} "
    rule = printable(f"would {call.would_rule}" if call.would else call.rule)
    behind = f"  {rule}" if rule and width >= _RULE_FROM else ""
    head = f"{mark}{ago(call.ts, now):>4} "
    space = width - len(head) - 8 - len(who) - cells(behind)
    what = cut(printable(f"{what_happened(call)}  {call.summary}".rstrip()), max(space, 8))
    return row(head, word, who, padded(what, space), Piece(behind, bold=True), chosen=chosen)


def _detail(state: State, width: int, room: int, now: float) -> list[Row]:
    return [row(line) for line in state.detail[state.scroll : state.scroll + room]]


def _questions(state: State, width: int, room: int, now: float) -> list[Row]:
    if not state.questions:
        return [row("nothing waits for an answer")]
    blocks = [
        _question(question, width, now, chosen=number == state.question)
        for number, question in enumerate(state.questions)
    ]
    before = sum(len(block) for block in blocks[: state.question + 1])
    rows = [each for block in blocks for each in block]
    return rows[max(before - room, 0) :]


def _question(question: Question, width: int, now: float, *, chosen: bool) -> list[Row]:
    mark = ">" if chosen else " "
    title = f"{mark} {question.code} {ago(question.asked, now):>4}  {question.agent}: {question.summary}"
    why = wrapped(printable(question.reason), width, first="    ")[:3]
    return [row(title, chosen=chosen), *(row(line) for line in why)]
