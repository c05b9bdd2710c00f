"""`fairlead stats`: how often, who, which rule, how long."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.given.recorded import RECORDED_AGENT
from fairlead.doors.cli.given.together import refuse_idle, refuse_several
from fairlead.doors.cli.output import Session, note, say, say_lines, show_json, tell
from fairlead.doors.cli.policies.audit import kept_back_table
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.sparks import sparkline
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, milliseconds, printable
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.history import canaries_option, moment, note_left_out, write_csv
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.packs.judging.pack_table import all_packs
from fairlead.store.query import Query
from fairlead.store.statistics import Share, Statistics, statistics
from fairlead.store.would_have import KeptBack, kept_back

_SHOWN = 10
_GROUPS = ("agents", "rules", "hooks", "tools", "events", "projects")


@click.command()
@click.option("--since", default="", metavar="WHEN", help="`30m`, `2h`, `7d`, `today`, 2026-11-15.")
@click.option("--until", default="", metavar="WHEN", help="The same.")
@click.option("--agent", type=RECORDED_AGENT, default="", help="Only calls of this agent.")
@canaries_option
@click.option("--by", type=OneOf("table", _GROUPS), help="Only this table, and all of it.")
@click.option("--would", is_flag=True, help="What audit kept back: which rule, how often.")
@click.option("--never", is_flag=True, help="List the built-in rules that decided nothing in this time.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table of --by (or of agents) as CSV.")
@click.pass_obj
def command(
    session: Session,
    *,
    since: str,
    until: str,
    agent: str,
    canaries: bool,
    by: str | None,
    would: bool,
    never: bool,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Count calls by agent, rule, hook, tool, event and project, with decisions and latency.

    Latencies are right within 7 %. Hooks are listed slowest first.

    \b
    Examples:
      fairlead stats --since 7d
      fairlead stats --by rules --json
      fairlead stats --would --since 7d
      fairlead stats --never --since 30d
    """
    refuse_several({"--json": as_json, "--csv": as_csv})
    refuse_several({"--would": would, "--never": never, "--by": by})
    refuse_idle({"--csv": as_csv and never}, hint="`--never --json` is for programs")
    query = Query(agent=agent, canaries=canaries, since=moment(since), until=moment(until))
    with index_reader(session) as reader:
        if would:
            return _show_would(kept_back(reader, query), as_json=as_json, as_csv=as_csv)
        with progress("counting"):
            found = statistics(reader, query)
    if never:
        return _show_never(found, as_json=as_json)
    if as_json:
        show_json(found.as_json() if by is None else [share.as_json() for share in getattr(found, by)])
    elif as_csv:
        shares: Sequence[Share] = getattr(found, by or "agents")
        fields = ("name", "calls", "continue", "allow", "approve", "ask", "block", "halt")
        more = ("degraded", "failed", "p50", "p95", "p99", "last")
        write_csv((*fields, *more), [{**share.as_json(), **share.decisions} for share in shares])
    elif not found.total.calls:
        note("no calls")
    else:
        _show(found, by)
    note_left_out(found.left_out)
    return 0


def _show_would(found: Sequence[KeptBack], *, as_json: bool, as_csv: bool) -> int:
    if as_json:
        show_json([each.as_json() for each in found])
    elif as_csv:
        write_csv(KeptBack._fields, [each.as_json() for each in found])
    elif not found:
        note("audit kept nothing back")
    else:
        for line in kept_back_table(found):
            say(line)
    return 0


def _show_never(found: Statistics, *, as_json: bool) -> int:
    decided = {share.name for share in found.rules}
    rules = [rule.id for pack in all_packs() for rule in pack.rules if rule.id not in decided]
    if as_json:
        show_json(rules)
    else:
        for rule in rules:
            say(rule)
    return 0


def _show(found: Statistics, by: str | None) -> None:
    total = found.total
    if by is None:
        trouble = f"degraded {total.degraded:,}, with failures {total.failed:,}"
        say_lines(paragraph(f"{total.calls:,} calls: {_decisions(total)}; {trouble}"))
        timed = (("p50", total.p50), ("p95", total.p95), ("p99", total.p99))
        tell(f"latency  {'  '.join(f'{name} {milliseconds(value)}' for name, value in timed)}")
        if len(found.trend) > 1:
            say(f"{'per day' if found.trend_step > 3_600_000 else 'per hour'}  {sparkline(found.trend)}")
        if found.tokens["total"]:
            tell(f"tokens   {found.tokens['total']:,} in {found.tokens['sessions']:,} sessions")
    for group in _GROUPS if by is None else (by,):
        shares = getattr(found, group)
        if shares:
            say()
            for line in _table(group, shares[: _SHOWN if by is None else None]):
                say(line)
        if by is None and len(shares) > _SHOWN:
            say(f"... {len(shares) - _SHOWN} more: fairlead stats --by {group}")


def _table(group: str, shares: Sequence[Share]) -> list[str]:
    timed = group in ("agents", "hooks")
    now = time.time()
    rows: list[list[str]] = []
    for share in shares:
        blocked = share.decisions.get("block", 0) + share.decisions.get("halt", 0)
        asked, approved = share.decisions.get("ask", 0), share.decisions.get("approve", 0)
        counts = [f"{number:,}" if number else "" for number in (blocked, asked, approved, share.failed)]
        row = [printable(share.name), f"{share.calls:,}", *counts]
        row += [milliseconds(value) if timed else "" for value in (share.p50, share.p95, share.p99)]
        rows.append([*row, f"{ago(share.last, now)} ago" if share.last and group == "agents" else ""])
    return table([Column(group.upper(), prose=True), *_COLUMNS], rows)


_COLUMNS = (
    Column("CALLS", right=True),
    Column("BLOCK", right=True),
    Column("ASK", right=True),
    Column("APPROVE", right=True, spare=3),
    Column("FAILED", right=True, spare=2),
    Column("P50", right=True, spare=4),
    Column("P95", right=True, spare=1),
    Column("P99", right=True, spare=5),
    Column("LAST SEEN", right=True, spare=6),
)


def _decisions(share: Share) -> str:
    counts = dict(share.decisions)
    passed = counts.pop("continue", 0) + counts.pop("allow", 0)
    words = [f"{word} {number:,}" for word, number in reversed(counts.items())]
    return ", ".join([*words, f"pass {passed:,}"])
