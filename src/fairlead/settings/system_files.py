"""Settings of a whole machine: plain files that only root writes and everybody reads, replaced in one step.

Agents skip, or take for broken, what is a link, what others can write, or what their user cannot read.
"""

from __future__ import annotations

import contextlib
import glob
import os
import stat

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files

ROOT = 0
FOR_ALL, FOLDER_FOR_ALL = 0o644, 0o755
_OTHERS_WRITE = 0o022


class Standing(Value):
    """A file as it is now; `content` is None where there is none."""

    content: bytes | None
    mode: int = FOR_ALL
    owner: int = ROOT
    group: int = ROOT


def look(path: str) -> Standing:
    """Raises SettingsError for what is no plain file."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return Standing(None)
    except OSError as error:
        raise SettingsError(f"{path} cannot be looked at: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        kind = "a link" if stat.S_ISLNK(found.st_mode) else "no file"
        raise SettingsError(f"{path} is {kind}", hint="put a plain file there, which is what agents read")
    return Standing(files.read(path), stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid)


def fault(path: str, *, owner: int = ROOT) -> str:
    """Why agents would not take this file for the machine's, or others could change it; empty when all is
    well. So is what lies above it."""
    try:
        found = os.lstat(path)
    except OSError as error:
        return f"{path}: {error.strerror}"
    if not stat.S_ISREG(found.st_mode):
        return f"{path} is no plain file"
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid != owner:
        return f"{path} belongs to user {found.st_uid}"
    if mode & _OTHERS_WRITE or mode & 0o444 != 0o444:
        return f"{path} has mode {mode:04o}, not {FOR_ALL:04o}"
    return folder_fault(os.path.dirname(path), owner=owner)


def folder_fault(folder: str, *, owner: int = ROOT) -> str:
    """What on the way to a folder others could exchange; empty when there is nothing."""
    at = os.path.realpath(folder)
    while True:
        with contextlib.suppress(FileNotFoundError):
            found = os.stat(at)
            open_to_others = found.st_mode & _OTHERS_WRITE and not found.st_mode & stat.S_ISVTX
            if found.st_uid not in (ROOT, owner) or open_to_others:
                return f"{at} can be changed by others than root"
        if at == "/":
            return ""
        at = os.path.dirname(at)


def put(path: str, before: Standing, content: bytes, *, owner: int = ROOT) -> None:
    """Puts `content` there in one step.

    Refuses where the file is no longer as it was, would be empty, or could be exchanged by others.
    """
    if not content.strip():
        raise SettingsError(f"{path} would be empty", hint="nothing was changed")
    made = _make_folders(os.path.dirname(path))
    why = folder_fault(os.path.dirname(path), owner=owner)
    if why:
        files.remove_folders(made)
        raise SettingsError(f"{path} cannot be protected: {why}", hint=f"chown root and chmod go-w {path}")
    try:
        _replace(path, before, content, mode=FOR_ALL, owner=owner, group=owner)
    except SettingsError:
        files.remove_folders(made)
        raise


def give_back(path: str, now: Standing, before: Standing) -> None:
    """As it was, with its mode and its owner."""
    if before.content is None:
        files.remove(path, now.content or b"")
        return
    _replace(path, now, before.content, mode=before.mode, owner=before.owner, group=before.group)


def _replace(path: str, before: Standing, content: bytes, *, mode: int, owner: int, group: int) -> None:
    draft = f"{path}.{os.getpid()}.new"
    try:
        remove_drafts(path)
        _write(draft, content, mode=mode, owner=owner, group=group)
        if look(path) != before:
            raise files.ChangedMeanwhileError(f"{path} was changed by somebody else", hint="run it again")
        os.replace(draft, path)
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be written: {error.strerror}", hint="nothing was changed"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def _write(path: str, content: bytes, *, mode: int, owner: int, group: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        if os.geteuid() == ROOT:
            os.fchown(descriptor, owner, group)
        os.fchmod(descriptor, mode)  # whatever the umask
        os.fsync(descriptor)


def remove_drafts(path: str) -> None:
    """Those of a run that was ended in the middle."""
    for draft in glob.glob(f"{glob.escape(path)}.*.new"):
        if draft[len(path) + 1 : -len(".new")].isdigit():
            os.unlink(draft)


def missing_folders(folder: str) -> tuple[str, ...]:
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def _make_folders(folder: str) -> tuple[str, ...]:
    missing = missing_folders(folder)
    try:
        for one in missing:
            os.mkdir(one)
            os.chmod(one, FOLDER_FOR_ALL)
    except OSError as error:
        files.remove_folders(missing)
        raise SettingsError(f"{folder} takes no folder: {error.strerror}") from None
    return missing
