"""`fairlead index`: the index of the journal, which is derived from it and can be made again."""

from __future__ import annotations

import time

import click

from fairlead.doors.cli.output import Session, count, note, show_json, tell
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.recorded.journal_index import index_path, index_reader, index_writer
from fairlead.store.query import Query


@click.group()
def command() -> None:
    """Look at the index of the journal, and rebuild it.

    \b
    Examples:
      fairlead index status
      fairlead index rebuild
    """


@command.command()
@click.pass_obj
def rebuild(session: Session) -> int:
    """Rebuild the index from the journal. Who reads it meanwhile sees the old one.

    \b
    Example:
      fairlead index rebuild
    """
    started = time.monotonic()
    with index_writer(session) as writer, progress("indexing") as told:
        lines = writer.rebuild(told)
    seconds = max(time.monotonic() - started, 0.001)
    note(f"{count(lines, 'line')} in {seconds:.1f} s ({lines / seconds:,.0f} per second)")
    return 0


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_obj
def status(session: Session, *, as_json: bool) -> int:
    """Show where the index is and how many calls it has.

    \b
    Example:
      fairlead index status --json
    """
    with index_reader(session) as reader:
        calls = reader.count(Query(canaries=True))
    if as_json:
        show_json({"path": index_path(session), "calls": calls})
    else:
        tell(f"{index_path(session)}: {count(calls, 'call')}, up to date")
    return 0
