"""`fairlead replay`: what another policy would have decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import Session, count, painted, say, say_lines, show_json
from fairlead.doors.cli.presentation.calls import SHORT_ID
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.words import printable, shown_decision
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.history import filters, note_left_out, query_of
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.doors.hook.replay import Change, Replay, Replayed
from fairlead.model.value import Value
from fairlead.store.entry import summary_of

_EXAMPLES = 5
_SHOWN = (Change.ALLOWED, Change.BLOCKED, Change.ASKED, Change.OTHER_RULE, Change.UNDECIDABLE)
_FAILS = {
    "any": (Change.ALLOWED, Change.BLOCKED, Change.ASKED),
    "loosened": (Change.ALLOWED,),
    "tightened": (Change.BLOCKED, Change.ASKED),
    "never": (),
}


class Report(Value):
    """How many calls came to what, by rule, with examples of each."""

    counts: Counter[Change]
    rules: Counter[tuple[Change, str]]
    examples: Mapping[Change, Sequence[tuple[Replayed, str]]]

    def as_json(self) -> dict[str, object]:
        return {
            "counts": {str(change): number for change, number in self.counts.items()},
            "rules": [
                {"change": str(change), "rule": rule, "calls": number}
                for (change, rule), number in self.rules.most_common()
            ],
            "examples": [
                {
                    "id": each.id,
                    "change": str(change),
                    "was": each.was.word,
                    "was_rule": each.was_rule,
                    "now": each.now.word,
                    "now_rule": each.now_rule,
                    "would": each.would,
                    "why": each.why,
                    "summary": summary,
                }
                for change, found in self.examples.items()
                for each, summary in found
            ],
        }


@click.command()
@filters
@click.option(
    "--policy", "policies", type=FOLDER, metavar="DIR", multiple=True, help="Add a policy root to today's."
)
@click.option(
    "-n", "--limit", type=click.IntRange(0), default=0, help="At most so many calls, the oldest; 0 for all."
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=_EXAMPLES,
    show_default=True,
    help="How many examples of each change.",
)
@click.option(
    "--fail-on", type=OneOf("such change", _FAILS), default="any", show_default=True, help="For exit code 1."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_obj
def command(
    session: Session,
    /,
    *,
    policies: tuple[str, ...],
    limit: int,
    examples: int,
    fail_on: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Judge recorded calls again, by today's policy or another, and show what would be otherwise.

    Nothing is run and nothing is recorded: built-in hooks judge anew, and what hooks with code of their own
    said at the time counts again. What cannot be decided from the record is listed apart. Exit code 1 if
    calls would be decided otherwise.

    \b
    Examples:
      fairlead replay --since 7d
      fairlead replay --policy policies/strict --fail-on loosened
    """
    query = query_of(options, limit=limit or -1)
    replay = Replay(session.places, policies)
    with index_reader(session) as reader:
        total, left_out = reader.count(query), reader.left_out(query)
        report = _run(replay, reader.records(query), total, examples)
    if as_json:
        show_json(report.as_json())
    else:
        _show(report)
    note_left_out(left_out)
    return 1 if any(report.counts[change] for change in _FAILS[fail_on]) else 0


def _run(replay: Replay, records: Iterable[Mapping[str, object]], total: int, examples: int) -> Report:
    counts: Counter[Change] = Counter()
    rules: Counter[tuple[Change, str]] = Counter()
    kept: dict[Change, list[tuple[Replayed, str]]] = {change: [] for change in _SHOWN}
    with progress("replaying", total=total) as told:
        for record in told.over(records):
            found = replay.judge(record)
            counts[found.change] += 1
            if found.change is Change.SAME:
                continue
            rules[found.change, _rule(found)] += 1
            if len(kept[found.change]) < examples:
                facts = record.get("facts")
                kept[found.change].append((found, summary_of(facts if isinstance(facts, dict) else {})))
    return Report(counts, rules, kept)


def _rule(found: Replayed) -> str:
    """The rule that makes the difference: the new one where it tightens, the old one where it loosens."""
    if found.change is Change.UNDECIDABLE:
        return found.why
    return (found.was_rule if found.change is Change.ALLOWED else found.now_rule) or "no rule"


def _show(report: Report) -> None:
    total = sum(report.counts.values())
    say(f"{count(total, 'call')}: {report.counts[Change.SAME]:,} decided the same")
    for change in _SHOWN:
        if not report.counts[change]:
            continue
        say()
        say(click.style(f"{change}: {report.counts[change]:,}", bold=True))
        for (kind, rule), number in report.rules.most_common():
            if kind is change:
                say(f"  {number:6,} x {rule}")
        for found, summary in report.examples[change]:
            was, now = (
                painted(found.was, shown_decision(found.was)),
                painted(found.now, shown_decision(found.now)),
            )
            audit = f" (audit: would {found.would})" if found.would else ""
            say(f"         {was} -> {now}{audit}  {found.id[-SHORT_ID:]}")
            say_lines(paragraph(printable(summary), first="           "))
