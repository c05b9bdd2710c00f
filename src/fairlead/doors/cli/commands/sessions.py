"""`fairlead sessions`: which agents worked where, and how that went."""

from __future__ import annotations

import time
from typing import Any

import click

from fairlead.doors.cli.history import (
    ago,
    filters,
    index_reader,
    note_left_out,
    paged,
    printable,
    query_of,
    table,
    write_csv,
)
from fairlead.doors.cli.output import Session, note, show_json
from fairlead.store.reader import SessionLine


@click.command()
@filters
@click.option("-n", "--limit", default=30, show_default=True, help="How many, the newest; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print the sessions as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the sessions as CSV.")
@click.pass_obj
def command(session: Session, /, *, limit: int, as_json: bool, as_csv: bool, **options: Any) -> int:
    """Show the sessions of agents, the one with the newest call first.

    \b
    Examples:
      fairlead sessions --since today
      fairlead sessions --denied --json
    """
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


def _lines(found: list[SessionLine]) -> list[str]:
    now = time.time()
    rows: list[tuple[str, ...]] = [
        ("LAST", "FOR", "AGENT", "CALLS", "BLOCKED", "ASKED", "SUBAGENTS", "TOKENS", "PROJECT", "SESSION")
    ]
    rows += [
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
    return table(rows, right=frozenset({0, 1, 3, 4, 5, 6, 7}))
