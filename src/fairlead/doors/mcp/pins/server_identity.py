"""What answers to a configured name: the command as it is configured, the program that it starts, or a URL.

The name that a server gives itself is no part of it: anybody can say any name. Of a program its path is, as
it was found, and its content is known beside it: other content at the same path is an upgrade, and is told;
another path, or another command, is another server. Whoever can write where the person's programs are could
change them in a hundred ways, and a guard that stops after every upgrade is approved unread.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping, Sequence

from fairlead.doors.mcp.pins.fetched_commands import script_of
from fairlead.model.value import Value

_LARGEST = 1 << 30
"""Bytes of a program that is read; of a larger one the path alone is known."""
_CHUNK = 1 << 20


class FileContent(Value):
    """`stamp` changes whenever the file may have: while it is the same, nobody has to read the file."""

    digest: str
    stamp: str


class ServerIdentity(Value):
    """Equal by what makes it this server, and no other."""

    command: tuple[str, ...] = ()
    url: str = ""
    program: str = ""
    """As it was found on the path; the links of it are not followed."""
    script: str = ""
    """The file that an interpreter is told to run."""

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(path for path in (self.program, self.script) if path)


def identity_of_command(
    command: Sequence[str], *, cwd: str, environment: Mapping[str, str]
) -> ServerIdentity:
    found = shutil.which(command[0], path=environment.get("PATH", os.defpath)) if command else None
    program = os.path.normpath(os.path.join(cwd, found)) if found else ""
    named = script_of(command)
    script = os.path.normpath(os.path.join(cwd, named)) if named else ""
    return ServerIdentity(tuple(command), program=program, script=script if os.path.isfile(script) else "")


def identity_of_url(url: str) -> ServerIdentity:
    return ServerIdentity(url=url)


def content_of(path: str, known: FileContent | None = None) -> FileContent | None:
    """None for what cannot be read as a file. `known` spares the reading while nothing touched the file."""
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                return None
            stamp = f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
            if known is not None and known.stamp == stamp:
                return known
            return FileContent(_digest(file.fileno()), stamp)
    except OSError:
        return None


def _digest(descriptor: int) -> str:
    from hashlib import sha256  # only for a file that changed, and much quicker there

    digest = sha256()
    while chunk := os.read(descriptor, _CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
