"""What a key does: another state, and sometimes something that only the loop can do."""

from __future__ import annotations

from enum import StrEnum

from fairlead.doors.cli.top.keys import Key
from fairlead.doors.cli.top.state import State, View

_LETTERS = {"k": Key.UP, "j": Key.DOWN, "g": Key.FIRST, "G": Key.LAST, "h": Key.BACK, "l": Key.ENTER}
_LONGEST_FILTER = 100


class Wish(StrEnum):
    NOTHING = ""
    QUIT = "quit"
    EXPLAIN = "explain"
    """Show the whole record of the chosen call."""
    APPROVE = "approve"
    """Answer the chosen question, on the ordinary screen."""


def pressed(state: State, key: str) -> tuple[State, Wish]:
    state = state.replace(message="")
    if state.view is View.FILTER:
        return _typed(state, key), Wish.NOTHING
    key = _LETTERS.get(key, key)
    if key == "q":
        return state, Wish.QUIT
    if key == "/":
        return state.replace(view=View.FILTER), Wish.NOTHING
    if key == "a":
        return state.replace(view=View.QUESTIONS), Wish.NOTHING
    if state.view is View.CALL:
        return _in_detail(state, key), Wish.NOTHING
    if state.view is View.QUESTIONS:
        return _in_questions(state, key)
    return _in_calls(state, key)


def _typed(state: State, key: str) -> State:
    if key == Key.ENTER:
        return state.replace(view=View.CALLS)
    if key == Key.BACK:
        return state.replace(view=View.CALLS, filter="", chosen="")
    if key == Key.RUBOUT:
        return state.replace(filter=state.filter[:-1], chosen="")
    if len(key) == 1 and len(state.filter) < _LONGEST_FILTER:
        return state.replace(filter=state.filter + key, chosen="")
    return state


def _in_calls(state: State, key: str) -> tuple[State, Wish]:
    calls = state.shown
    if key == Key.ENTER and calls:
        chosen = calls[state.place].id
        return state.replace(view=View.CALL, chosen=chosen, scroll=0, detail=()), Wish.EXPLAIN
    if key == Key.BACK:
        return state.replace(filter="", chosen=""), Wish.NOTHING
    place = _moved(key, state.place, len(calls), state.page)
    return state.replace(chosen=calls[place].id if place else ""), Wish.NOTHING


def _in_detail(state: State, key: str) -> State:
    if key in (Key.BACK, Key.RUBOUT):
        return state.replace(view=View.CALLS, detail=(), scroll=0)
    last = max(len(state.detail) - state.page, 0)
    return state.replace(scroll=_moved(key, state.scroll, last + 1, state.page))


def _in_questions(state: State, key: str) -> tuple[State, Wish]:
    if key in (Key.BACK, Key.RUBOUT):
        return state.replace(view=View.CALLS), Wish.NOTHING
    if key == Key.ENTER and state.questions:
        return state, Wish.APPROVE
    place = _moved(key, state.question, len(state.questions), state.page)
    return state.replace(question=place), Wish.NOTHING


def _moved(key: str, place: int, count: int, page: int) -> int:
    """Where a key leads in a list of so many rows."""
    to = {
        Key.UP: place - 1,
        Key.DOWN: place + 1,
        Key.PAGE_UP: place - page,
        Key.PAGE_DOWN: place + page,
        Key.FIRST: 0,
        Key.LAST: count - 1,
    }
    return max(min(to.get(Key(key), place) if key in set(Key) else place, count - 1), 0)
