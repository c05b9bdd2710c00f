"""Settings files on disk: read whole, replaced in one step, never over somebody else's change."""

from __future__ import annotations

import contextlib
import os
import stat

from fairlead.errors import SettingsError

LIMIT = 16 * 1024 * 1024
"""Claude Code keeps its list of servers, its counters and what was said in each project in one file."""
BACKUP = ".before-fairlead"


class ChangedMeanwhileError(SettingsError):
    """Somebody else has written the file since it was read."""


def read(path: str) -> bytes | None:
    """None when there is no such file. A link is followed: the file that it names is the one to edit."""
    try:
        # Without waiting: a pipe of that name, put there by a project, would hold us for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SettingsError(f"{path} is not a file", hint="nothing was changed")
            content = file.read(LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}", hint="nothing was changed") from None
    if len(content) > LIMIT:
        raise SettingsError(f"{path} has more than {LIMIT} bytes", hint="nothing was changed")
    return content


def text_of(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8: byte {error.start}", hint="nothing was changed") from None


def replace(path: str, before: bytes | None, after: bytes, *, mode: int = 0o600) -> tuple[str, ...]:
    """Puts `after` in the place of `before` in one step; gives back the folders that had to be made.

    Refuses if the file is no longer what `before` says: somebody else has changed it meanwhile.
    """
    target = os.path.realpath(path)
    made = _make_folders(os.path.dirname(target), path)
    draft = f"{target}.{os.getpid()}.new"
    try:
        _write(draft, after, _mode_of(target, mode))
        if read(target) != before:
            raise ChangedMeanwhileError(f"{path} was changed by somebody else", hint="run the command again")
        os.replace(draft, target)
        if read(target) != after:
            raise SettingsError(f"{path} is not what was written to it", hint="run the command again")
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be written: {error.strerror}", hint="nothing was changed"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)
    return made


def remove(path: str, before: bytes) -> None:
    target = os.path.realpath(path)
    if read(target) != before:
        raise SettingsError(f"{path} was changed by somebody else", hint="run the command again")
    try:
        os.unlink(target)
    except OSError as error:
        raise SettingsError(f"{path} cannot be removed: {error.strerror}") from None


def remove_folders(folders: tuple[str, ...]) -> None:
    """Those that we made and that nobody has used since, innermost first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def keep_backup(path: str, before: bytes, *, suffix: str = BACKUP) -> None:
    """A copy beside the file, for a person. It is not what `uninstall` goes by."""
    beside = os.path.realpath(path) + suffix
    if not os.path.lexists(beside):
        _write(beside, before, _mode_of(os.path.realpath(path), 0o600))


def drop_backup(path: str, *, suffix: str = BACKUP) -> None:
    with contextlib.suppress(OSError):
        os.unlink(os.path.realpath(path) + suffix)


def _make_folders(folder: str, path: str) -> tuple[str, ...]:
    missing: list[str] = []
    while folder and not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    try:
        for one in missing:
            os.mkdir(one, 0o700)
    except OSError as error:
        raise SettingsError(f"{path} has no folder, and none can be made: {error.strerror}") from None
    return tuple(missing)


def _mode_of(path: str, otherwise: int) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return otherwise


def _write(path: str, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
