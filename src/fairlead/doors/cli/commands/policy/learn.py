"""`fairlead learn`: what people decided again and again, as lines of a policy."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

import click

from fairlead.doors.cli.learning.learned_file import accept as write_accepted
from fairlead.doors.cli.learning.lesson import Lesson, lesson_of, proposal_named
from fairlead.doors.cli.learning.proposals import EXCEPTION, Proposal, evidence_of
from fairlead.doors.cli.output import Session, count, note, say, say_lines, show_json
from fairlead.doors.cli.presentation.calls import SHORT_ID
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.doors.hook.root import git_root
from fairlead.errors import UsageError
from fairlead.policy.answers.grants import Grants
from fairlead.policy.human import require_human

_DAYS = click.option(
    "--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="How far back."
)


@click.group(invoke_without_command=True)
@_DAYS
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.pass_context
def command(context: click.Context, *, days: int, as_json: bool) -> int:
    """Show what you decided again and again, and the lines that would spare you the question.

    A yes is known by what the journal holds: the tool ran after a question that only a person can answer, the
    call was approved by its code, or an exception was made for it. Proposed is only what was never refused,
    in its tightest form, and nothing that covers a line which Fairlead is known to stop. Nothing is written.

    \b
    Examples:
      fairlead learn
      fairlead learn --days 90 --json
      fairlead learn accept 3fa1c2d4
    """
    if context.invoked_subcommand is not None:
        return 0
    session: Session = context.obj
    with index_reader(session) as reader, progress("looking for what you decided"):
        lesson = lesson_of(reader, session.places, git_root(os.getcwd()), days)
    if as_json:
        show_json(lesson.as_json())
    else:
        _show(lesson)
    return 0


@command.command()
@click.argument("id_", metavar="ID")
@_DAYS
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def accept(session: Session, id_: str, *, days: int, yes: bool) -> int:
    """Write the proposal ID into your own policy. This loosens, so a human must be there.

    \b
    Example:
      fairlead learn accept 3fa1c2d4
    """
    with index_reader(session) as reader, progress("looking for what you decided"):
        found = proposal_named(reader, session.places, days, id_)
    if found is None:
        raise UsageError(f"there is no proposal {printable(id_)!r}", hint="`fairlead learn` lists them")
    for line in _lines(found):
        say(line)
    require_human(session.places, f"accept {printable(found.line)}", yes=yes)
    if found.kind == EXCEPTION:
        given = Grants(session.places).give_planned(found.grant, now=time.time())
        note(f"allowed; to take it back: fairlead allow --revoke {given.id}")
    else:
        note(f"written to {write_accepted(session.places, found)}")
    return 0


def _lines(one: Proposal) -> list[str]:
    seen: Mapping[str, Any] = evidence_of(one.yes)
    ways = ", ".join(f"{number} by {way}" for way, number in seen["known_by"].items())
    places = seen["projects"]
    where = places[0] if len(places) == 1 else count(len(places), "project")
    told = f"{seen['times']} times yes and never no, in {count(seen['sessions'], 'session')} in {where}"
    calls = " ".join(line[-SHORT_ID:] for line in seen["calls"])
    since = f"{told}, since {ago(seen['since'], time.time())} ago"
    known = f"known by {ways}; the last calls, for `fairlead explain`: {calls}"
    lines = [(one.id, one.line), ("", since), ("", known)]
    return list(fields([(name, printable(text)) for name, text in lines], indent=0))


def _show(lesson: Lesson) -> None:
    for one in lesson.proposals:
        for line in _lines(one):
            say(line)
        changes = ", ".join(f"{number} {change}" for change, number in lesson.changes[one.id].items())
        if changes:
            say_lines(paragraph(f"judged again with it: {changes}", first=" " * 10))
    if lesson.proposals:
        note("`fairlead learn accept ID` writes one of them into your own policy")
    else:
        note("nothing to propose")
    for one in lesson.refused:
        note(printable(f"not proposed: {one.pattern}, since {one.why_not}"))
    for rule in lesson.annoying:
        asked = f"{rule['rule']} asked {rule['times']} times, and you always said yes"
        note(printable(f"{asked}; if it is wrong: fairlead report {_newest(rule)}"))
    for hook in lesson.quiet:
        note(printable(f"{hook['hook']} looked at {hook['calls']} calls and never objected ({hook['file']})"))
    for call in lesson.ran_refused:
        shown = f"{call.agent} ran what {call.rule or 'a hook'} had refused"
        note(printable(f"{shown}: fairlead explain {call.id[-SHORT_ID:]}"))
    if lesson.sessions_left:
        note(f"{count(lesson.sessions_left, 'older session')} not looked at")


def _newest(rule: Mapping[str, object]) -> str:
    calls = rule["calls"]
    return str(calls[-1])[-SHORT_ID:] if isinstance(calls, list) and calls else "ID"
