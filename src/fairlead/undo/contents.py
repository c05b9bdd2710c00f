"""Copies what is in a file, and reads and sets what is known about it. Nothing follows a link."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG

from fairlead.platforms import here
from fairlead.undo.limits import NotSavedError
from fairlead.undo.manifest import FILE, FOLDER, LINK, Entry

_CHUNK = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_TRIES = 2


def look_at(path: str) -> Entry:
    """A file, folder or link without its content. Raises NotSavedError for what else may stand there."""
    status = _status_of(path)
    kind = _kind(status.st_mode)
    if not kind:
        raise NotSavedError(f"{path} is no file, folder or link")
    return Entry(
        path,
        kind,
        S_IMODE(status.st_mode),
        status.st_mtime_ns,
        status.st_uid,
        status.st_gid,
        status.st_size if kind == FILE else 0,
        link=os.readlink(path) if kind == LINK else "",
        xattrs=() if kind == LINK else _xattrs(path),
    )


def _status_of(path: str) -> os.stat_result:
    """Below a link that leads to itself there is nothing."""
    try:
        return os.lstat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise FileNotFoundError(errno.ENOENT, "nothing is there", path) from error
        raise


def _kind(mode: int) -> str:
    if S_ISREG(mode):
        return FILE
    return FOLDER if S_ISDIR(mode) else LINK if S_ISLNK(mode) else ""


def _xattrs(path: str) -> tuple[tuple[str, str], ...]:
    if sys.platform != "linux":
        return ()  # Python can read them there alone
    try:
        names = os.listxattr(path, follow_symlinks=False)
        return tuple((name, os.getxattr(path, name, follow_symlinks=False).hex()) for name in sorted(names))
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.EOPNOTSUPP):
            return ()
        raise NotSavedError(f"the attributes of {path} cannot be read") from error


def save_content(path: str, copy: str, take: Callable[[int], None]) -> int:
    """The size of what was copied; a file that changes meanwhile is copied again, then given up."""
    for _ in range(_TRIES):
        source = open_file(path)
        try:
            before = os.fstat(source)
            size = _copied(source, copy, before.st_size, take)
            after = os.fstat(source)
        except OSError as error:
            raise NotSavedError(_said(error, path)) from error
        finally:
            os.close(source)
        if size == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return size
    raise NotSavedError(f"{path} changes while it is saved")


def open_file(path: str) -> int:
    try:
        descriptor = os.open(path, _READ)
    except OSError as error:
        raise NotSavedError(_said(error, path)) from error
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotSavedError(f"{path} is no file any more")
    return descriptor


def _said(error: OSError, path: str) -> str:
    if error.errno in _FULL:
        return "there is no room left on the disk"
    return f"{path} cannot be read: {error.strerror}"


def _copied(source: int, copy: str, expected: int, take: Callable[[int], None]) -> int:
    target = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        if here.clone(source, target):
            size = os.fstat(target).st_size
            take(size)
            return size
        return copy_bytes(source, target, take, most=expected)
    finally:
        os.close(target)


def copy_bytes(source: int, target: int, take: Callable[[int], None], most: int = sys.maxsize) -> int:
    """`take` is told of each piece, and may raise. What grows while it is read may have no end: it is left
    once it is more than expected."""
    size = 0
    while size <= most and (piece := os.read(source, _CHUNK)):
        take(len(piece))
        size += len(piece)
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(target, rest) :]
    return size


def same_content(path: str, content: str) -> bool:
    """Whether two files hold the same."""
    if os.lstat(path).st_size != os.lstat(content).st_size:
        return False
    with open(os.open(path, _READ), "rb") as one, open(os.open(content, _READ), "rb") as other:
        while True:
            piece = one.read(_CHUNK)
            if piece != other.read(_CHUNK):
                return False
            if not piece:
                return True


def set_attributes(entry: Entry, path: str) -> list[str]:
    """What may be done with it, whose it is and when it was changed; what could not be set, in words."""
    missing: list[str] = []
    now = os.lstat(path)
    if (now.st_uid, now.st_gid) != (entry.uid, entry.gid):
        try:
            os.chown(path, entry.uid, entry.gid, follow_symlinks=False)
        except OSError:
            missing.append("owner")
    if entry.kind != LINK:
        _set_xattrs(entry, path, missing)
    if entry.kind != LINK and S_IMODE(os.lstat(path).st_mode) != entry.mode:
        try:
            os.chmod(path, entry.mode)
        except OSError:
            missing.append("mode")
    if os.lstat(path).st_mtime_ns != entry.mtime:
        try:
            os.utime(path, ns=(now.st_atime_ns, entry.mtime), follow_symlinks=False)
        except OSError:
            missing.append("time")
    return missing


def _set_xattrs(entry: Entry, path: str, missing: list[str]) -> None:
    if sys.platform != "linux":
        return
    try:
        now = dict(_xattrs(path))
        for name, value in entry.xattrs:
            if now.pop(name, None) != value:
                os.setxattr(path, name, bytes.fromhex(value), follow_symlinks=False)
        for name in now:
            os.removexattr(path, name, follow_symlinks=False)
    except (OSError, NotSavedError):
        missing.append("extended attributes")
