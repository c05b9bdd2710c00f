"""Finds files under a policy root: sorted, bounded, and never through a link to another folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.policy.reload import Watch

FILE_NAME = "hook.meta.yaml"
MAX_DEPTH = 12
MAX_ITEMS = 2_000


class Item(Value):
    """A file or link below a root, by its path from there."""

    name: str
    path: str
    mode: int

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)


def list_tree(root: str, watch: Watch) -> list[Item]:
    """Everything below `root` that is not a folder. Empty when there is no such folder.

    Raises PolicyError when there is too much, or something that cannot be looked into: what was not read
    could have been a guard.
    """
    items: list[Item] = []
    watch.add(root)
    try:
        _descend(root, "", watch, items)
    except OSError as error:
        raise PolicyError(
            f"{error.filename or root} cannot be read: {error.strerror}",
            hint="make it readable for this user, or remove it",
        ) from error
    return items


def _descend(root: str, below: str, watch: Watch, items: list[Item]) -> None:
    folder = os.path.join(root, below) if below else root
    if below.count("/") >= MAX_DEPTH:
        raise PolicyError(f"{folder} is too deeply nested", hint=f"at most {MAX_DEPTH} folders are read")
    for name in _names_in(folder):
        path, inner = os.path.join(folder, name), f"{below}/{name}" if below else name
        watch.add(path)
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            continue  # gone since it was listed; the watch saw the folder before that
        if stat.S_ISDIR(mode):
            _descend(root, inner, watch, items)
        else:
            items.append(Item(inner, path, mode))
        if len(items) > MAX_ITEMS:
            raise PolicyError(f"{root} holds more than {MAX_ITEMS} files", hint="keep other files elsewhere")


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def policy_files(items: list[Item], below: str = "") -> Iterator[Item]:
    """The `hook.meta.yaml` files among `items`; `below` is the folder that they must be in."""
    for item in items:
        if item.name.startswith(below) and item.name.rsplit("/", 1)[-1] == FILE_NAME:
            yield item


PROGRAMS_END = ".toml"


def is_program_file(name: str) -> bool:
    """Whether a file of a project's policy, by its path from there, teaches about programs."""
    return name.startswith("programs/") and name.endswith(PROGRAMS_END)


def read_file(path: str, limit: int) -> bytes:
    """At most `limit` + 1 bytes of a regular file. A pipe or a device in its place is an OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(22, "not a regular file", path)
        return file.read(limit + 1)
