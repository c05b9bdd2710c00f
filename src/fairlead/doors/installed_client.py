"""Puts `fairlead-hook` where agents' settings can name it for good: outside any virtual environment.

Beside it goes its record: the interpreter to fall back to, the home of the user, and the timeouts that agents
were told. Both clients read it (see docs/warm-path.md).
"""

from __future__ import annotations

import os
import shlex
import sys
import sysconfig
from collections.abc import Mapping

from fairlead.errors import FairleadError
from fairlead.policy.places import Places, home_of_user

NAME = "fairlead-hook"
_SHEBANG_BOUND = 120


def client_path(places: Places) -> str:
    """The name that goes into agents' settings; it never changes."""
    return os.path.join(places.share, "bin", NAME)


def place_client(places: Places, *, timeouts: Mapping[str, float]) -> str:
    """Copies the client of this installation to `client_path`, in one step, and returns that path.

    `timeouts` are the seconds that each agent was told to wait. Raises FairleadError and OSError.
    """
    target = client_path(places)
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    with open(packaged_client(), "rb") as file:
        content = file.read()
    _replace(f"{target}.record", record(timeouts).encode("utf-8", "surrogateescape"), 0o600)
    _replace(target, content if content.startswith(b"\x7fELF") else _script(content), 0o755)
    return target


def packaged_client() -> str:
    """The client that was installed together with this package."""
    folders = [os.path.dirname(sys.executable), sysconfig.get_path("scripts")]
    folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    for folder in folders:
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return path
    raise FairleadError(
        f"{NAME} is not in {' or '.join(dict.fromkeys(folders))}", hint="install the fairlead package again"
    )


def record(timeouts: Mapping[str, float]) -> str:
    lines = [f"interpreter={sys.executable}", f"home={home_of_user()}"]
    lines += [f"timeout.{agent}={seconds:g}" for agent, seconds in sorted(timeouts.items())]
    if any("\n" in line for line in lines):
        raise FairleadError("the path of the interpreter or of the home folder has a line break in it")
    return "\n".join(lines) + "\n"


def _script(content: bytes) -> bytes:
    """The pure client with this interpreter as its first line, isolated from variables and folders."""
    body = content.partition(b"\n'''\n")[2] or content
    first = f"#!{sys.executable} -IS\n"
    if len(first) > _SHEBANG_BOUND or any(character.isspace() for character in sys.executable):
        first = f"#!/bin/sh\n''':'\nexec {shlex.quote(sys.executable)} -IS \"$0\" \"$@\"\n'''\n"
    return first.encode("utf-8", "surrogateescape") + body


def _replace(path: str, content: bytes, mode: int) -> None:
    draft = f"{path}.{os.getpid()}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(content)
    os.replace(draft, path)
