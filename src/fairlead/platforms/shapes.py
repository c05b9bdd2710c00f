"""What the modules of this room take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class Connection(Protocol):
    def getsockopt(self, level: int, option: int, size: int, /) -> bytes: ...


class Poller(Protocol):
    def watch_output(self, descriptor: int) -> None: ...

    def watch(self, descriptor: int, *, writing: bool) -> None: ...

    def forget(self, descriptor: int) -> None: ...

    def ready(self, seconds: float | None) -> list[tuple[int, bool]]:
        """Each ready descriptor, and whether its other end is closed."""

    def close(self) -> None: ...


class Account(NamedTuple):
    """A user whom this machine knows."""

    name: str
    uid: int
    gid: int
    home: str


class ProcessFacts(NamedTuple):
    """What may not be seen is empty, or -1 for a user. `foreground`: the group with the terminal, or 0."""

    parent: int
    words: tuple[str, ...]
    variables: Mapping[str, str]
    program: str
    user: int
    started_by: int
    group: int
    session: int
    terminal: bool
    foreground: int
