"""`fairlead fleet answer`: a person's signed answer to a question of another machine."""

from __future__ import annotations

import asyncio
import time

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.fleet.people.desk_options import broker_from, broker_options
from fairlead.doors.cli.given.together import refuse_several
from fairlead.doors.cli.output import Session, note, say_lines
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.doors.fleet.approvals.answering import refuse_own, sign_answer
from fairlead.doors.fleet.approvals.desk import Desk, OpenAsk
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.signing import PrivateKey, read_key
from fairlead.fleet.moments import write_moment
from fairlead.fleet.questions.asks import COUNTED, DENIED, GRANTED, Closed
from fairlead.policy.human import require_human


@click.command(name="answer")
@click.argument("request", metavar="ID")
@click.option("--yes", is_flag=True, help="Let the call through, once.")
@click.option("--no", is_flag=True, help="Let the refusal stand.")
@click.option("--reason", required=True, metavar="TEXT", help="For the records of both machines.")
@click.option("--key", "key_file", required=True, metavar="FILE", help="Your private key for approvals.")
@broker_options
@click.pass_obj
def command(
    session: Session,
    request: str,
    *,
    yes: bool,
    no: bool,
    reason: str,
    key_file: str,
    source: str,
    credentials: str,
    tls_ca: str,
) -> int:
    """Answer the question with this ID, which `fairlead fleet asks` shows.

    What is signed names the question as it is shown here, byte for byte, and holds for one call in that
    session, once, and for no longer than the question waits. The machine checks the signature, and whether
    its policy lets you answer for this rule. Nobody answers for a machine of their own. Where the role
    `approval` has a threshold, so many people have to say yes; one no ends the question.

    \b
    Examples:
      fairlead fleet answer 4f2a91c07be3 --yes --reason "release day" --key ana.key
      fairlead fleet answer 4f2a91c07be3 --no --reason "not on a Friday" --key ana.key
    """
    refuse_several({"--yes": yes, "--no": no})
    if not yes and not no:
        raise UsageError("say what the answer is", hint="--yes, or --no")
    key = read_key(key_file)
    broker = broker_from(session, source, credentials, tls_ca)
    return asyncio.run(_answer(session, broker, request, key, yes=yes, reason=reason))


async def _answer(
    session: Session, broker: Broker, request: str, key: PrivateKey, *, yes: bool, reason: str
) -> int:
    async with Desk(broker) as desk:
        found = desk.board.find(request)
        refuse_own(session.places, found)
        _show(found)
        if yes:
            # the question was asked by the flag; the check is of who types it
            await asyncio.to_thread(require_human, session.places, "answer for somebody else", yes=True)
        await desk.send(found.about.machine, sign_answer(found, key, yes=yes, reason=reason, now=time.time()))
        return _told(await desk.outcome(found.about.request), found)


def _show(ask: OpenAsk) -> None:
    about = ask.about
    say_lines(paragraph(printable(f"{about.agent} on {about.machine} asks: {about.summary or about.tool}")))
    told = [("rule", about.rule), ("group", about.group), ("until", write_moment(about.expires))]
    say_lines(fields([(name, printable(value)) for name, value in told if value]))


def _told(closed: Closed | None, ask: OpenAsk) -> int:
    if closed is None:
        raise FairleadError(
            f"{ask.about.machine} has not said that it took the answer",
            hint="is its agent running? the answer waits for it on the broker; it can be given again",
        )
    if closed.state == COUNTED:
        note(f"counted: {printable(closed.by)}; somebody else has to say yes, too")
        return 0
    if closed.state not in (GRANTED, DENIED):
        raise FairleadError(f"{closed.machine} did not take it: {printable(closed.by)}")
    then = "may make this one call again now" if closed.state == GRANTED else "stays refused"
    note(f"{closed.state} by {printable(closed.by)}: the agent {then}")
    return 0
