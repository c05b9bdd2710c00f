"""What a file that the session changed did before: that was the person's own work, and still is.

`make nuke` does what the person wrote, though the session has added another target since. What the file was
before is what the last commit holds, as long as the index says that this is what lay there when the session
first changed it: whatever the session committed itself vouches for nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.readings import effects_with
from fairlead.packs.project_files.owners import WRITTEN
from fairlead.packs.project_files.sight import FileRead
from fairlead.packs.repository.commit_trees import content_at, store_of
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.index import read_index
from fairlead.packs.repository.last_commit import head_commit
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.sessions.memory import Memory
from fairlead.sessions.recollection import MARKS
from fairlead.shell.effects.effect import Effect
from fairlead.shell.normal_form import command_text

_Deed = tuple[object, ...]


class EarlierVersions:
    """Of the files that one call would run; they are read when the first objection asks for them."""

    def __init__(self, call: Call, memory: Memory) -> None:
        self._call, self._memory = call, memory
        self._deeds: frozenset[_Deed] | None = None

    def did(self, effect: Effect) -> bool:
        """Whether the call would have done just this with the files as they were before the session."""
        if self._deeds is None:
            self._deeds = frozenset(self._done_before())
        return _deed(effect) in self._deeds

    def _done_before(self) -> Iterator[_Deed]:
        versions = dict(self._versions())
        commands = self._call.script.commands
        cwd = commands[0].cwd if commands else None
        if versions and cwd is not None:
            for effect in effects_with(self._call.script.text, cwd, self._call.where, versions):
                origin = effect.command.origin
                if origin is not None and origin.path in versions:
                    yield _deed(effect)

    def _versions(self) -> Iterator[tuple[str, bytes]]:
        for file in self._call.files:
            if file.owner == WRITTEN and file.path == file.real:
                held = self._before(file)
                if held is not None:
                    yield file.path, held

    def _before(self, file: FileRead) -> bytes | None:
        """None where it cannot be told."""
        note = self._memory.wrote(file.real)
        marks = note.source.split() if note is not None and note.existed else []
        if not 0 < len(marks) < MARKS:  # of more changes than are kept, nobody knows the first
            return None
        try:
            return _committed(file.real, marks[0])
        except (CannotTell, OSError, ValueError, RecursionError):
            return None


def _committed(path: str, mark: str) -> bytes | None:
    """What the last commit holds at a path, if the index says that it lay there when the file had this mark."""
    budget = Budget()
    repository = find_repository(os.path.dirname(path), budget)
    if repository is None or repository.has_reftable:
        return None
    name = os.fsencode(os.path.relpath(path, repository.top))
    entry = read_index(repository, budget).get(name)
    if entry is None or entry.pending or entry.mark != mark:
        return None
    commit = head_commit(repository, budget)
    found = content_at(store_of(repository), commit, name) if commit else None
    return found[1] if found is not None and found[0] == entry.object else None


def _deed(effect: Effect) -> _Deed:
    """All that makes it what it is, but for the line in which it stands."""
    target, command = effect.target, effect.command
    place = (target.path, target.pattern, target.place) if target is not None else ()
    origin = command.origin.path if command.origin is not None else ""
    done = (effect.action, effect.name, effect.recursive, effect.forced, effect.detail, effect.what)
    given = tuple(sorted((name, word.text) for name, word in command.assignments.items()))
    fed = (command.stdin.kind, command.stdin.text, command.stdin.shown)
    through = tuple(tuple(word.text for word in wrapper.argv) for wrapper in command.wrappers)
    return (*done, place, command_text(command), command.cwd, command.via, given, fed, through, origin)
