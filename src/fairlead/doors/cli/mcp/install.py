"""`fairlead mcp install`: the door before every server that a client starts."""

from __future__ import annotations

import difflib

import click

from fairlead.doors.cli.given.servers import CLIENT
from fairlead.doors.cli.mcp.door_command import door_command, mcp_site, place_door
from fairlead.doors.cli.output import Session, count, note, say
from fairlead.doors.mcp.setup.clients import Scope, ServerFile, clients_named, files_of
from fairlead.doors.mcp.setup.files import Changed, planned, variables_path, wrap_file
from fairlead.doors.mcp.setup.ledger import ledger_at
from fairlead.errors import FairleadError, SettingsError


@click.command("install")
@click.argument("clients", nargs=-1, type=CLIENT)
@click.option("--project", "scope", flag_value="project", help="The files of this project, not your own.")
@click.option("--user", "scope", flag_value="user", default=True, help="Your own files (the default).")
@click.option("--dry-run", is_flag=True, help="Show the changes, and make none.")
@click.option("--in-place", is_flag=True, help="As with `fairlead install`: for work on Fairlead itself.")
@click.pass_obj
def command(
    session: Session, clients: tuple[str, ...], *, scope: Scope, dry_run: bool, in_place: bool
) -> int:
    """Put the door before the servers of CLIENTS: by default, of all whose files are there.

    Of an entry, the command and the beginning of its arguments change, and nothing else: comments, order,
    layout, placeholders and all other keys stay. A copy of each file is kept beside it, and `fairlead mcp
    uninstall` gives every byte back. A server gets the usual variables and those that its entry names. Run
    it again when servers were added, renamed or given more variables.

    \b
    Examples:
      fairlead mcp install --dry-run
      fairlead mcp install claude-desktop vscode
      fairlead mcp install --project
    """
    site = mcp_site()
    found = list(files_of(clients_named(clients), site, scope))
    if not found:
        raise FairleadError(
            f"no file with MCP servers was found {'in this project' if scope == 'project' else 'here'}",
            hint="docs/mcp.md lists the files of each client, and how to wrap a server by hand",
        )
    if not dry_run:
        place_door(session, in_place=in_place)
    broken = 0
    for file in found:
        try:
            _show(session, file) if dry_run else _make(session, file)
        except SettingsError as error:
            broken += 1
            note(f"{file.client.title}: {error}")
    if scope == "project" and not dry_run:
        note("these files name a path on this machine: keep them out of version control")
    return 1 if broken else 0


def _make(session: Session, file: ServerFile) -> None:
    change = wrap_file(file, ledger_at(session.places), door_command(session))
    servers = change.config.servers
    started = sum(server.launch is not None for server in servers)
    if not servers:
        return
    state = "wrapped" if change.anything else "unchanged"
    say(f"{file.client.id:<14} {state:<9}  {count(started, 'server')}  {file.path}")
    _remarks(change)
    if change.anything and file.client.note:
        note(f"{file.client.title}: {file.client.note}")


def _remarks(change: Changed) -> None:
    """What stays as it is, and what the servers may miss."""
    for server in change.config.servers:
        if server.launch is None:
            note(f"{server.name} is an address and stays as it is: its calls pass no door")
            continue
        path = variables_path(change.file, server)
        if "${" in path:
            note(f"{server.name}: {path} cannot be found from here; add `--env NAME` for what it needs of it")


def _show(session: Session, file: ServerFile) -> None:
    change = planned(file, door_command(session))
    if not change.anything:
        return
    lines = difflib.unified_diff(
        change.before.decode().splitlines(keepends=True),
        change.after.decode().splitlines(keepends=True),
        file.path,
        f"{file.path} (wrapped)",
    )
    for line in lines:
        say(line.rstrip("\n"))
