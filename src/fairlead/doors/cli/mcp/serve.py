"""`fairlead mcp -- COMMAND…` and `fairlead mcp --url URL`: the door itself, in front of a server."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairlead.doors.cli.output import Session
from fairlead.doors.mcp.door import GRACE, Entry, default_name, run
from fairlead.errors import FairleadError, UsageError

if TYPE_CHECKING:
    from fairlead.doors.mcp.http.door import RemoteEntry

F = TypeVar("F", bound=Callable[..., Any])
_SHORTEST = 16


def _options_of_urls(command: F) -> F:
    options = (
        click.option("--url", metavar="URL", help="The server answers at this address, not as a program."),
        click.option("--header", "headers", metavar="NAME=VALUE", multiple=True, help="Sent to URL."),
        click.option(
            "--header-env",
            "header_variables",
            metavar="NAME=VARIABLE",
            multiple=True,
            help="The same, with the value of a variable: a command line can be seen by everybody.",
        ),
        click.option("--insecure-http", is_flag=True, help="Allow http: to another machine."),
        click.option("--listen", metavar="WHERE", help="Serve at 127.0.0.1:PORT or unix:PATH, not on stdin."),
        click.option("--token-env", metavar="VARIABLE", help="The bearer of --listen.  [default: a file]"),
        click.option(
            "--allow-origin", "origins", metavar="ORIGIN", multiple=True, help="Whose pages may call."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(name="serve", context_settings={"allow_interspersed_args": False})
@click.option(
    "--name", metavar="N", help="What the client calls this server.  [default: its program or host]"
)
@click.option("--env", "listed", metavar="NAME", multiple=True, help="Give the server this variable, too.")
@click.option(
    "--grace",
    type=click.FloatRange(min=0),
    default=GRACE,
    show_default=True,
    help="Seconds to end in, after stdin is closed and after SIGTERM.",
)
@_options_of_urls
@click.argument("vector", metavar="[COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def command(
    session: Session,
    /,
    *,
    name: str | None,
    listed: tuple[str, ...],
    grace: float,
    vector: tuple[str, ...],
    url: str | None,
    **remote: Any,
) -> int:
    """Start COMMAND as a server, or call the one at URL, and judge what passes."""
    if (url is None) == (not vector):
        raise UsageError("a door has one server", hint="fairlead mcp --name N -- COMMAND..., or --url URL")
    if url is not None:
        return _call(session, url, name, grace, **remote)
    entry = Entry(
        name=name or default_name(vector), vector=vector, listed=listed, grace=grace, home=session.home
    )
    return run(entry)


def _call(
    session: Session,
    url: str,
    name: str | None,
    grace: float,
    *,
    headers: tuple[str, ...],
    header_variables: tuple[str, ...],
    insecure_http: bool,
    **served: Any,
) -> int:
    from fairlead.doors.mcp.http.address import address_of, headers_of
    from fairlead.doors.mcp.http.door import RemoteEntry, run_on_stdio

    address = address_of(url, insecure=insecure_http)
    entry = RemoteEntry(
        name=name or address.host,
        url=url,
        address=address,
        headers=headers_of(headers, header_variables, os.environ),
        grace=grace,
        home=session.home,
    )
    return run_on_stdio(entry) if served["listen"] is None else _serve(entry, **served)


def _serve(entry: RemoteEntry, *, listen: str, token_env: str | None, origins: tuple[str, ...]) -> int:
    try:
        from fairlead.doors.mcp.http.listener import serving
    except ImportError as error:
        hint = "install it: pip install 'fairlead[ui]'"
        raise FairleadError(f"--listen needs {error.name}", hint=hint) from error
    from fairlead.doors.mcp.http.listener.where import where_of

    token = os.environ.get(token_env, "") if token_env else ""
    if token_env and len(token) < _SHORTEST:
        hint = f"at least {_SHORTEST} letters that nobody can guess"
        raise UsageError(f"the variable {token_env} holds no bearer", hint=hint)
    return serving.listen(entry, where_of(listen), token=token, origins=origins)
