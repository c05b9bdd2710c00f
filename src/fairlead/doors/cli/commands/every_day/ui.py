"""`fairlead ui`: the dashboard."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError
from fairlead.policy.human import require_human


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one if not given.")
@click.option("--writable", is_flag=True, help="Let the pages change hooks and answer questions.")
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@click.option("--yes", is_flag=True, help="With --writable: do not ask; a human must still be there.")
@click.pass_obj
def command(session: Session, *, port: int, writable: bool, opened: bool, yes: bool) -> int:
    """Show the journal in a browser, live, on this machine alone. Ctrl-C ends it.

    The address works once, for the browser that opens it. Pages only show, unless --writable is given,
    which needs a human.

    \b
    Examples:
      fairlead ui --open
      fairlead ui --writable --port 8484
    """
    try:
        from fairlead.doors.cli.checkup.health import health_of
        from fairlead.doors.dashboard.server import listen, make_app, serve
    except ImportError as error:
        raise FairleadError(
            f"the dashboard needs {error.name}", hint="install it: pip install 'fairlead[ui]'"
        ) from error
    if writable:
        require_human(session.places, "open a dashboard that can loosen", yes=yes)
    try:
        listening = listen(port)
    except OSError as error:
        raise FairleadError(
            f"port {port} cannot be used: {error.strerror}", hint="leave --port out"
        ) from error
    number = listening.getsockname()[1]
    root = git_root(os.getcwd())
    gate = make_app(session.places, root, number, writable=writable, health=lambda: health_of(session, root))
    address = f"http://127.0.0.1:{number}/?token={gate.token}"
    say(address)
    note(
        f"for Prometheus: http://127.0.0.1:{number}/metrics with `Authorization: Bearer {gate.scrape_token}`"
    )
    if opened:
        click.launch(address)
    serve(gate, listening)
    return 0
