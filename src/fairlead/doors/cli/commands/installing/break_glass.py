"""`fairlead break-glass`: the way out where nothing else works, for a person with a code or a telephone."""

from __future__ import annotations

import os
import sys

import click

from fairlead.doors.cli.output import Session, note, say_lines, show_json
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass.break_glass import MINUTES, Breaking, Limits, break_glass
from fairlead.fleet.glass.challenge import (
    Kept,
    Membership,
    break_by_answer,
    make_challenge,
)
from fairlead.fleet.glass.limits import read_limits
from fairlead.fleet.membership import membership_here
from fairlead.policy.glass.challenges import NOBODY, ROWS, WAITS, is_answer, typed_row
from fairlead.policy.human import Terminal, refuse_agents
from fairlead.policy.off import read_off
from fairlead.policy.person.processes import lineage
from fairlead.policy.places import Places

_LONGEST_LINE = 256


@click.command(name="break-glass")
@click.argument("code", required=False)
@click.option("--reason", metavar="TEXT", help="What is broken, and who knows of it.")
@click.option(
    "--minutes", type=click.IntRange(1, 1440), metavar="N", help="How long; a policy says how long at most."
)
@click.option("--challenge", is_flag=True, help="Show what to read out to somebody with a key for answers.")
@click.option("--json", "as_json", is_flag=True, help="The challenge as JSON.")
@click.pass_obj
def command(
    session: Session,
    *,
    code: str | None,
    reason: str | None,
    minutes: int | None,
    challenge: bool,
    as_json: bool,
) -> int:
    """Switch Fairlead off for a while, also where `fairlead off` is forbidden.

    It needs no broker, no daemon, no right clock and no right of root. With a one-time CODE, which whoever
    keeps the printed list reads out; or with the answer to a challenge, which somebody at the centre reads
    back. Without CODE it is asked for, so that no shell remembers it; `-` takes it from standard input. Each
    works once, for this user, and until this machine is started anew at the longest. The journal says who
    broke the glass and why before it breaks, and the fleet is told at the next contact. `fairlead on` ends
    it.

    \b
    Examples:
      fairlead break-glass --reason "the broker is down, Ana knows"
      fairlead break-glass --challenge --reason "release is stuck" --minutes 15
      fairlead break-glass                     # types the answer to it later
    """
    places = session.places
    refuse_agents("break the glass", list(lineage()), os.environ)
    limits = read_limits(places)
    minutes = min(MINUTES, limits.minutes) if minutes is None else minutes
    if challenge:
        return _by_challenge(places, Breaking("", reason or "", minutes), limits, as_json=as_json)
    if code and code != "-":
        note("What is given as CODE stays in the history of the shell; without it, it is asked for.")
    text = _typed(code)
    if is_answer(text):
        break_by_answer(places, text, limits)
    else:
        break_glass(places, Breaking(text, reason or "", minutes, _machine(places)), limits)
    return _told(places)


def _by_challenge(places: Places, wanted: Breaking, limits: Limits, *, as_json: bool) -> int:
    kept = make_challenge(places, wanted, limits, _membership(places))
    asked = kept.challenge.asked
    if as_json:
        names = ("machine", "group", "bundle", "user", "minutes")
        show_json({**{name: getattr(asked, name) for name in names}, "challenge": asked.code})
        return 0
    _show(kept)
    terminal = Terminal()
    if not terminal.available():
        note(f"`fairlead break-glass` takes the answer within {WAITS // 60} minutes")
        return 0
    break_by_answer(places, _rows(terminal), limits)
    return _told(places)


def _show(kept: Kept) -> None:
    """What is read out, in the order in which the other side types it."""
    asked = kept.challenge.asked
    note("Read this out to somebody with a key for answers:")
    told = [("machine", asked.machine), ("group", asked.group), ("bundle", str(asked.bundle))]
    told += [("user", asked.user), ("minutes", str(asked.minutes)), ("challenge", asked.code)]
    say_lines(fields([(name, printable(value)) for name, value in told]))


def _rows(terminal: Terminal) -> str:
    """Row by row, so that a slip is named while the other person is still there."""
    rows: list[str] = []
    while len(rows) < ROWS:
        line = terminal.ask(f"Answer, row {len(rows) + 1} of {ROWS}: ")
        if not line:
            raise UsageError("no answer was typed", hint="`fairlead break-glass` takes it later")
        try:
            rows.append(typed_row(line, len(rows)))
        except UsageError as error:
            note(error.message)
    return " ".join(rows)


def _told(places: Places) -> int:
    off = read_off(places)
    if off is None:
        raise FairleadError(
            "the glass was broken, and is whole again", hint="did somebody run `fairlead on`?"
        )
    note(f"Fairlead is off {off.words()}; `fairlead on` ends that")
    return 0


def _typed(code: str | None) -> str:
    if code == "-":
        return sys.stdin.readline(_LONGEST_LINE)
    if code:
        return code
    terminal = Terminal()
    if not terminal.available():
        raise UsageError(
            "there is no terminal to type the code at", hint="pipe it in: fairlead break-glass -"
        )
    return terminal.ask_secret("Code or answer: ")


def _machine(places: Places) -> str:
    """Empty where it is not known: then codes for the whole group still work."""
    try:
        enrolment = read_enrolment(places)
    except FairleadError as error:
        note(f"the enrolment cannot be read, so a code for this machine alone is not known: {error.message}")
        return ""
    return enrolment.machine if enrolment else ""


def _membership(places: Places) -> Membership:
    """As far as it is known: what is broken may be just that."""
    try:
        return membership_here(places)
    except FairleadError as error:
        note(
            f"the enrolment cannot be read, so the machine is {NOBODY!r} to whoever answers: {error.message}"
        )
        return Membership()
