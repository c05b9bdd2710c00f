"""`fairlead fleet answer-challenge`: an answer to read out to somebody who is locked out."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.doors.cli.presentation.words import printable
from fairlead.errors import UsageError
from fairlead.fleet.documents import NAME
from fairlead.fleet.glass.answer_keys import Said, answer, group_of
from fairlead.fleet.records import write_record
from fairlead.policy.glass.challenges import (
    MOST_MINUTES,
    NOBODY,
    WAITS,
    Asked,
    heard,
    spoken_answer,
    typed_challenge,
)
from fairlead.policy.human import require_human

RULE = "fleet/challenge-answered"
_WHAT = "ChallengeAnswered"


@click.command(name="answer-challenge")
@click.argument("challenge")
@click.option("--machine", required=True, metavar="M", help="Its name, as it was read out.")
@click.option("--user", required=True, metavar="NAME", help="Who is locked out.")
@click.option(
    "--bundle", type=click.IntRange(0), required=True, metavar="N", help="The version that was read out."
)
@click.option(
    "--minutes", type=click.IntRange(1, MOST_MINUTES), required=True, metavar="N", help="For how long."
)
@click.option("--reason", required=True, metavar="TEXT", help="For the records here.")
@click.option(
    "--keys", type=FILE, required=True, metavar="FILE", help="Yours, of `fairlead bundle answer-keys`."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(
    session: Session,
    challenge: str,
    *,
    machine: str,
    user: str,
    bundle: int,
    minutes: int,
    reason: str,
    keys: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Answer the CHALLENGE of somebody who is locked out and has called you.

    Be sure who is calling: call back at a number that you know. They read out the machine, the user, the
    bundle, the minutes and the challenge, as `fairlead break-glass --challenge` shows them; where one of
    them was misheard, nothing is signed. The answer switches Fairlead off there for that long, for that user,
    and does nothing anywhere else. It is noted here before it is shown.

    \b
    Example:
      fairlead fleet answer-challenge 7Q2M4-Z9KXA-4H1TW --machine m-4f2a91c07be3d855 --user alice \\
        --bundle 7 --minutes 30 --reason "Alice called back, release is stuck" --keys ana.answers
    """
    if machine != NOBODY and not NAME.fullmatch(machine):
        raise UsageError(f"{machine!r} is no name of a machine", hint="have it read out letter by letter")
    typed_challenge(challenge)
    said = "".join(letter if letter.isprintable() else " " for letter in reason).strip()
    if not said:
        raise UsageError("a reason is needed", hint='--reason "Alice called back, release is stuck"')
    group = NOBODY if machine == NOBODY else group_of(keys)
    asked = heard(challenge, Asked(machine, group, bundle, user, minutes, ""))
    whom = f"switch Fairlead off on {machine} for {user}, {minutes} minutes"
    require_human(session.places, printable(whom), yes=yes)
    about = f"{asked.code} of {user} on {machine}, for {minutes} minutes"
    write_record(session.places, what=_WHAT, rule=RULE, reason=f"an answer was given to {about}: {said}")
    _show(answer(keys, asked, reason=said), as_json=as_json)
    return 0


def _show(said: Said, *, as_json: bool) -> None:
    rows = spoken_answer(said.signature)
    if as_json:
        show_json({"answer": rows, "key": said.entry.name, "left": said.left, "again": said.again})
        return
    if said.again:
        note("This challenge was answered before, with the same answer:")
    note(f"Read this out within {WAITS // 60} minutes; it is the key {said.entry.name}:")
    for row in rows:
        say(row)
    note(f"Keys left in this file: {said.left}; take the line of {said.entry.name} out of the next bundle")
