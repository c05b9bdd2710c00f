"""What agents call: the client, what is recorded beside it, and the interpreter that it falls back to."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator

from fairlead.dialects.setup.description import SECONDS
from fairlead.doors.cli.checkup.finding import Finding, Repair, bad, note
from fairlead.doors.cli.installation import facts
from fairlead.doors.cli.installation.installing import came_with_us, ledger_of, place_client
from fairlead.doors.cli.output import Session
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.policy.installed import CLIENT

_PATIENCE = 30.0


class Installation(Value):
    """What is on the disk, and what came of running it."""

    facts: facts.Installation
    client_problem: str
    """Why the client cannot be run; empty when it can."""
    interpreter_problem: str
    """The same of the recorded interpreter: not of the one that looks."""
    version: str = ""
    """Of the package that the recorded interpreter has."""
    package: str = ""
    """Its folder."""


def installation_of(session: Session) -> Installation:
    found = facts.look_at_installation(session.places, came_with_us())
    problem, version, package = _asked(found.interpreter)
    return Installation(found, _client_problem(found.client), problem, version, package)


def _client_problem(path: str) -> str:
    """It is run to know."""
    try:
        found = os.lstat(path)
    except OSError:
        return "is missing"
    if not stat.S_ISREG(found.st_mode):
        return "is not a plain file"
    if not os.access(path, os.X_OK):
        return "may not be run"
    said = _run([path, "--version"])
    return "" if said.startswith(CLIENT) else f"does not run ({said or 'it says nothing'})"


def _asked(interpreter: str) -> tuple[str, str, str]:
    """What is wrong with it, else the version and the folder of the package that it has."""
    if not interpreter:
        return "is not recorded", "", ""
    if not os.path.exists(interpreter):
        return "is gone", "", ""
    if not os.access(interpreter, os.X_OK):
        return "may not be run", "", ""
    said = _run([interpreter, "-I", "-m", "fairlead", "--version"])
    version = said.removeprefix("fairlead, version ")
    if version == said:
        return f"has no Fairlead ({said or 'it says nothing'})", "", ""
    where = _run([interpreter, "-I", "-c", "import fairlead; print(fairlead.__file__)"])
    return "", version, os.path.dirname(where)


def _run(words: list[str]) -> str:
    """The last line that it says."""
    try:
        done = subprocess.run(
            words, capture_output=True, timeout=_PATIENCE, check=False, stdin=subprocess.DEVNULL, cwd="/"
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    lines = (done.stdout.strip() or done.stderr.strip()).decode(errors="replace").splitlines()
    return lines[-1][:200] if lines else ""


def look_at_installation(session: Session, found: Installation) -> Iterator[Finding]:
    """What is broken is mended alike: the client is put there anew, with an interpreter that answers."""

    def mend() -> None:
        _place_anew(session, found.facts.client)

    if found.client_problem:
        yield bad(
            "client",
            f"the client {found.facts.client} {found.client_problem}",
            why="it is what every agent runs before a tool: without it, some run the tool unasked",
            fix="fairlead install",
            repair=mend,
        )
    else:
        yield Finding("client", f"client {found.facts.client} runs")
    if found.interpreter_problem:
        yield bad(
            "interpreter",
            f"the interpreter {found.facts.interpreter or 'of the client'} {found.interpreter_problem}",
            why="the client falls back to it and starts the daemon with it: without it, calls are refused",
            fix="fairlead install",
            repair=mend,
        )
        return
    yield Finding("interpreter", f"interpreter {found.facts.interpreter}, fairlead {found.version}")
    yield from _build(found, mend)
    timeout = found.facts.record.get("timeout", "")
    if timeout != str(SECONDS):
        yield bad(
            "timeout",
            f"the client counts on {timeout or 'no'} seconds, agents give it {SECONDS}",
            why="a client that waits longer than its agent is cut off before it can refuse",
            fix="fairlead install",
            repair=mend,
        )


def look_at_ledger(session: Session) -> Iterator[Finding]:
    path = os.path.join(session.places.state, "installed.json")
    try:
        ledger_of(session)
    except SettingsError as error:
        yield bad(
            "ledger",
            error.message,
            why="it keeps what agents' files were before: without it, `uninstall` goes by marks alone",
            fix=f"mv {path} {path}.aside",
            repair=lambda: os.rename(path, f"{path}.aside.{os.urandom(4).hex()}"),
        )


def _place_anew(session: Session, client: str) -> None:
    """In one step where a client is there: an agent may call it at any moment."""
    if os.path.islink(client):
        os.unlink(client)
    elif os.path.isdir(client):
        os.rename(client, f"{client}.aside.{os.urandom(4).hex()}")
    place_client(session)


def _build(found: Installation, mend: Repair) -> Iterator[Finding]:
    """Which of two builds is the better one is for a person to say; a client beside its build is not."""
    own = found.facts.own_build
    if found.facts.build not in ("", own):
        yield bad(
            "build",
            f"agents are answered by another build ({found.facts.build}) than the one that you run ({own})",
            why="one was upgraded after `install`, or there are two installations",
            fix="fairlead install",
        )
    elif not found.facts.client_current and not found.client_problem and found.package:
        yield bad(
            "build",
            f"the client {found.facts.client} is of another build than {found.facts.interpreter}",
            why="one of the two was upgraded without the other",
            fix="fairlead install",
            repair=mend,
        )
    elif not found.facts.build and os.path.realpath(found.facts.interpreter) != os.path.realpath(
        sys.executable
    ):
        yield note(
            "build",
            f"agents are answered by {found.facts.interpreter} (fairlead {found.version}), "
            f"which is not the interpreter that you run ({sys.executable})",
            why="there are two installations; the one that ran `install` last answers",
            fix="fairlead install",
        )
