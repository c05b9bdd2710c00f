"""`fairlead mcp env`: which variables a server gets."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import say, show_json
from fairlead.doors.mcp.environment import least


@click.command(name="env")
@click.option("--env", "listed", metavar="NAME", multiple=True, help="As in the server's entry.")
@click.option("--json", "as_json", is_flag=True, help="Print the names as JSON.")
def command(*, listed: tuple[str, ...], as_json: bool) -> int:
    """Show which variables a server gets that is started from here, and which stay out: never values."""
    given = sorted(least(os.environ, listed))
    kept = sorted(set(os.environ) - set(given))
    missing = sorted(set(listed) - set(os.environ))
    if as_json:
        show_json({"given": given, "withheld": kept, "missing": missing})
        return 0
    say(f"given     {' '.join(given) or 'nothing'}")
    say(f"withheld  {' '.join(kept) or 'nothing'}")
    if missing:
        say(f"missing   {' '.join(missing)}  (listed, but not set here)")
    return 0
