"""`fairlead fleet notify-approvers`: tells a chat or anything else that a question waits."""

from __future__ import annotations

import asyncio
import signal

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.fleet.people.desk_options import broker_from, broker_options
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.given.together import refuse_several
from fairlead.doors.cli.output import Session, note
from fairlead.doors.fleet.approvals.desk import Desk, OpenAsk
from fairlead.doors.fleet.approvals.webhook import Teller
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.questions.approvals import KINDS, Webhook, read_approvals

_PATIENCE = 15.0


@click.command(name="notify-approvers")
@broker_options
@click.option("--webhook", default="", metavar="URL", help="Where to tell; else as the bundle says.")
@click.option(
    "--webhook-file", default="", metavar="FILE", help="The same, in a file: such addresses are secrets."
)
@click.option("--kind", type=OneOf("kind", KINDS), default="json", show_default=True, help="Who reads it.")
@click.option("--link", default="", metavar="URL", help="Where people answer, such as the fleet's dashboard.")
@click.pass_obj
def command(
    session: Session,
    *,
    source: str,
    credentials: str,
    tls_ca: str,
    webhook: str,
    webhook_file: str,
    kind: str,
    link: str,
) -> int:
    """Tell people of questions by a webhook, until it is ended.

    It informs and links, and never decides: what comes back is not read. At most 20 are told a minute. The
    address has to be https, or on this machine.

    \b
    Examples:
      fairlead fleet notify-approvers --webhook-file slack.url --kind slack --link http://127.0.0.1:8000/
    """
    refuse_several({"--webhook": webhook, "--webhook-file": webhook_file})
    if link and not link.startswith(("https://", "http://")):
        raise UsageError(f"{link!r} is no address", hint="--link https://board.example/")
    broker = broker_from(session, source, credentials, tls_ca)
    teller = Teller(_webhook(session, webhook or _in_file(webhook_file), kind), link=link)
    asyncio.run(_tell_all(broker, teller))
    return 0


def _in_file(path: str) -> str:
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(4096).strip()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _webhook(session: Session, url: str, kind: str) -> Webhook:
    if url:
        return Webhook(url, kind)
    in_force = Store(session.places.fleet).in_force()
    found = read_approvals(in_force.manifest.approvals).webhook if in_force else None
    if found is None:
        raise UsageError("no webhook is named", hint="give --webhook-file FILE")
    return found


async def _tell_all(broker: Broker, teller: Teller) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with Desk(broker) as desk:
        while not desk.news.empty():
            desk.news.get_nowait()
        for each in desk.board.open():
            desk.news.put_nowait(each)
        note(f"telling people of what is asked on {broker.shown}")
        while not stopped.is_set():
            news = await _next(desk, stopped)
            if isinstance(news, OpenAsk):
                await _tell(teller, news)


async def _next(desk: Desk, stopped: asyncio.Event) -> object:
    waits = [asyncio.ensure_future(each) for each in (stopped.wait(), desk.news.get())]
    done, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for each in left:
        each.cancel()
    return waits[1].result() if waits[1] in done else None


async def _tell(teller: Teller, ask: OpenAsk) -> None:
    try:
        told = await asyncio.wait_for(asyncio.to_thread(teller.tell, ask.about), _PATIENCE)
    except TimeoutError:
        note("the webhook does not answer")
    except FairleadError as error:
        note(error.message)
    else:
        if not told:
            note(f"too many at once: {teller.left_out} were not told")
