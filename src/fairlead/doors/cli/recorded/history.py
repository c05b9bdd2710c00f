"""What the commands that look back share: the index, the filters, how calls are shown."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import click

from fairlead.doors.cli.given.events import DECISION, EVENT
from fairlead.doors.cli.given.recorded import PROJECT, RECORDED_AGENT, RECORDED_RULE, SESSION, TOOL
from fairlead.doors.cli.output import count, note, say_lines
from fairlead.doors.cli.presentation.screen import screen_height
from fairlead.errors import UsageError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import event_named
from fairlead.store.query import Query

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


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
        click.option("--agent", type=RECORDED_AGENT, default="", help="Only calls of this agent."),
        click.option("--event", type=EVENT, default="", help="Only this event, in any agent's spelling."),
        click.option(
            "--decision", type=DECISION, multiple=True, help="Only this decision; may be given again."
        ),
        click.option("--denied", is_flag=True, help="Only blocks and halts."),
        click.option(
            "--would",
            is_flag=True,
            help="Only what audit kept back; --decision and --rule mean that.",
        ),
        click.option(
            "--rule", type=RECORDED_RULE, default="", help="Only this rule; `git/*` is every rule of a pack."
        ),
        click.option("--tool", type=TOOL, default="", help="Only calls of this tool."),
        click.option("--session", "session_id", type=SESSION, default="", help="Only this session."),
        click.option("--project", type=PROJECT, default="", help="Only the project with this root."),
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
    decisions = [decision for word in options["decision"] for decision in _decisions(word)]
    if options["denied"]:
        decisions += [Decision.BLOCK, Decision.HALT]
    return Query(
        agent=options["agent"],
        event=str(event_named(options["event"])) if options["event"] else "",
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


def _decisions(word: str) -> tuple[Decision, ...]:
    """What is shown as `pass` was either of two."""
    return (Decision.ALLOW, Decision.CONTINUE) if word == "pass" else (DECISION_WORDS[word],)


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
