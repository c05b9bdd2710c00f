"""`fairlead fleet privacy`: what of this machine's calls leaves it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator

import click

from fairlead.doors.cli.output import Session, count, note, say, show_json, tell
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.doors.fleet.in_force import InForce, what_is_in_force
from fairlead.doors.fleet.journals import UserJournal, journals_of
from fairlead.fleet.enrolment import Enrolment, read_enrolment
from fairlead.fleet.telling.leaving import Json, Origin, message_of
from fairlead.fleet.telling.privacy import ALWAYS, DEFAULT_FIELDS, MORE_FIELDS, Privacy
from fairlead.journal.reader import read_lines

NEVER = (
    "prompts",
    "contents of files",
    "results of tools",
    "environments",
    "transcripts",
    "names of homes",
    "names of people",
)


@click.command()
@click.option(
    "--last", type=click.IntRange(0, 1000), default=0, metavar="N", help="Show it for the last N lines."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, *, last: int, as_json: bool) -> int:
    """Show what the fleet gets of each call here, and what it never gets.

    With --last, for lines of your own journal: the very messages that leave.

    \b
    Examples:
      fairlead fleet privacy
      fairlead fleet privacy --last 3
    """
    enrolment, rules = read_enrolment(session.places), what_is_in_force(session.places)
    shown = [
        message
        for journal in journals_of(session.places)
        if last
        for message in _messages(journal, enrolment, rules, last)
    ]
    if as_json:
        show_json({**_said(enrolment, rules), "messages": shown})
        return 0
    _tell(enrolment, rules)
    for message in shown:
        say()
        say(json.dumps(message, indent=2))
    if last and not shown:
        note("there is no line in the journal yet")
    return 0


def _messages(journal: UserJournal, enrolment: Enrolment | None, rules: InForce, last: int) -> Iterator[Json]:
    machine, group = (enrolment.machine, enrolment.group) if enrolment else ("(none)", "(none)")
    origin = Origin(machine, group, journal.user, (journal.home,), rules.version, rules.sha256)
    kept = deque((line.record for line in read_lines(journal.folder) if line.record), maxlen=last)
    for record in kept:
        try:
            yield message_of(record, rules.privacy, origin)
        except ValueError:
            continue


def _said(enrolment: Enrolment | None, rules: InForce) -> dict[str, object]:
    privacy = rules.privacy
    return {
        "machine": enrolment.machine if enrolment else None,
        "group": enrolment.group if enrolment else None,
        "sent": bool(enrolment and enrolment.decisions),
        "bundle": {"version": rules.version, "sha256": rules.sha256} if rules.version else None,
        "fields": [*ALWAYS, *_sent(privacy)],
        "left_out": [name for name in (*DEFAULT_FIELDS, *MORE_FIELDS) if name not in privacy.fields],
        "commands": list(privacy.commands),
        "paths": list(privacy.paths),
        "pseudonyms": bool(privacy.people),
        "never": list(NEVER),
        "problems": list(rules.problems),
    }


def _sent(privacy: Privacy) -> list[str]:
    return [name for name in (*DEFAULT_FIELDS, *MORE_FIELDS) if name in privacy.fields]


def _tell(enrolment: Enrolment | None, rules: InForce) -> None:
    privacy = rules.privacy
    if enrolment is None:
        tell(
            "This machine belongs to no fleet: nothing leaves it. In one that says nothing of it, this would:"
        )
    elif not enrolment.decisions:
        tell(
            f"Nothing leaves this machine: {enrolment.path} does not say `decisions: true`. Else this would:"
        )
    else:
        by = f"by bundle {rules.version}" if rules.version else "by default, as there is no bundle yet"
        tell(f"{enrolment.machine} sends a message for each line of the journal to {enrolment.group}, {by}:")
    people = (
        "pseudonyms made with the fleet's key"
        if privacy.people
        else "left out: the bundle has no key for them"
    )
    rows = [
        ("always", ", ".join(ALWAYS)),
        ("fields", ", ".join(_sent(privacy)) or "none"),
        ("people", people),
        ("commands", f"of {', '.join(privacy.commands)}, without secrets" if privacy.commands else "none"),
        ("paths", f"of {', '.join(privacy.paths)}, within the project" if privacy.paths else "none"),
        ("never", ", ".join(NEVER)),
    ]
    for line in fields(rows):
        say(line)
    if rules.problems:
        note(f"{count(len(rules.problems), 'problem')} in the bundle: {'; '.join(rules.problems)}")
