"""The servers of MCP clients: whether those that had the door still have it, and whether the door holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from threading import Timer
from typing import IO, Any

from fairlead.doors.cli.checkup.canary import FORBIDDEN, HARMLESS
from fairlead.doors.cli.checkup.finding import Finding, Level, bad, note
from fairlead.doors.cli.mcp.door_command import door_command
from fairlead.doors.cli.mcp.status import mcp_rows
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.canaries import Canary, noted
from fairlead.doors.mcp.setup.canary_server import TOOL
from fairlead.doors.mcp.setup.ledger import ledger_at
from fairlead.doors.mcp.setup.standing import FAULTS, Row, State, summary
from fairlead.model.value import Value
from fairlead.policy.installed import recorded_interpreter

_PATIENCE = 60.0
_ID = "mcp"
_SERVER = "fairlead.doors.mcp.setup.canary_server"


def has_doors(session: Session) -> bool:
    return bool(ledger_at(session.places).files)


def look_at_servers(session: Session) -> Iterator[Finding]:
    """Quiet where nobody has put a door before anything."""
    if not has_doors(session):
        return
    rows = mcp_rows(session)
    for (client, path), group in groupby(rows, lambda row: (row.file.client.id, row.file.path)):
        yield from _file(client, path, list(group))
    yield from _door(session)


def _file(client: str, path: str, rows: Sequence[Row]) -> Iterator[Finding]:
    fix = f"fairlead mcp install {client}{' --project' if rows[0].file.scope == 'project' else ''}"
    faults = [row for row in rows if row.state in FAULTS]
    for row in faults:
        what = f"{client}: {row.server or 'the file'} is {row.state}: {row.detail}"
        why = "its calls pass no door" if row.state is State.CHANGED else "the client cannot use it"
        mended = f"mend {path} by hand" if row.state is State.UNREADABLE else fix
        level = Level.BAD if row.state is State.CHANGED else Level.NOTE
        yield Finding(_ID, what, level, why, mended)
    bare = [row.server for row in rows if row.state is State.UNWRAPPED]
    if bare:
        yield note(_ID, f"{client}: {', '.join(bare)} has no door: {path}", fix=fix)
    elif not faults:
        yield Finding(_ID, f"{client}: {summary(rows)} in {path}")


class Passage(Value):
    """What came of the two calls. `reached`: how many the server has had after a third one."""

    harmless: Mapping[str, Any]
    forbidden: Mapping[str, Any]
    reached: str

    @property
    def refusal(self) -> str:
        return _text(self.forbidden) if self.forbidden.get("isError") is True else ""


def _door(session: Session) -> Iterator[Finding]:
    """A harmless and a forbidden call to a server that does nothing, through the installed command."""
    fix = "fairlead install"
    try:
        found = _passage(session)
    except (OSError, ValueError, KeyError) as error:
        yield bad(_ID, f"the MCP door does not answer: {error}", why="no server behind it works", fix=fix)
        return
    yield finding_of(found)


def finding_of(found: Passage) -> Finding:
    explain = "fairlead explain --last --canaries"
    if found.reached != "2" or not found.refusal:
        what = f"a forbidden MCP call went through the door: {_text(found.forbidden)[:200]}"
        return bad(_ID, what, why="the policy allows it, or does not see it", fix=explain)
    if found.harmless.get("isError") is True:
        return bad(_ID, f"a harmless MCP call was refused: {_text(found.harmless)[:200]}", fix=explain)
    if "Fairlead" not in found.refusal:
        what = f"a forbidden MCP call is refused, and not in our words: {found.refusal[:200]}"
        return Finding(_ID, what, Level.NOTE)
    return Finding(_ID, "through the MCP door a harmless call passes, and a forbidden one is refused")


def _text(result: Mapping[str, Any]) -> str:
    parts = result.get("content")
    return " ".join(str(part.get("text", "")) for part in parts) if isinstance(parts, list) else ""


def _passage(session: Session) -> Passage:
    """In a folder that makes the calls canaries, as their project."""
    with noted(session.places) as canary, tempfile.TemporaryDirectory() as base:
        return _called(session, canary, os.path.join(os.path.realpath(base), canary.name))


def _called(session: Session, canary: Canary, folder: str) -> Passage:
    os.mkdir(folder, 0o700)
    canary.covers(folder)
    interpreter = recorded_interpreter(session.places) or sys.executable
    words = [*door_command(session), "mcp", "--name", "fairlead-canary", "--"]
    process = subprocess.Popen(
        [*words, interpreter, "-I", "-m", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    patience = Timer(_PATIENCE, process.kill)
    patience.start()
    try:
        assert process.stdin is not None and process.stdout is not None
        return _talk(process.stdin, process.stdout)
    finally:
        process.communicate()
        patience.cancel()


def _talk(told: IO[bytes], said: IO[bytes]) -> Passage:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT}
    _asked(told, said, 1, "initialize", hello)
    _tell(told, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    calls = [{"name": TOOL, "arguments": {"command": each}} for each in (HARMLESS, FORBIDDEN, HARMLESS)]
    first, forbidden, last = (_asked(told, said, 2 + at, "tools/call", call) for at, call in enumerate(calls))
    return Passage(first, forbidden, _text(last))


_CLIENT = {"name": "fairlead-doctor", "version": "1"}


def _asked(
    told: IO[bytes], said: IO[bytes], id: int, method: str, params: Mapping[str, object]
) -> Mapping[str, Any]:
    """The result of a request, past whatever else is said before. Raises ValueError where there is none."""
    _tell(told, {"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    for line in said:
        message = json.loads(line)
        if message.get("id") == id and "method" not in message:
            if "result" not in message:
                raise ValueError(str(message.get("error")))
            result: Mapping[str, Any] = message["result"]
            return result
    raise ValueError(f"it ended before it answered {method}")


def _tell(told: IO[bytes], message: Mapping[str, object]) -> None:
    told.write(json.dumps(message).encode() + b"\n")
    told.flush()
