"""`fairlead fleet dashboard`: the fleet in a browser."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.bundle.online import CREDENTIALS, TLS_CA
from fairlead.doors.cli.fleet.centre.collect import database_address
from fairlead.doors.cli.fleet.centre.expected import EXPECTED
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.fleet.publishers import Target
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.human import require_human

if TYPE_CHECKING:
    from fairlead.doors.fleet.approvals.board import OpenQuestions
    from fairlead.doors.fleet.board.centre import Centre
    from fairlead.doors.fleet.board.published import Published

_BROKERS = ("nats", "tls")


@click.command()
@click.option(
    "--database", metavar="URL", help="postgresql://... or sqlite:PATH; else FAIRLEAD_FLEET_DATABASE."
)
@EXPECTED
@click.option("--source", default="", metavar="ADDRESS", help="Where bundles are, and questions.")
@CREDENTIALS
@TLS_CA
@click.option("--roles", type=FILE, default="", metavar="FILE", help="Whose word about rollouts counts.")
@click.option("--key", type=FILE, default="", metavar="FILE", help="Your private key, to answer questions.")
@click.option("--yes", is_flag=True, help="With --key: do not ask; a human must still be there.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one if not given.")
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def command(
    session: Session,
    *,
    database: str | None,
    expected: str,
    source: str,
    credentials: str,
    tls_ca: str,
    roles: str,
    key: str,
    yes: bool,
    port: int,
    opened: bool,
) -> int:
    """Show the fleet in a browser, on this machine alone: its machines, decisions and alarms. Ctrl-C ends it.

    It reads what `fairlead fleet collect` wrote. The address works once, for the browser that opens it.

    With --expected, machines that were never heard of are shown, and those that nobody expects. With
    --source, what is published for each group, checked by --roles; from a broker, also the questions that
    wait for a person. With --key you answer them there, which needs a human here and the credentials of an
    approver.

    \b
    Examples:
      fairlead fleet dashboard --database postgresql://fleet@db/fleet --expected machines.txt --open
      fairlead fleet dashboard --database sqlite:fleet.sqlite3 --source nats://127.0.0.1:4222 \\
        --credentials approver --roles roles.json --key ana.key
    """
    _require_packages()
    from fairlead.doors.fleet.board.centre import Centre
    from fairlead.doors.fleet.centre.expected import Expected
    from fairlead.doors.fleet.collecting.database import open_database
    from fairlead.doors.fleet.collecting.store import Store

    target = Target(source, credentials, tls_ca)
    published = _published(target, roles)
    listed, store = Expected(expected), Store(open_database(database_address(database)))
    with ExitStack() as closing:
        asked = _questions(session, target, key, yes=yes)
        if asked is not None:
            closing.callback(asked.close)
        _serve(Centre(store.database, listed, published, asked), port, opened=opened)
    return 0


def _require_packages() -> None:
    try:
        import fairlead.doors.fleet.board.server  # noqa: F401 - what it needs is there, or is named
    except ImportError as error:
        raise FairleadError(
            f"the dashboard needs {error.name}", hint="install it: pip install 'fairlead[ui]'"
        ) from error


def _serve(centre: Centre, port: int, *, opened: bool) -> None:
    """Until interrupted."""
    from fairlead.doors.dashboard.server import listen, serve
    from fairlead.doors.fleet.board.server import make_app

    try:
        listening = listen(port)
    except OSError as error:
        hint = "leave --port out"
        raise FairleadError(f"port {port} cannot be used: {error.strerror}", hint=hint) from error
    number = listening.getsockname()[1]
    gate = make_app(centre, number)
    address = f"http://127.0.0.1:{number}/?token={gate.token}"
    say(address)
    note(f"of {centre.database.shown}; Ctrl-C ends it")
    if opened:
        click.launch(address)
    serve(gate, listening)


def _published(target: Target, roles: str) -> Published | None:
    """What is published there, where an address was given. Raises UsageError."""
    if not target.address:
        if roles:
            raise UsageError("--roles checks what --source has", hint="give --source ADDRESS, too")
        return None
    from fairlead.doors.fleet.board.published import Published
    from fairlead.fleet.bundles.roles import read_roles
    from fairlead.fleet.bundles.rotation import read_signed_roles

    believed = read_roles(read_signed_roles(bytes_of(roles)).content) if roles else None
    return Published(target, believed)


def _questions(session: Session, target: Target, key: str, *, yes: bool) -> OpenQuestions | None:
    """What waits at a broker. Raises TrustError where a key is given and no human is there."""
    if target.scheme not in _BROKERS:
        if key:
            raise UsageError(
                "questions come from a broker", hint="--source nats://host:4222, or leave --key out"
            )
        return None
    from fairlead.doors.bus.connection import Broker
    from fairlead.doors.fleet.approvals.board import OpenQuestions
    from fairlead.fleet.bundles.signing import read_key

    mine = read_key(key) if key else None
    if mine is not None:
        require_human(session.places, "open a dashboard that answers for you", yes=yes)
    broker = Broker(target.address, target.credentials, target.tls_ca, name="fairlead dashboard").checked()
    return OpenQuestions(broker, session.places, mine)
