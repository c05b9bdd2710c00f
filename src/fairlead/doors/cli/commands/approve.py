"""`fairlead approve`: a person's yes to one call that an agent could not ask about."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import click

from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.policy.human import require_human
from fairlead.policy.questions import Question, find_question, grant, questions


@click.command()
@click.argument("code", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="List the questions as JSON.")
@click.pass_obj
def command(session: Session, code: str | None, yes: bool, as_json: bool) -> int:
    """Let the call with this CODE through, once, if the agent makes it again within ten minutes.

    The code is in the refusal that the agent got. It holds for the same tool with the same input, in the same
    folder and project, by the same agent in the same session. Without CODE, the calls that wait for an answer
    are listed.

    \b
    Example:
      fairlead approve 3f9a12bc
    """
    if code is None:
        return _list(session, as_json)
    question = find_question(session.places, code)
    say(f"{question.agent} asks: {question.summary}")
    say(f"  because  {question.reason}")
    for name, value in _bound_to(question):
        say(f"  {name:<8} {value}")
    require_human(session.places, "let this one call through", yes=yes)
    grant(session.places, question)
    note(
        "the agent may make this one call again now, within ten minutes: "
        f"in {question.cwd or 'no folder'}, and nowhere else"
    )
    return 0


def _bound_to(question: Question) -> Iterator[tuple[str, str]]:
    yield "folder", question.cwd
    if os.path.realpath(question.cwd) != question.cwd:
        yield "that is", os.path.realpath(question.cwd)
    yield "project", question.root
    yield "session", question.session or "none is named"


def _list(session: Session, as_json: bool) -> int:
    waiting = questions(session.places)
    if as_json:
        fields = ("code", "agent", "summary", "reason", "asked", "cwd", "root", "session")
        show_json([{field: getattr(question, field) for field in fields} for question in waiting])
        return 0
    for question in waiting:
        age = int(time.time() - question.asked)
        where = f"{age:>4} s ago  in {question.cwd}"
        say(f"{question.code}  {question.agent:<8} {where}  {question.summary[:120]}")
    if not waiting:
        note("nothing waits for an answer")
    return 0
