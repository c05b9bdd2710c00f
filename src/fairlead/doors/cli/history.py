"""What the commands that look back share: the index, the filters, how calls are shown."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import click

from fairlead.doors.cli.output import Session, count, note, say_lines
from fairlead.doors.cli.presentation.screen import screen_height
from fairlead.errors import FairleadError, UsageError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import EventName, event_named
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter, Progress

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_NOTICEABLE = 8_000_000  # bytes to read before a progress bar is worth its line


def journal_directory(session: Session) -> str:
    return os.path.join(session.places.state, "journal")


def index_path(session: Session) -> str:
    return os.path.join(session.places.state, "index", "index.sqlite3")


@contextmanager
def index_writer(session: Session) -> Iterator[IndexWriter]:
    with _index_errors(session):
        writer = IndexWriter(index_path(session), journal_directory(session))
        try:
            yield writer
        finally:
            writer.close()


@contextmanager
def index_reader(session: Session) -> Iterator[IndexReader]:
    """The index, brought up to date first."""
    with index_writer(session) as writer, progress("indexing") as told:
        writer.catch_up(told)
    with _index_errors(session):
        reader = IndexReader(index_path(session), journal_directory(session))
        try:
            yield reader
        finally:
            reader.close()


@contextmanager
def _index_errors(session: Session) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        path = index_path(session)
        raise FairleadError(
            f"the index {path} cannot be used: {error}",
            hint="`fairlead index rebuild` makes it anew from the journal; nothing is lost",
        ) from error


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """A bar on the terminal for long work; silence for short work and for programs."""
    bars: list[Any] = []

    def tell(done: int, total: int) -> None:
        if not bars and total - done > _NOTICEABLE and sys.stderr.isatty():
            bars.append(click.progressbar(length=total, label=label, file=sys.stderr))
            bars[0].__enter__()
        if bars:
            bars[0].update(done - bars[0].pos)

    try:
        yield tell
    finally:
        if bars:
            bars[0].__exit__(None, None, None)


canaries_option = click.option(
    "--canaries", is_flag=True, help="Along with the calls that `fairlead doctor` made."
)


def note_left_out(canaries: int) -> None:
    """Nothing is left out without a word."""
    if canaries:
        are = "is" if canaries == 1 else "are"
        note(f"{count(canaries, 'call')} of `fairlead doctor` {are} left out; --canaries shows them")


def filters(function: Callable[..., int]) -> Callable[..., int]:
    """The options that say which calls are meant; they arrive as one `Query`."""
    options = (
        click.option("--agent", default="", help="Only calls of this agent."),
        click.option("--event", default="", help="Only this event, in any agent's spelling."),
        click.option("--decision", multiple=True, help="Only this decision; may be given again."),
        click.option("--denied", is_flag=True, help="Only blocks and halts."),
        click.option(
            "--would",
            is_flag=True,
            help="Only what audit kept back; --decision and --rule mean that.",
        ),
        click.option("--rule", default="", help="Only this rule; `git/*` is every rule of a pack."),
        click.option("--tool", default="", help="Only calls of this tool."),
        click.option("--session", "session_id", default="", help="Only this session."),
        click.option("--project", default="", help="Only the project with this root."),
        click.option("--text", default="", help="Only calls whose command, path or prompt has this in it."),
        click.option("--trouble", is_flag=True, help="Only degraded calls and calls with a failure."),
        click.option("--since", default="", metavar="WHEN", help="`30m`, `2h`, `7d`, `today`, 2026-11-15."),
        click.option("--until", default="", metavar="WHEN", help="The same."),
        canaries_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


def query_of(options: Mapping[str, Any], *, limit: int) -> Query:
    decisions = [decision_named(word) for word in options["decision"]]
    if options["denied"]:
        decisions += [Decision.BLOCK, Decision.HALT]
    return Query(
        agent=options["agent"],
        event=_event(options["event"]),
        decision=tuple(int(decision) for decision in decisions),
        rule=options["rule"],
        would=options["would"],
        tool=options["tool"],
        session=options["session_id"],
        root=os.path.abspath(options["project"]) if options["project"] else "",
        text=options["text"],
        troubled=options["trouble"],
        since=moment(options["since"]),
        until=moment(options["until"]),
        canaries=options["canaries"],
        limit=limit,
    )


def decision_named(word: str) -> Decision:
    if word not in DECISION_WORDS:
        known = ", ".join(decision.word for decision in reversed(Decision))
        raise UsageError(f"there is no decision {word!r}", hint=f"known are {known}")
    return DECISION_WORDS[word]


def _event(name: str) -> str:
    found = event_named(name) if name else None
    if found is EventName.OTHER and name != str(EventName.OTHER):
        raise UsageError(f"there is no event {name!r}", hint="BeforeTool, AfterTool, SessionStart, ...")
    return str(found) if found else ""


def moment(text: str, now: float | None = None) -> float | None:
    """`90s`, `2h`, `7d` ago, `today`, `yesterday`, or a date with or without a time, in local time."""
    if not text:
        return None
    current = time.time() if now is None else now
    ago = re.fullmatch(r"(\d+)\s*([smhdw])", text)
    if ago:
        return current - int(ago[1]) * _UNITS[ago[2]]
    midnight = datetime.fromtimestamp(current).replace(hour=0, minute=0, second=0, microsecond=0)
    days = {"today": 0, "yesterday": 1}
    if text in days:
        return (midnight - timedelta(days=days[text])).timestamp()
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise UsageError(
            f"{text!r} is no time", hint="write 30m, 2h, 7d, today, 2026-11-15 or 2026-11-15T14:30"
        ) from None


def paged(lines: Sequence[str], *, pager: bool) -> None:
    """Through the pager if it is a terminal and there is more than fits on it."""
    if pager and sys.stdout.isatty() and len(lines) >= screen_height():
        click.echo_via_pager("\n".join(lines) + "\n")
    else:
        say_lines(lines)


def write_csv(fields: Sequence[str], rows: Sequence[Mapping[str, object]]) -> None:
    import csv

    out = csv.DictWriter(sys.stdout, fieldnames=fields, extrasaction="ignore", lineterminator="\n")
    out.writeheader()
    for row in rows:
        out.writerow({field: _harmless(row.get(field)) for field in fields})


def _harmless(value: object) -> object:
    """A cell that a spreadsheet would run as a formula is made text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
