"""The daemon, and the folder in which it listens."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.checkup.installation import Installation
from fairlead.doors.cli.output import Session


def look_at_runtime_folder(session: Session) -> Iterator[Finding]:
    """As both ends check it before they use it."""
    folder = session.places.run
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        yield Finding("socket", f"{folder} is made by the next call")
        return
    why = "client and daemon talk there, and refuse a place that is not theirs alone: each call starts cold"
    if not stat.S_ISDIR(found.st_mode):
        yield bad("socket", f"{folder} is not a folder", why=why, fix=f"rm {folder}")
    elif found.st_uid != os.getuid():
        fix = f"sudo rm -r {folder}"
        yield bad("socket", f"{folder} belongs to user {found.st_uid}", why=why, fix=fix)
    elif stat.S_IMODE(found.st_mode) & 0o077:
        yield bad(
            "socket",
            f"{folder} is open to others (mode {stat.S_IMODE(found.st_mode):o})",
            why=why,
            fix=f"chmod 700 {folder}",
            repair=lambda: os.chmod(folder, 0o700),
        )
    else:
        yield from _socket(folder)


def _socket(folder: str) -> Iterator[Finding]:
    from fairlead.doors.daemon.lifecycle import SOCKET

    path = os.path.join(folder, SOCKET)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFSOCK
    if stat.S_ISDIR(mode):
        yield bad(
            "socket",
            f"{path} is a folder, so no daemon can listen there",
            why="each call starts an interpreter of its own, and is slow",
            fix=f"rm -r {path}",
        )
    else:
        yield Finding("socket", f"socket folder {folder}")


def look_at_daemon(session: Session, installation: Installation) -> Iterator[Finding]:
    from fairlead.doors.daemon import control
    from fairlead.doors.daemon.lifecycle import DaemonError

    def end() -> None:
        control.stop(session.places)

    fix = "fairlead daemon restart"
    try:
        facts = control.ping(session.places)
    except DaemonError as error:
        why = "each call waits for it in vain before it is answered without it"
        yield bad("daemon", error.message, why=why, fix=fix, repair=end)
        return
    if facts is None:
        yield Finding("daemon", "the daemon is not running; the next call starts it")
        return
    said = f"daemon process {facts['pid']}, fairlead {facts['version']}"
    if installation.package and facts["package"] != installation.package:
        yield bad(
            "daemon",
            f"the {said}, runs from {facts['package']}, and the client falls back to {installation.package}",
            why="calls are judged by one build now and by another when it ends",
            fix=fix,
            repair=end,
        )
    elif not os.path.exists(facts["interpreter"]):
        why = "it answers as long as it runs, and nothing does afterwards"
        yield bad("daemon", f"the {said}, outlived its interpreter", why=why, fix="fairlead install")
    else:
        yield Finding("daemon", said)
    for problem in facts["problems"]:
        yield note("daemon", f"daemon: {problem}", fix="mend the line, then `fairlead daemon restart`")
