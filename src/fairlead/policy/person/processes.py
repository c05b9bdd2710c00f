"""Processes as the system shows them: this one, and those that led to it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value
from fairlead.platforms import here

MAX_PARENTS = 64
_DELETED = " (deleted)"


class Process(Value):
    """One process. What may not be seen is empty: `program` and `variables` of another user's.

    `words` are those that it was started with, `program` is the file that runs. `user` is whose rights it
    has, `started_by` who started it. `foreground` is the process group that has the terminal; 0 without one.
    """

    id: int
    parent: int
    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    program: str = ""
    user: int = 0
    started_by: int = 0
    group: int = 0
    session: int = 0
    terminal: bool = False
    foreground: int = 0

    @property
    def name(self) -> str:
        """By the file that runs; a title such as `sshd: me@pts/0` or `-bash` counts where that is hidden."""
        if self.program:
            return os.path.basename(self.program.removesuffix(_DELETED))
        title = self.words[0].removeprefix("-") if self.words else ""
        return os.path.basename(title.split(":")[0].split(" ")[0])


def lineage(of: int = 0) -> Iterator[Process]:
    """The process itself (this one, by default), then its parents, nearest first."""
    current = of or os.getpid()
    for _ in range(MAX_PARENTS):
        process = _look_at(current) if current > 0 else None
        if process is None:
            return
        yield process
        current = process.parent


def running(name: str) -> Iterator[int]:
    """The processes of that name, as far as they can be seen."""
    for pid in here.all_processes():
        process = _look_at(pid)
        if process is not None and process.name == name:
            yield process.id


def _look_at(pid: int) -> Process | None:
    facts = here.facts_of(pid)
    return None if facts is None else Process(pid, **facts._asdict())
