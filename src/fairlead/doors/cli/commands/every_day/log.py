"""`fairlead log`: the calls that were answered, and whether their record is whole."""

from __future__ import annotations

import time
from typing import Any

import click

from fairlead.doors.cli.given.together import refuse_several
from fairlead.doors.cli.output import Session, count, note, say, say_lines, show_json
from fairlead.doors.cli.presentation.calls import call_lines
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.history import filters, moment, note_left_out, paged, query_of, write_csv
from fairlead.doors.cli.recorded.journal_index import (
    index_path,
    index_reader,
    index_writer,
    journal_directory,
)
from fairlead.errors import UsageError
from fairlead.journal.verify import Finding, verify
from fairlead.policy.human import require_human
from fairlead.store.reader import Call
from fairlead.store.retention import Retention, expire, expired


@click.group(invoke_without_command=True)
@filters
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="How many, the newest; 0 for all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the calls as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the calls as CSV.")
@click.option("--records", is_flag=True, help="Print the whole journal lines, one JSON object each.")
@click.option("--no-pager", is_flag=True, help="Never through a pager.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Show the calls that were answered, the oldest of them first.

    The columns are: how long ago, the decision, marks (! something failed, ~ told otherwise than meant,
    2 answered more than once, c made by `fairlead doctor`, w something was kept back by audit), agent, tool,
    [subagent], what was asked, rule, time taken, end of the id.

    \b
    Examples:
      fairlead log --since 2h --denied
      fairlead log --agent codex --rule 'git/*' --json
      fairlead log --text 'rm -rf' --trouble
      fairlead log --would --since 7d
      fairlead log verify
    """
    if ctx.invoked_subcommand is not None:
        return 0
    refuse_several({f"--{name.removeprefix('as_')}": options[name] for name in _FORMS})
    session: Session = ctx.obj
    query = query_of(options, limit=options["limit"] or -1)
    with index_reader(session) as reader:
        if options["records"]:
            note_left_out(reader.left_out(query))
            return _show_records(list(reader.records(query)))
        calls = list(reversed(reader.calls(query)))
        left_out = reader.left_out(query)
    _show(calls, options)
    note_left_out(left_out)
    return 0


_FORMS = ("as_json", "as_csv", "records")


def _show_records(records: list[dict[str, object]]) -> int:
    from fairlead.journal.line import encode

    for record in records:
        say(encode(record))
    return 0


def _show(calls: list[Call], options: dict[str, Any]) -> None:
    rows = [call.as_json() for call in calls]
    if options["as_json"]:
        show_json(rows)
    elif options["as_csv"]:
        write_csv(Call._fields, rows)
    elif not calls:
        note("no calls")
    else:
        now = time.time()
        paged([line for call in calls for line in call_lines(call, now)], pager=not options["no_pager"])


@command.command(name="verify")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_obj
def verify_(session: Session, *, as_json: bool) -> int:
    """Check every line against its writer's chain; exit code 1 if one was changed, moved or removed.

    It cannot prove that nobody rewrote the whole journal, cut off its newest lines, removed its oldest
    segments, or added lines of an invented writer: the chain has no secret key.

    \b
    Examples:
      fairlead log verify
      fairlead log verify --json
    """
    found: list[Finding] = []
    lines = 0
    with progress("checking the journal"):
        for each in verify(journal_directory(session)):
            if isinstance(each, Finding):
                found.append(each)
            else:
                lines = each.lines
    bad = [finding for finding in found if finding.is_tampering]
    if as_json:
        fields = ("kind", "segment", "offset", "message")
        findings = [{field: getattr(each, field) for field in fields} for each in found]
        show_json({"lines": lines, "whole": not bad, "findings": findings})
        return 1 if bad else 0
    for each in found:
        say_lines(paragraph(f"{each.segment}:{each.offset}  {each.message}", first=f"{each.kind:<9}  "))
    say(f"{count(lines, 'line')}, {'not whole' if bad else 'whole'}")
    return 1 if bad else 0


@command.command()
@click.option("--older-than", default="", metavar="AGE", help="Remove what is older: 90d, 12w.")
@click.option("--max-size", default="", metavar="SIZE", help="Remove the oldest beyond this: 500M, 2G.")
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def prune(session: Session, *, older_than: str, max_size: str, yes: bool) -> int:
    """Remove the oldest segments of the journal. This removes evidence, so a human must be there.

    \b
    Examples:
      fairlead log prune --older-than 90d
      fairlead log prune --max-size 2G
    """
    now = time.time()
    oldest = moment(older_than, now)
    if oldest is None and not max_size:
        raise UsageError("give --older-than or --max-size")
    retention = Retention(None if oldest is None else now - oldest, _bytes(max_size))
    names = expired(journal_directory(session), retention, now)
    if not names:
        note("nothing to remove")
        return 0
    require_human(session.places, f"remove {count(len(names), 'segment')} of the journal", yes=yes)
    with index_writer(session):
        removed = expire(index_path(session), journal_directory(session), retention, now)
    note(f"removed {count(len(removed), 'segment')}: {', '.join(removed)}")
    return 0


def _bytes(text: str) -> int | None:
    if not text:
        return None
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    digits, unit = text.rstrip("kKmMgG"), text[-1].upper()
    if not digits.isdecimal() or len(text) - len(digits) > 1:
        raise UsageError(f"{text!r} is no size", hint="write 500M or 2G")
    return int(digits) * units.get(unit, 1)
