"""`fairlead mcp uninstall`, and what `fairlead uninstall --purge` does of it."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from fairlead.doors.cli.given.servers import CLIENT
from fairlead.doors.cli.mcp.door_command import mcp_site
from fairlead.doors.cli.output import Session, count, note, say
from fairlead.doors.mcp.setup.clients import ServerFile, clients_named
from fairlead.doors.mcp.setup.files import has_door, look_into, unwrap_file
from fairlead.doors.mcp.setup.ledger import ledger_at
from fairlead.doors.mcp.setup.standing import every_file
from fairlead.errors import SettingsError
from fairlead.policy.human import require_human


@click.command("uninstall")
@click.argument("clients", nargs=-1, type=CLIENT)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, clients: tuple[str, ...], *, yes: bool) -> int:
    """Take the door away from the servers of CLIENTS: by default, wherever it is.

    In your own files, in those of this project, and in every other that it was put into. A file that nobody
    has changed since is as it was, byte for byte; from one that was changed, only the door goes. Clients read
    their files when they start: start them anew.

    \b
    Examples:
      fairlead mcp uninstall
      fairlead mcp uninstall vscode
    """
    wanted = {client.id for client in clients_named(clients)}
    found = [file for file in wrapped_files(session) if file.client.id in wanted]
    if not found:
        note("no server has the door before it")
        return 0
    require_human(session.places, f"take the MCP door out of {count(len(found), 'file')}", yes=yes)
    return 0 if take_out(session, found) else 1


def wrapped_files(session: Session) -> list[ServerFile]:
    """Those with a door in them, and those that the ledger knows."""
    ledger = ledger_at(session.places)
    return [file for file in every_file(mcp_site(), ledger) if file.path in ledger.files or _holds_door(file)]


def _holds_door(file: ServerFile) -> bool:
    try:
        return any(map(has_door, look_into(file)[1].servers))
    except SettingsError:
        return False


def take_out(session: Session, found: Sequence[ServerFile]) -> bool:
    """Whether all of it went."""
    whole = True
    ledger = ledger_at(session.places)
    for file in found:
        try:
            unwrap_file(file, ledger)
            say(f"{file.client.id:<14} unwrapped  {file.path}")
        except SettingsError as error:
            whole = False
            note(f"{file.client.title}: {error}")
    for path in [path for path in ledger.files if not os.path.lexists(path)]:
        ledger.forget(path)
    return whole
