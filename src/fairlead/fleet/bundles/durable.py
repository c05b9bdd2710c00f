"""Files that survive a loss of power as they were before or as they are after, and never in between."""

from __future__ import annotations

import os
import re

from fairlead.errors import FairleadError

_DRAFT = re.compile(r".+\.\d+\.[0-9a-f]{8}\.new", re.ASCII)


def draft_of(name: str) -> bool:
    """Whether this is the beginning of a file whose writer was killed."""
    return _DRAFT.fullmatch(name) is not None


def write_file(path: str, content: bytes, *, mode: int) -> None:
    """Replace the file in one step. Raises OSError, and then the old one is as it was."""
    draft = f"{path}.{os.getpid()}.{os.urandom(4).hex()}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(draft, flags, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.rename(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def sync_folder(path: str) -> None:
    """So that the names in it last, too."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_new_secret(path: str, content: bytes) -> None:
    """For its owner alone; a file that is there is never replaced. Raises FairleadError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError as error:
        raise FairleadError(
            f"{path} is there already", hint="keys are never replaced: name another file"
        ) from error
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
