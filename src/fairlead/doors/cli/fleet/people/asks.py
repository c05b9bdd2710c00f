"""`fairlead fleet asks`: the questions of all machines that wait for a person."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.fleet.people.desk_options import broker_from, broker_options
from fairlead.doors.cli.output import Session, note, say, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.fleet.approvals.desk import Desk, OpenAsk
from fairlead.fleet.questions.asks import Closed

SHOWN = 12
"""Of the id of a request: enough to name it."""
_COLUMNS = (
    Column("ID"),
    Column("MACHINE", spare=2),
    Column("AGENT", spare=1),
    Column("ASKED", right=True, spare=3),
    Column("WHAT", prose=True),
)


@click.command(name="asks")
@broker_options
@click.option("--follow", is_flag=True, help="Go on, and show what comes.")
@click.option("--json", "as_json", is_flag=True, help="As JSON; with --follow one line for each.")
@click.pass_obj
def command(
    session: Session, *, source: str, credentials: str, tls_ca: str, follow: bool, as_json: bool
) -> int:
    """Show what agents on other machines want to do, and wait for.

    `fairlead fleet answer ID` answers one of them. What nobody answers is a no.

    \b
    Examples:
      fairlead fleet asks
      fairlead fleet asks --follow --source tls://broker.example:4222 --credentials ana.nk
    """
    broker = broker_from(session, source, credentials, tls_ca)
    with suppress(KeyboardInterrupt):
        asyncio.run(_follow(broker, as_json) if follow else _list(broker, as_json))
    return 0


async def _list(broker: Broker, as_json: bool) -> None:
    async with Desk(broker) as desk:
        _show(desk.board.open(), as_json)


def _show(asks: Sequence[OpenAsk], as_json: bool) -> None:
    if as_json:
        show_json([each.as_json() for each in asks])
        return
    if asks:
        say_lines(table(_COLUMNS, [_cells(each, time.time()) for each in asks]))
    else:
        note("nothing waits for an answer")


def _cells(ask: OpenAsk, now: float) -> list[str]:
    about = ask.about
    what = f"{about.rule}  {about.summary}".strip() or about.tool
    cells = (about.request[:SHOWN], about.machine, about.agent, f"{ago(about.asked, now)} ago", what)
    return [printable(cell) for cell in cells]


async def _follow(broker: Broker, as_json: bool) -> None:
    async with Desk(broker) as desk:
        for each in desk.board.open():
            _tell(each, as_json)
        while not desk.news.empty():
            desk.news.get_nowait()  # what was asked before is shown already
        while True:
            _tell(await desk.news.get(), as_json)


def _tell(news: OpenAsk | Closed, as_json: bool) -> None:
    if isinstance(news, Closed):
        plain = {name: getattr(news, name) for name in Closed._fields}
        line = f"{news.request[:SHOWN]}  {news.machine}  {news.state}: {news.by}"
    else:
        plain = news.as_json()
        id_, machine, agent, _, what = _cells(news, time.time())
        line = f"{id_}  {machine}  {agent} asks: {what}"
    say(json.dumps(plain) if as_json else printable(line))
