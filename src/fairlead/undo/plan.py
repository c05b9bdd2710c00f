"""What an undo would do, path by path, before it does anything.

What the call left is replaced. What somebody changed since is not: the old version goes beside it. Whose
doing it was is told by when it changed: up to the end of the call, or for a few seconds where nobody said
when that was. Nothing is lost by a wrong guess, since an undo saves what it replaces.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from stat import S_ISDIR

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.undo.contents import look_at, same_content
from fairlead.undo.limits import NotSavedError
from fairlead.undo.manifest import ABSENT, FILE, FOLDER, LINK, Entry

BACK, SET, TIME, REMOVE, BESIDE = "bring back", "set", "time", "remove", "beside"
SAME, LEFT, FAILED = "same", "left", "failed"
"""Make it again; only what may be done with it; only the time of a folder; take away what the call made; put
it beside what is there; nothing to do; something stands in the way; it was tried, and the disk said no."""
ACTING = frozenset((BACK, SET, REMOVE, BESIDE, FAILED))
_SECONDS = 1_000_000_000
GRACE = 10 * _SECONDS
"""For how long after a save a change counts as the call's, where its end is not known."""

Contents = Callable[[Entry], str]
"""The path of a file that holds what an entry held."""


class Step(Value):
    path: str
    act: str
    entry: Entry
    to: str = ""
    """Another path than the entry's own, where it goes beside."""
    why: str = ""
    made_anew: bool = False
    """A folder above it takes the place of something else, so that nothing is there yet."""


class Planner:
    """`until`: the moment up to which changes are the call's; `suffix` names what goes beside."""

    def __init__(self, *, until: int, suffix: str, contents: Contents, force: bool = False) -> None:
        self._until = until
        self._suffix = suffix
        self._contents = contents
        self._force = force
        self._moved: dict[str, str] = {}
        self._made_anew: set[str] = set()

    def steps(self, entries: tuple[Entry, ...]) -> Iterator[Step]:
        """In the order of their paths, so that a folder comes before what is in it."""
        for entry in entries:
            to = self._place(entry.path)
            blocked = _blocked(to)
            if self.is_made_anew(to):
                yield Step(entry.path, SAME if entry.kind == ABSENT else BACK, entry, to, made_anew=True)
                continue
            if blocked:
                yield Step(entry.path, LEFT, entry, why=blocked)
                continue
            try:
                step = self._step(entry, to)
            except FairleadError as error:  # what it held is not to be had any more
                step = Step(entry.path, LEFT, entry, why=error.message)
            yield step

    def is_made_anew(self, path: str) -> bool:
        """Whether a folder above it takes the place of a link or a file."""
        return any(path.startswith(f"{folder}/") for folder in self._made_anew)

    def _place(self, path: str) -> str:
        """Where it goes, if a folder above it went beside."""
        for folder, beside in self._moved.items():
            if path.startswith(f"{folder}/"):
                return beside + path[len(folder) :]
        return path

    def _step(self, entry: Entry, to: str) -> Step:
        try:
            now: Entry | None = look_at(to)
        except (FileNotFoundError, NotADirectoryError):
            now = None
        except NotSavedError as error:
            return Step(entry.path, LEFT, entry, to, str(error))
        if entry.kind == ABSENT:
            return self._step_to_nothing(entry, now)
        if now is None:
            known = entry.kind != FILE or entry.has_content
            return Step(entry.path, BACK if known else LEFT, entry, to, "" if known else "it is gone")
        if now.kind != entry.kind:
            return self._replaced(entry, to)
        if entry.kind == FOLDER:
            return Step(entry.path, self._act_on_folder(entry, now, to), entry, to)
        return self._step_to_file(entry, now, to)

    def _act_on_folder(self, entry: Entry, now: Entry, to: str) -> str:
        if _alike(entry, now):
            return SAME
        act = self._set(to)
        return TIME if act == SET and _alike(entry, now.replace(mtime=entry.mtime)) else act

    def _step_to_file(self, entry: Entry, now: Entry, to: str) -> Step:
        if entry.kind == LINK:
            same = entry.link == now.link
        else:
            same = not entry.has_content or same_content(to, self._contents(entry))
        if not same:
            return self._replaced(entry, to)
        if _alike(entry, now):
            return Step(entry.path, SAME, entry, to)
        act = self._set(to)
        return Step(entry.path, act, entry, to, "" if act == SET else "its mode or time changed since")

    def _set(self, path: str) -> str:
        return SET if self._force or os.lstat(path).st_ctime_ns <= self._until else LEFT

    def _replaced(self, entry: Entry, to: str) -> Step:
        if self._is_the_calls(to):
            self._made_anew |= {to} if entry.kind == FOLDER else set()
            return Step(entry.path, BACK, entry, to)
        beside = f"{to}.{self._suffix}"
        if os.path.lexists(beside) and entry.kind == FILE and same_content(beside, self._contents(entry)):
            return Step(entry.path, SAME, entry, beside, "it is beside already")
        self._moved[entry.path] = beside
        return Step(entry.path, BESIDE, entry, beside, "it changed since")

    def _step_to_nothing(self, entry: Entry, now: Entry | None) -> Step:
        if now is None:
            return Step(entry.path, SAME, entry)
        if self._is_the_calls(entry.path):
            return Step(entry.path, REMOVE, entry, entry.path)
        return Step(entry.path, LEFT, entry, why="it was made or changed since")

    def _is_the_calls(self, path: str) -> bool:
        """Whether nothing there, or below it, changed after the call."""
        if self._force:
            return True
        status = os.lstat(path)
        if status.st_ctime_ns > self._until:
            return False
        if S_ISDIR(status.st_mode):
            for folder, names, files in os.walk(path):
                for name in (*names, *files):
                    if os.lstat(os.path.join(folder, name)).st_ctime_ns > self._until:
                        return False
        return True


def _alike(entry: Entry, now: Entry) -> bool:
    kept = (entry.mode, entry.mtime, entry.uid, entry.gid, entry.xattrs)
    return kept == (now.mode, now.mtime, now.uid, now.gid, now.xattrs)


def _blocked(path: str) -> str:
    """A link where a folder was would lead what is brought back elsewhere."""
    folder = os.path.dirname(path)
    while folder and not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if os.path.realpath(folder) != folder:
        return "a folder above it is a link now"
    return ""
