"""`fairlead fleet dashboard`: the fleet in a browser."""

from __future__ import annotations

import click

from fairlead.doors.cli.fleet.collect import database_address
from fairlead.doors.cli.output import note, say
from fairlead.errors import FairleadError


@click.command()
@click.option(
    "--database", metavar="URL", help="postgresql://... or sqlite:PATH; else FAIRLEAD_FLEET_DATABASE."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one if not given.")
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
def command(*, database: str | None, port: int, opened: bool) -> int:
    """Show the fleet in a browser, on this machine alone: its machines, decisions and alarms. Ctrl-C ends it.

    It reads what `fairlead fleet collect` wrote. The address works once, for the browser that opens it.

    \b
    Examples:
      fairlead fleet dashboard --database postgresql://fleet@db/fleet --open
      fairlead fleet dashboard --database sqlite:fleet.sqlite3 --port 8485
    """
    try:
        from fairlead.doors.dashboard.server import listen, serve
        from fairlead.doors.fleet.board.server import make_app
    except ImportError as error:
        raise FairleadError(
            f"the dashboard needs {error.name}", hint="install it: pip install 'fairlead[ui]'"
        ) from error
    from fairlead.doors.fleet.collecting.database import open_database
    from fairlead.doors.fleet.collecting.store import Store

    store = Store(open_database(database_address(database)))
    try:
        listening = listen(port)
    except OSError as error:
        raise FairleadError(
            f"port {port} cannot be used: {error.strerror}", hint="leave --port out"
        ) from error
    number = listening.getsockname()[1]
    gate = make_app(store.database, number)
    address = f"http://127.0.0.1:{number}/?token={gate.token}"
    say(address)
    note(f"of {store.database.shown}; Ctrl-C ends it")
    if opened:
        click.launch(address)
    serve(gate, listening)
    return 0
