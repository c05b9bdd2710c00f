"""Whether something is forbidden to every local person: asked where that is about to be done.

The clients ask the same of the same files when they answer by themselves, without Python and without YAML. So
what is forbidden is read line by line, in a way that three programs can share: a file that is not written as
`forbid: [off, allow]`, or as a list below `forbid:`, forbids everything.
"""

from __future__ import annotations

import os

from fairlead.errors import TrustError
from fairlead.policy.managed.rules import ALLOW, FILE_NAME, OFF, Managed, read_managed
from fairlead.policy.places import Places

LIMIT = 65536
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_ASK = "ask whoever manages this machine; `fairlead policy check` shows what they decided"
_WAY_OUT = "whoever manages this machine can give you a one-time code for `fairlead break-glass`"
_OTHER_KEYS = ("lock:", "break_glass:")


def managed_files(places: Places) -> tuple[str, str]:
    """Those that count, there or not."""
    return f"{places.system}/hooks/{FILE_NAME}", f"{places.fleet}/current/hooks/{FILE_NAME}"


def who_forbids(places: Places, deed: str) -> str:
    """The file that forbids it; empty when none does."""
    return next((path for path in managed_files(places) if _file_forbids(path, deed)), "")


def require_permitted(places: Places, deed: str, action: str) -> None:
    """Raises TrustError where nobody on this machine may do it, whoever they are."""
    path = who_forbids(places, deed)
    if path:
        raise TrustError(
            f"to {action} is forbidden on this machine: {path} forbids `{deed}`",
            hint=_WAY_OUT if deed == OFF else _ASK,
        )


def _file_forbids(path: str, deed: str) -> bool:
    try:
        with open(path, "rb") as file:
            content = file.read(LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return len(content) > LIMIT or b"\0" in content or text_forbids(content, deed)


def text_forbids(content: bytes, deed: str) -> bool:
    inside = False
    for raw in content.decode("latin-1").split("\n"):
        line = raw.partition("#")[0].rstrip(" \t\r")
        if not line or line == "---":
            continue
        if line[0] not in " \t-":
            inside = line.startswith("forbid:")
            if not inside and not line.startswith(_OTHER_KEYS):
                return True
            line = line.partition(":")[2]
        if inside and _names(line, deed):
            return True
    return False


def _names(line: str, deed: str) -> bool:
    """Also a line that says it in another way than with plain words."""
    for mark in "[],-\"'\t":
        line = line.replace(mark, " ")
    words = line.split(" ")
    return any(word == deed or not _PLAIN.issuperset(word) for word in words)


def managed_by(places: Places) -> Managed:
    """What the files say, read in full."""
    found = Managed()
    for path in managed_files(places):
        if os.path.lexists(path):
            found = found.and_also(read_managed(path)[0])
    return found


def require_unlocked(places: Places, rule: str) -> None:
    """Raises TrustError where an exception from this rule would not count."""
    require_permitted(places, ALLOW, f"make an exception from {rule}")
    managed = managed_by(places)
    if managed.covers_exception(rule):
        raise TrustError(
            f"{rule} is locked on this machine by {', '.join(managed.paths)}: no exception from it counts",
            hint="ask whoever manages this machine",
        )
