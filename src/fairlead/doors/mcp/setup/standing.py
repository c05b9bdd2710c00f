"""How the servers of the clients stand: which have the door, which lost it, and which cannot be started."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from enum import StrEnum

from fairlead.doors.mcp.setup.clients import ServerFile, Site, files_of, known_clients
from fairlead.doors.mcp.setup.files import files_in, look_into, names_for
from fairlead.doors.mcp.setup.launches import Head, Server, calls_an_address, head_of
from fairlead.doors.mcp.setup.ledger import ServerLedger
from fairlead.doors.mcp.setup.wrapping import wanted_head
from fairlead.errors import SettingsError
from fairlead.model.value import Value


class State(StrEnum):
    WRAPPED = "wrapped"
    UNWRAPPED = "unwrapped"
    REMOTE = "remote"
    """It is an address, which is called without the door."""
    CHANGED = "changed"
    """It lost the door since it was set up, or what the door was told no longer fits the entry."""
    DEAD = "dead"
    """A program is missing, so that the client cannot start it."""
    UNREADABLE = "unreadable"


FAULTS = (State.CHANGED, State.DEAD, State.UNREADABLE)


class Row(Value):
    """One server; or a whole file that cannot be read, which has no server."""

    file: ServerFile
    server: str
    state: State
    detail: str = ""

    def as_json(self) -> dict[str, str]:
        return {
            "client": self.file.client.id,
            "scope": self.file.scope,
            "server": self.server,
            "state": str(self.state),
            "detail": self.detail,
            "path": self.file.path,
        }


def every_file(site: Site, ledger: ServerLedger) -> list[ServerFile]:
    """Of the user and of this project, and wherever else the door was put in."""
    clients = list(known_clients().values())
    found = [*files_of(clients, site, "user"), *files_of(clients, site, "project")]
    known = [file for file in files_in(ledger, site.project) if os.path.lexists(file.path)]
    return list({file.path: file for file in [*known, *found]}.values())


def standings(site: Site, ledger: ServerLedger, command: Sequence[str]) -> Iterator[Row]:
    for file in every_file(site, ledger):
        try:
            _, config = look_into(file)
        except SettingsError as error:
            yield Row(file, "", State.UNREADABLE, error.message)
            continue
        known = ledger.files.get(file.path)
        for server in config.servers:
            had = known is not None and server.pointer in known.servers
            state, detail = _state(file, server, command, had=had)
            yield Row(file, server.name, state, detail)


def _state(file: ServerFile, server: Server, command: Sequence[str], *, had: bool) -> tuple[State, str]:
    head = head_of(server.launch.words) if server.launch is not None else None
    if server.launch is not None and calls_an_address(server.launch.words):
        return State.WRAPPED, "at an address"
    if server.launch is None or head is None:
        if had:
            return State.CHANGED, "the door was taken away since `fairlead mcp install`"
        return (State.UNWRAPPED, "") if server.launch is not None else (State.REMOTE, server.url)
    missing = next(_missing(head.program, server.launch.words[head.length]), "")
    if missing:
        return State.DEAD, missing
    misfit = _misfit(file, server, head, command)
    return (State.CHANGED, misfit) if misfit else (State.WRAPPED, "")


def _missing(door: str, program: str) -> Iterator[str]:
    for each in (door, program):
        if "$" in each or "{" in each or (os.sep in each and not os.path.isabs(each)):
            continue  # only the client knows what that is
        if shutil.which(each) is None:
            yield f"{each} is missing" if os.sep in each else f"{each} is not on the path here"


def _misfit(file: ServerFile, server: Server, head: Head, command: Sequence[str]) -> str:
    home = list(command[2:3])
    if [head.program, head.home] != [command[0], *(home or [""])]:
        return f"its door is {head.program}, another one than {command[0]}"
    if head.name != server.name:
        return f"its door calls it {head.name!r}"
    names = names_for(file)(server)
    lost = [name for name in names if name not in head.environment]
    if lost:
        return f"its door does not pass on {', '.join(lost)}"
    assert server.launch is not None
    fits = list(server.launch.words[: head.length]) == wanted_head(server, head, command, names)
    return "" if fits else "its door is told more than it knows"


def summary(rows: Sequence[Row]) -> str:
    """`3 wrapped, 1 unwrapped`."""
    states = [row.state for row in rows]
    return ", ".join(f"{states.count(state)} {state}" for state in State if state in states)
