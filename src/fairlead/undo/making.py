"""Puts back one file, folder or link, and takes one away: in folders, too, that nobody may write to now."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from stat import S_IMODE

from fairlead.platforms import here
from fairlead.undo.contents import copy_bytes, open_file, set_attributes
from fairlead.undo.manifest import FOLDER, LINK, Entry

DRAFT = ".fairlead-undo-"
"""Before the id and the name: one that was left by a killed undo is found and replaced by the next."""


def make(entry: Entry, to: str, id_: str, content_of: Callable[[Entry], str]) -> list[str]:
    """What could not be set, in words. Raises OSError for what could not be made."""
    folder = os.path.dirname(to)
    os.makedirs(folder, exist_ok=True)
    with _open_to_write(folder):
        if entry.kind != FOLDER:
            return _make_in_place_of(entry, to, os.path.join(folder, _draft(id_, to)), content_of)
        if os.path.lexists(to) and not is_folder(to):
            remove(to)
        os.makedirs(to, mode=0o700, exist_ok=True)
        os.chmod(to, entry.mode | 0o700)  # until all that is in it is there
        return []


def _draft(id_: str, to: str) -> str:
    return f"{DRAFT}{id_}-{os.path.basename(to)[:100]}"


def _make_in_place_of(entry: Entry, to: str, draft: str, content_of: Callable[[Entry], str]) -> list[str]:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(draft)
    try:
        if entry.kind == LINK:
            os.symlink(entry.link, draft)
        else:
            _copy(content_of(entry), draft)
        missing = set_attributes(entry, draft)
        if is_folder(to):
            remove(to)
        os.replace(draft, to)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    return missing


def _copy(content: str, to: str) -> None:
    source = open_file(content)
    try:
        target = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if not here.clone(source, target):
                copy_bytes(source, target, lambda _: None)
        finally:
            os.close(target)
    finally:
        os.close(source)


def is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def remove(path: str) -> None:
    with _open_to_write(os.path.dirname(path)):
        if not is_folder(path):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            return
        os.chmod(path, 0o700)
        for folder, names, _ in os.walk(path):
            for name in names:
                if is_folder(os.path.join(folder, name)):
                    os.chmod(os.path.join(folder, name), 0o700)
        shutil.rmtree(path)


@contextlib.contextmanager
def _open_to_write(folder: str) -> Iterator[None]:
    if os.access(folder, os.W_OK | os.X_OK) or not is_folder(folder):
        yield
        return
    mode = S_IMODE(os.lstat(folder).st_mode)
    os.chmod(folder, mode | 0o300)
    try:
        yield
    finally:
        os.chmod(folder, mode)
