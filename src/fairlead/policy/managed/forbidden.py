"""Whether something is forbidden to every local person: asked where that is about to be done.

The clients ask the same of the same files when they answer by themselves, without Python and without YAML. So
what is forbidden is read line by line, in a way that three programs can share: a file that is not written as
`forbid: [off, allow]`, or as a list below `forbid:`, forbids everything. Here it is read in full as well: a
mistake anywhere in it forbids everything, and a reader of lines does not see all of them.
"""

from __future__ import annotations

import os

from fairlead.errors import TrustError
from fairlead.policy.managed.plain import plainly_forbids
from fairlead.policy.managed.rules import ALLOW, FILE_NAME, OFF, Managed, read_managed
from fairlead.policy.places import Places

LIMIT = 65536
_ASK = "ask whoever manages this machine; `fairlead policy check` shows what they decided"
_WAY_OUT = (
    "whoever manages this machine can sign a grant for `fairlead off --grant`, or read you a code for "
    "`fairlead break-glass`"
)


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
    if len(content) > LIMIT or b"\0" in content or plainly_forbids(content, deed):
        return True
    return read_managed(path)[0].forbids(deed)


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
