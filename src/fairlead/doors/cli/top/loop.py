"""The overview as it runs: draw, wait for a key or for calls, and again."""

from __future__ import annotations

import time

import click

from fairlead.doors.cli.commands.every_day.approve import answer_question
from fairlead.doors.cli.output import Session, complain
from fairlead.doors.cli.presentation.screen import NARROWEST, as_wide_as
from fairlead.doors.cli.top.feed import Feed
from fairlead.doors.cli.top.frame import frame, list_height
from fairlead.doors.cli.top.pressing import Wish, pressed
from fairlead.doors.cli.top.state import State, View
from fairlead.doors.cli.top.terminal import Terminal
from fairlead.errors import FairleadError
from fairlead.policy.answers.questions import find_question

_TICK = 0.25


def run(session: Session, source: Feed, terminal: Terminal) -> None:
    """Until the person has seen enough."""
    state = source.beginning()
    width = 0
    while True:
        columns, lines = terminal.size()
        state = state.replace(page=list_height(lines))
        if columns != width and state.view is View.CALL:
            state = _explained(state, source, columns)
        width = columns
        terminal.draw(frame(state, width, lines, time.time()), width)
        for key in terminal.keys(_TICK):
            state, wish = pressed(state, key)
            if wish is Wish.QUIT:
                return
            if wish is Wish.EXPLAIN:
                state = _explained(state, source, width)
            if wish is Wish.APPROVE:
                state = _answered(state, session, terminal)
        state = source.further(state)


def _explained(state: State, source: Feed, width: int) -> State:
    """What `fairlead explain` says, as wide as this screen."""
    with as_wide_as(max(width, NARROWEST)):
        lines = source.explained(state.chosen)
    if not lines:
        return state.replace(view=View.CALLS, message="the journal does not hold this call any more")
    return state.replace(detail=tuple(click.unstyle(line) for line in lines))


def _answered(state: State, session: Session, terminal: Terminal) -> State:
    """On the ordinary screen, behind the same gate as `fairlead approve`."""
    question = state.questions[state.question]
    with terminal.given_back():
        try:
            answer_question(session, find_question(session.places, question.code))
            message = f"{question.code} may be made again now"
        except FairleadError as error:
            complain(error)
            message = error.message
        except KeyboardInterrupt:
            message = "nothing was changed"
    return state.replace(message=message, view=View.CALLS)
