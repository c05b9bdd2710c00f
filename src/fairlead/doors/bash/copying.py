"""A copy of `hooks.bash` for machines without Fairlead: one file that says which version it is.

Its second line holds the version and the checksum of all other lines, so that a copy that is old can be told
from one that someone has edited.
"""

from __future__ import annotations

import hashlib
import os
import re
from enum import Enum
from pathlib import Path

from fairlead import __version__
from fairlead.doors.bash.assembling import ASSEMBLED
from fairlead.errors import FairleadError

_MARK = re.compile(r"# hooks\.bash of Fairlead (\S+), sha256 ([0-9a-f]{64})\. .*\n")


class Copy(Enum):
    """What a file is, beside the one that would be written now."""

    CURRENT = "current"
    OLD = "old"
    EDITED = "edited"
    FOREIGN = "foreign"
    MISSING = "missing"


def text_of_copy() -> str:
    first, rest = ASSEMBLED.read_text().split("\n", 1)
    mark = f"# hooks.bash of Fairlead {__version__}, sha256 {_checksum(first, rest)}. "
    return f"{first}\n{mark}`fairlead shell bash --copy THIS --check` tells if it is old.\n{rest}"


def _checksum(first: str, rest: str) -> str:
    return hashlib.sha256(f"{first}\n{rest}".encode()).hexdigest()


def state(path: Path) -> Copy:
    try:
        found = path.read_bytes().decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return Copy.MISSING
    except OSError as error:
        raise FairleadError(
            f"{path} is no copy of hooks.bash: {error.strerror}", hint="name a file, such as ci/hooks.bash"
        ) from error
    first, _, rest = found.partition("\n")
    mark = _MARK.match(rest)
    if mark is None:
        return Copy.FOREIGN
    unmarked = f"{first}\n{rest[mark.end() :]}".encode("utf-8", "surrogateescape")
    if hashlib.sha256(unmarked).hexdigest() != mark[2]:
        return Copy.EDITED
    return Copy.CURRENT if found == text_of_copy() else Copy.OLD


def version_of(path: Path) -> str:
    """What the copy says of itself."""
    mark = _MARK.search(path.read_bytes().decode("utf-8", "surrogateescape"))
    return mark[1] if mark else ""


def write_copy(path: Path) -> None:
    """In place of an older one. What someone else wrote, or has changed, is not ours to replace."""
    found = state(path)
    if found in (Copy.EDITED, Copy.FOREIGN):
        why = "it was edited" if found is Copy.EDITED else "it is not a copy of hooks.bash"
        raise FairleadError(f"{path} is not replaced: {why}", hint="move it away, or choose another name")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text_of_copy())
        beside.replace(path)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
