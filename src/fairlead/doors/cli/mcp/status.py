"""`fairlead mcp status`: one line per server."""

from __future__ import annotations

from itertools import groupby

import click

from fairlead.doors.cli.mcp.door_command import door_command, mcp_site
from fairlead.doors.cli.output import Session, say_lines, show_json, tell
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.mcp.setup.ledger import ledger_at
from fairlead.doors.mcp.setup.standing import FAULTS, Row, standings, summary


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Show which servers of MCP clients have the door before them, as their files are now.

    \b
    wrapped     calls pass the door
    unwrapped   the client starts the server itself: `fairlead mcp install` wraps it
    remote      an address, which the client calls itself
    changed     it lost the door since, or was renamed or given more variables
    dead        a program is missing: the client cannot start it
    unreadable  the file cannot be understood

    Exit code 1 for what is changed, dead or unreadable.

    \b
    Example:
      fairlead mcp status --json
    """
    rows = mcp_rows(session)
    if as_json:
        show_json([row.as_json() for row in rows])
    else:
        if rows:
            say_lines(table(_SERVERS, [_cells(row) for row in rows]))
        else:
            tell("no client with MCP servers was found; docs/mcp.md says where they are looked for")
    return 1 if any(row.state in FAULTS for row in rows) else 0


def mcp_rows(session: Session) -> list[Row]:
    return list(standings(mcp_site(), ledger_at(session.places), door_command(session)))


_SERVERS = (
    Column("CLIENT"),
    Column("SERVER"),
    Column("STATE"),
    Column("FILE", spare=1),
    Column("WHY", prose=True),
)


def _cells(row: Row) -> list[str]:
    told = (row.file.client.id, row.server, str(row.state), row.file.path, row.detail)
    return [printable(text) for text in told]


def mcp_lines(rows: list[Row]) -> list[str]:
    """One line per file, for `fairlead status`."""
    return [
        printable(f"{client}: MCP servers: {summary(list(group))}  ({path})")
        for (client, path), group in groupby(rows, lambda row: (row.file.client.id, row.file.path))
    ]
