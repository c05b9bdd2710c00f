"""`fairlead tail`: calls as they are answered. It reads the journal itself; no daemon is needed."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from fairlead.doors.cli.output import Session, say_lines
from fairlead.doors.cli.presentation.calls import call_lines
from fairlead.doors.cli.recorded.history import filters, note_left_out, query_of
from fairlead.doors.cli.recorded.journal_index import index_path, index_writer, journal_directory
from fairlead.store.follow import Follower
from fairlead.store.reader import Call, IndexReader

_PAUSE = 0.2


@click.command()
@filters
@click.option(
    "-n",
    "--lines",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="How many calls to begin with.",
)
@click.option("-f", "--follow", is_flag=True, help="Go on with each new call until interrupted.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def command(session: Session, /, *, lines: int, follow: bool, as_json: bool, **options: Any) -> int:
    """Show the newest calls, and with -f each new one.

    \b
    Examples:
      fairlead tail -f
      fairlead tail -f --denied --json
    """
    query = query_of(options, limit=max(lines, 0))
    with index_writer(session) as writer:
        writer.catch_up()
        reader = IndexReader(index_path(session), journal_directory(session))
        try:
            follower = Follower(reader, query)
            note_left_out(reader.left_out(query))
            for call in reversed(reader.calls(query)):
                _show(call, as_json)
            while follow:
                time.sleep(_PAUSE)
                if writer.catch_up():
                    for call in follower.new():
                        _show(call, as_json)
        except KeyboardInterrupt:
            return 0
        finally:
            reader.close()
    return 0


def _show(call: Call, as_json: bool) -> None:
    say_lines([json.dumps(call.as_json())] if as_json else call_lines(call, time.time()))
