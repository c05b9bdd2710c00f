"""`fairlead parse`: what a line of shell would run, as the guard sees it."""

from __future__ import annotations

import os
import sys

import click

from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.output import say, show_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.shell.script import NoText

MAX_SCRIPT = 256 * 1024


@click.command(name="parse")
@click.argument("text", metavar="COMMAND")
@click.option(
    "--cwd", type=FOLDER, metavar="DIR", help="Where it would run; the current folder if not given."
)
@click.option("--follow", is_flag=True, help="Also look into scripts that it would run.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(*, text: str, cwd: str | None, follow: bool, as_json: bool) -> int:
    """Show which commands COMMAND would run, where, and through what. Nothing is run.

    COMMAND may be `-`: it is then read from standard input.

    \b
    Examples:
      fairlead parse 'cd / && rm -rf *'
      fairlead parse --json 'echo cm0gLXJmIC8K | base64 -d | sh'
      fairlead parse --follow './build.sh'
    """
    from fairlead.shell.reader import read_script
    from fairlead.shell.script_view import as_data, as_text

    source: str | bytes = sys.stdin.buffer.read(MAX_SCRIPT + 1) if text == "-" else text
    script = read_script(
        source,
        cwd=os.path.abspath(cwd or os.getcwd()),
        home=os.path.expanduser("~"),
        files=_content if follow else None,
    )
    if as_json:
        show_json(as_data(script))
    else:
        say(as_text(script))
    return 0


def _content(path: str) -> bytes | NoText | None:
    """A file, if it may be read; one byte more than allowed tells that it is too long."""
    from fairlead.shell.bounds import MAX_FILE
    from fairlead.shell.script import NoText

    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return file.read(MAX_FILE + 1)
    except OSError:
        return NoText()
