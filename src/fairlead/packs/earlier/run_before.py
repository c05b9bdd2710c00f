"""Runs what an earlier call brought from another machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fairlead.packs.earlier.moments import when
from fairlead.packs.earlier.run_paths import (
    LOADS,
    RECIPES,
    builds,
    is_loaded,
    may_run_files,
    printed_files,
    read_files,
    real,
    run_paths,
)
from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Note
from fairlead.shell.effects.effect import RUNS_CLONED, RUNS_CLONED_TOLD, RUNS_FETCHED, Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.run_downloads import INTERPRETERS
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import DATA_ENDINGS

_PROGRAM_FOLDERS = ("/bin", "/sbin", "/.bin", "/scripts", "/tools")


def runs_fetched(call: Call, memory: Memory) -> Iterator[Effect]:
    """A file that was fetched, the project in a folder that was, and one whose recipe was."""
    fetched = memory.all_fetched()
    if not fetched:
        return
    seen: set[str] = set()
    for path, command in _runs(call, _as_meant(tuple(fetched))):
        if path and path not in seen:
            seen.add(path)
            yield from _run(path, command, memory, call.where)


def _runs(call: Call, fetched: _Fetched) -> Iterator[tuple[str, Command]]:
    commands = [c for c in call.script.commands if not any(wrapper.place for wrapper in c.wrappers)]
    for command in commands:
        if may_run_files(command) or fetched.names(command):
            paths = list(run_paths(command, call.where))
            yield from ((path, command) for path in (*paths, *fetched.meant_by(command, paths, call.where)))
    first = commands[0] if commands else Command((), None)
    yield from ((path, first) for path in read_files(call.script) if not path.endswith(_STATEMENTS))
    yield from ((real(text, first, call.where), first) for text in printed_files(call.script))
    for code in call.script.code:
        if LOADS.search(code.text):
            yield from (
                (path, code.command)
                for path in fetched.paths
                if not path.endswith(_DATA) and is_loaded(path, code.text)
            )


_STATEMENTS = ".sql"
"""What a database is told is judged by what it says, whoever wrote it."""
_DATA = (*DATA_ENDINGS, _STATEMENTS)


class _Fetched:
    """What was fetched, by the ways in which a command can mean it without its path."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths
        self._programs: dict[str, str] = {}
        self._recipes: dict[str, str] = {}
        self._above: dict[str, str] = {}
        for path in self.paths:
            folder, _, name = path.rpartition("/")
            if folder.endswith(_PROGRAM_FOLDERS):
                self._programs[name] = path
            if name in RECIPES:
                self._recipes[folder] = path
            while folder:
                self._above[folder] = path
                if name == "conftest.py":
                    self._recipes.setdefault(folder, path)
                folder = folder.rpartition("/")[0]

    def names(self, command: Command) -> bool:
        """Whether its bare name is that of a program that was fetched."""
        return bool(command.argv) and command.argv[0].text in self._programs

    def meant_by(self, command: Command, paths: list[str], where: Surroundings) -> Iterator[str]:
        """By its bare name, as the recipe of the folder, by a glob."""
        if not command.argv:
            return
        yield self._programs.get(command.argv[0].text, "")
        if builds(command):
            yield command.cwd or ""
            yield self._recipes.get(command.cwd or "", "")
        if any(word.glob for word in command.argv):
            yield from (self._above.get(path, "") for path in paths)
        if command.name in INTERPRETERS or command.argv[0].opaque:
            yield from (self._above.get(path, "") for path in _begun(command, where))


_as_meant = lru_cache(maxsize=8)(_Fetched)
"""Made when something was fetched, and asked at every later call of the session."""


def _begun(command: Command, where: Surroundings) -> Iterator[str]:
    """Folders of which some file is meant: `for f in vendor/*.sh; do bash "$f"; done`."""
    for word in command.argv:
        if word.opaque and word.prefix.endswith("/"):
            yield real(word.prefix.rstrip("/"), command, where)


def _run(path: str, command: Command, memory: Memory, where: Surroundings) -> Iterator[Effect]:
    origin = memory.fetched(path)
    if origin is None or memory.checked(path) or memory.checked(origin.subject):
        return
    target = resolve(Word(path), command, where)
    name = _name(origin, memory)
    yield Effect(Action.RUN_NETWORK_CODE, name, command, target, what=shown(command), detail=_told(origin))


def _name(origin: Note, memory: Memory) -> str:
    if origin.program != "git clone":
        return RUNS_FETCHED
    return RUNS_CLONED_TOLD if memory.untrusted_before(origin.at) else RUNS_CLONED


def _told(origin: Note) -> str:
    return f"{origin.subject} came from {origin.source or 'elsewhere'} by `{origin.program}` {when(origin)}"
