"""`fairlead mcp [--name N] -- COMMAND…`: the door itself, in front of a server."""

from __future__ import annotations

import click

from fairlead.doors.cli.output import Session
from fairlead.doors.mcp.door import GRACE, Entry, default_name, run


@click.command(name="serve", context_settings={"allow_interspersed_args": False})
@click.option("--name", metavar="N", help="What the client calls this server.  [default: its program]")
@click.option("--env", "listed", metavar="NAME", multiple=True, help="Give the server this variable, too.")
@click.option(
    "--grace",
    type=click.FloatRange(min=0),
    default=GRACE,
    show_default=True,
    help="Seconds to end in, after stdin is closed and after SIGTERM.",
)
@click.argument("vector", metavar="COMMAND...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def command(
    session: Session, *, name: str | None, listed: tuple[str, ...], grace: float, vector: tuple[str, ...]
) -> int:
    """Start COMMAND as a server and judge what passes. Ends with its exit code."""
    entry = Entry(
        name=name or default_name(vector), vector=vector, listed=listed, grace=grace, home=session.home
    )
    return run(entry)
