"""`fairlead explain`: one recorded call, and why it was decided so."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from fairlead.doors.cli.output import Session, painted, say, show_json
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.reader import find, last
from fairlead.model.decision import DECISION_WORDS, Decision


@click.command(name="explain")
@click.argument("wanted", metavar="[ID]", required=False)
@click.option("--last", "latest", is_flag=True, help="The call that was answered last.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole record as JSON.")
@click.pass_obj
def command(session: Session, wanted: str | None, *, latest: bool, as_json: bool) -> int:
    """Show one recorded call: what was asked, what every hook said, and what the agent was told.

    ID is the id of a journal line, or the beginning or the end of one.

    \b
    Examples:
      fairlead explain --last
      fairlead explain 01KA4Z --json
    """
    if bool(wanted) == latest:
        raise UsageError("give an ID or --last", hint="`fairlead explain --last` shows the newest call")
    directory = os.path.join(session.places.state, "journal")
    record: Mapping[str, Any] | None = find(directory, wanted) if wanted else last(directory)
    if record is None:
        what = f"no call {wanted!r}" if wanted else "no call"
        raise FairleadError(f"there is {what} in {directory}", hint="has an agent called Fairlead yet?")
    if as_json:
        show_json(record)
    else:
        _show(record)
    return 0


def _show(record: Mapping[str, Any]) -> None:
    verdict = record["verdict"]
    say(f"{_painted(verdict['decision'])}  {record['agent']} {record['native_event']}  {_asked(record)}")
    if verdict.get("reason"):
        say(f"  reason    {verdict['reason']}")
    if verdict.get("rule"):
        say(f"  rule      {verdict['rule']}")
    say(f"  when      {record['ts']}   id {record['id']}")
    say(f"  session   {record['session'] or '-'}   project {record['root'] or '-'}")
    for outcome in record["outcomes"]:
        _show_outcome(outcome)
    if record.get("degraded"):
        say(f"  degraded  {record['degraded']}")
    rendered = record.get("rendered") or {}
    say(f"  told      exit {rendered.get('exit')}")
    for stream in ("stdout", "stderr"):
        if rendered.get(stream):
            say(f"            {stream}: {rendered[stream].strip()}")
    say(f"  took      {record['ms']} ms, policy {record['policy'] or '-'}")


def _show_outcome(outcome: Mapping[str, Any]) -> None:
    say(f"  hook      {outcome['hook']} ({outcome['type']}): {outcome['decision']}, {outcome['ms']} ms")
    if outcome.get("reason") and outcome["decision"] not in ("continue", "allow"):
        say(f"            {outcome['reason']}")
    for piece in outcome.get("evidence") or ():
        say(f"            `{piece.get('text', '')}` {piece.get('detail', '')}".rstrip())
    if outcome.get("failure"):
        say(f"            failure: {outcome['failure'].get('message')}")


def _asked(record: Mapping[str, Any]) -> str:
    facts = record.get("facts") or {}
    shown = facts.get("command") or facts.get("url") or ", ".join(_paths(facts)) or facts.get("tool") or ""
    return str(shown)


def _paths(facts: Mapping[str, Any]) -> list[str]:
    return [
        str(path.get("path")) if isinstance(path, Mapping) else str(path) for path in facts.get("paths") or ()
    ]


def _painted(word: str) -> str:
    return painted(DECISION_WORDS.get(word, Decision.CONTINUE), word)
