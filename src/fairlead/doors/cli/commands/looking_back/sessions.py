"""`fairlead sessions`: which agents worked where, and how that went."""

from __future__ import annotations

import time
from typing import Any

import click

from fairlead.doors.cli.given.recorded import RECORDED_AGENT, SESSION
from fairlead.doors.cli.given.together import refuse_several
from fairlead.doors.cli.output import Session, note, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.cli.recorded.history import filters, note_left_out, paged, query_of, write_csv
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.policy.human import require_human
from fairlead.sessions.note import Note
from fairlead.store.reader import SessionLine


@click.group(invoke_without_command=True)
@filters
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="How many, the newest; 0 for all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the sessions as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the sessions as CSV.")
@click.pass_context
def command(context: click.Context, /, *, limit: int, as_json: bool, as_csv: bool, **options: Any) -> int:
    """Show the sessions of agents, the one with the newest call first.

    \b
    Examples:
      fairlead sessions --since today
      fairlead sessions --denied --json
      fairlead sessions show 3f2a…
    """
    if context.invoked_subcommand is not None:
        return 0
    refuse_several({"--json": as_json, "--csv": as_csv})
    session: Session = context.obj
    query = query_of(options, limit=limit or -1)
    with index_reader(session) as reader:
        found = reader.sessions(query)
        left_out = reader.left_out(query)
    rows: list[dict[str, object]] = [
        {field: getattr(line, field) for field in SessionLine._fields} for line in found
    ]
    if as_json:
        show_json(rows)
    elif as_csv:
        write_csv(SessionLine._fields, rows)
    elif not found:
        note("no sessions")
    else:
        paged(_lines(found), pager=True)
    note_left_out(left_out)
    return 0


@command.command()
@click.argument("name", metavar="SESSION", type=SESSION)
@click.option(
    "--agent", type=RECORDED_AGENT, default="", help="The agent, where several have a session of that name."
)
@click.option("--json", "as_json", is_flag=True, help="Print what is remembered as JSON.")
@click.pass_obj
def show(session: Session, /, *, name: str, agent: str, as_json: bool) -> int:
    """Show what later calls of a session are judged by: files it wrote and fetched, secrets it read.

    SESSION is the agent's own name of it, as `fairlead sessions` shows it.

    \b
    Examples:
      fairlead sessions show 3f2a…
      fairlead sessions show 3f2a… --json
    """
    from fairlead.doors.cli.recorded.session_memory import remembered

    notes = remembered(session.places, name, agent=agent)
    rows = [{field: getattr(each, field) for field in each._fields} for each in notes]
    if as_json:
        show_json(rows)
    elif not notes:
        note("nothing is remembered of this session")
    else:
        now = time.time()
        lines = [
            (
                ago(n.at, now),
                _word(n),
                printable(n.subject),
                printable(n.source),
                printable(n.program),
                n.call[:8],
            )
            for n in notes
        ]
        paged(table(_NOTES, lines), pager=True)
    return 0


def _word(note: Note) -> str:
    return "made" if note.kind == "wrote" and not note.existed else str(note.kind)


@command.command()
@click.argument("name", metavar="SESSION", type=SESSION)
@click.option(
    "--agent", type=RECORDED_AGENT, default="", help="The agent, where several have a session of that name."
)
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def forget(session: Session, /, *, name: str, agent: str, yes: bool) -> int:
    """Forget what a session did before: its next calls are judged as its first. A human must be there.

    \b
    Example:
      fairlead sessions forget 3f2a…
    """
    from fairlead.doors.cli.recorded.session_memory import forget_session

    require_human(session.places, f"forget what the session {name} did", yes=yes)
    if not forget_session(session.places, name, agent=agent):
        note("nothing is remembered of this session")
        return 0
    note("forgotten")
    return 0


def _lines(found: list[SessionLine]) -> list[str]:
    now = time.time()
    rows = [
        (
            ago(line.last, now),
            ago(line.first, line.last),
            line.agent,
            str(line.calls),
            str(line.blocked or ""),
            str(line.asked or ""),
            str(line.subagents or ""),
            f"{line.tokens:,}" if line.tokens else "",
            printable(line.root),
            printable(line.session),
        )
        for line in found
    ]
    return table(_SESSIONS, rows)


_SESSIONS = (
    Column("LAST", right=True),
    Column("FOR", right=True, spare=3),
    Column("AGENT"),
    Column("CALLS", right=True),
    Column("BLOCKED", right=True),
    Column("ASKED", right=True, spare=1),
    Column("SUBAGENTS", right=True, spare=5),
    Column("TOKENS", right=True, spare=4),
    Column("PROJECT", spare=2),
    Column("SESSION"),
)
_NOTES = (
    Column("WHEN", right=True),
    Column("WHAT"),
    Column("OF", prose=True),
    Column("FROM", prose=True),
    Column("BY", spare=1),
    Column("CALL", spare=2),
)
