"""`fairlead mcp env`: which variables a server gets."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import say_lines, show_json
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.doors.mcp.environment import least


@click.command(name="env")
@click.option("--env", "listed", metavar="NAME", multiple=True, help="As in the server's entry.")
@click.option("--json", "as_json", is_flag=True, help="Print the names as JSON.")
def command(*, listed: tuple[str, ...], as_json: bool) -> int:
    """Show which variables a server gets that is started from here, and which stay out: never values.

    \b
    Example:
      fairlead mcp env --env GITHUB_TOKEN
    """
    given = sorted(least(os.environ, listed))
    kept = sorted(set(os.environ) - set(given))
    missing = sorted(set(listed) - set(os.environ))
    if as_json:
        show_json({"given": given, "withheld": kept, "missing": missing})
        return 0
    told = [("given", " ".join(given) or "nothing"), ("withheld", " ".join(kept) or "nothing")]
    told += [("missing", f"{' '.join(missing)}  (listed, but not set here)")] if missing else []
    say_lines(fields(told, indent=0))
    return 0
