"""`fairlead approve`: a person's yes to a call that was asked about, for once or for longer."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.answers import QUESTION
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.output import Session, note, say_lines, show_json
from fairlead.doors.cli.policies.exceptions_shown import shown
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.errors import UsageError
from fairlead.policy.answers.grants import Grants
from fairlead.policy.answers.lasting_answers import ONCE, PROJECT, SESSION, WHILE, planned_exception
from fairlead.policy.answers.questions import Question, dismiss, find_question, grant, questions
from fairlead.policy.human import require_human

_HOW_LONG = "`once`, `session`, `project`, or a while: 15m, 1h, 2d."


@click.command()
@click.argument("code", required=False, type=QUESTION)
@click.option("--for", "length", metavar="LENGTH", default=ONCE, show_default=True, help=_HOW_LONG)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="List the questions as JSON.")
@click.pass_obj
def command(session: Session, code: str | None, length: str, yes: bool, as_json: bool) -> int:
    """Let the call with this CODE through, once, if the agent makes it again within ten minutes.

    The code is in the question, or in the refusal that the agent got. A yes for once holds for the same tool
    with the same input, in the same folder and project, by the same agent in the same session. With --for it
    becomes an exception for the one command that was asked about, from the one rule that asked: in this
    session, in this project, or in this project for a while. `fairlead allow --list` shows such exceptions.
    Without CODE, the calls that wait for an answer are listed.

    \b
    Examples:
      fairlead approve 3f9a12bc
      fairlead approve 3f9a12bc --for session
      fairlead approve 3f9a12bc --for 1h
    """
    if code is None:
        refuse_idle({"--for": length != ONCE, "--yes": yes}, hint="give the CODE of a question with it")
        return _list(session, as_json)
    refuse_idle({"--json": as_json}, hint="it lists the questions: leave CODE out")
    answer_question(session, find_question(session.places, code), length, yes=yes)
    return 0


def answer_question(session: Session, question: Question, length: str = ONCE, *, yes: bool = False) -> None:
    """Shows all that the answer is bound to, and asks a person for it. Raises FairleadError for a no."""
    say_lines(paragraph(printable(f"{question.agent} asks: {question.summary}"), rest="  "))
    told = [("because", question.reason), *_bound_to(question)]
    say_lines(fields([(name, printable(value)) for name, value in told]))
    if length != ONCE:
        _give(session, question, length, yes=yes)
        return
    if question.told:
        raise UsageError(
            f"{question.told} has asked this itself: answer it there",
            hint="--for session, --for project or --for 1h ends the question",
        )
    require_human(session.places, "let this one call through", yes=yes, deed="approve")
    grant(session.places, question)
    note(
        "the agent may make this one call again now, within ten minutes: "
        f"in {printable(question.cwd) or 'no folder'}, and nowhere else"
    )


def _give(session: Session, question: Question, length: str, *, yes: bool) -> None:
    """An exception for the command that was asked about."""
    now = time.time()
    words = (SESSION, PROJECT)
    seconds = 0.0 if length in words else seconds_of(length)
    planned = planned_exception(question, length if length in words else WHILE, now=now, seconds=seconds)
    require_human(session.places, f"allow {shown(planned)}", yes=yes, deed="approve")
    given = Grants(session.places).give_planned(planned, now=now)
    dismiss(session.places, question)
    note(f"allowed: {shown(given)}")
    note(f"to take it back: fairlead allow --revoke {given.id}")


def _bound_to(question: Question) -> Iterator[tuple[str, str]]:
    yield "folder", question.cwd
    if os.path.realpath(question.cwd) != question.cwd:
        yield "that is", os.path.realpath(question.cwd)
    yield "project", question.root
    yield "session", question.session or "none is named"
    if question.command:
        yield "command", question.command


_QUESTIONS = (
    Column("CODE"),
    Column("AGENT", spare=1),
    Column("ASKED", right=True, spare=2),
    Column("IN", spare=3),
    Column("WHAT", prose=True),
)


def _list(session: Session, as_json: bool) -> int:
    waiting = questions(session.places)
    if as_json:
        fields = ("code", "agent", "summary", "reason", "asked", "cwd", "root", "session", "rule", "command")
        show_json([{field: getattr(question, field) for field in fields} for question in waiting])
        return 0
    now = time.time()
    rows = [
        [q.code, q.agent, f"{ago(q.asked, now)} ago", printable(q.cwd), printable(q.summary)] for q in waiting
    ]
    if rows:
        say_lines(table(_QUESTIONS, rows))
    if not waiting:
        note("nothing waits for an answer")
    return 0
