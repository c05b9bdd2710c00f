"""Files that a call makes, changes, moves and deletes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.leaving import LOSING, WRITING
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Kind, Note, mark_of
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, resolve
from fairlead.shell.script import Word

_NOWHERE = frozenset((Place.SINK, Place.REMOTE, Place.REMOTE_ROOT, Place.DEVICE, Place.UNKNOWN, Place.GUARD))
_COPYING = frozenset(("cp", "mv", "ln", "install", "ditto"))
_MOVING = frozenset(("mv", "git-mv"))
_MAKING_FOLDERS = frozenset(("mkdir", "git-clone", "git-worktree"))
_WHOLE = frozenset(("tool-write",))
"""Ways to write all of a file out of the call itself."""


def file_notes(call: Call, memory: Memory) -> Iterator[Note]:
    """In the order in which it happens; what is there is looked up before it does."""
    for effect in call.effects:
        path = noted_path(effect.target) if effect.action in WRITING or effect.action in LOSING else ""
        if effect.action is Action.MOVE_AWAY:
            yield from _moved(effect, path, call.where, memory)
        elif path and effect.action in WRITING:
            yield from _written(effect, path)
        elif path:
            yield Note(Kind.GONE, path)
    for effect in call.effects:
        if effect.action is Action.READ and effect.name in _COPYING:
            for destination in _destinations(effect, call):
                yield from _carried(noted_path(effect.target), destination, memory)


def _destinations(effect: Effect, call: Call) -> list[str]:
    if effect.name != "ln":
        return [effect.detail]
    made = (each for each in call.effects if each.command is effect.command and each.action in WRITING)
    return [each.target.path for each in made if each.target is not None]


def noted_path(target: Target | None) -> str:
    """With its links followed; empty for what is no one file or folder of this machine."""
    if target is None or target.pattern or target.everything or target.place in _NOWHERE:
        return ""
    return target.real or target.path


def _written(effect: Effect, path: str) -> Iterator[Note]:
    if effect.name in _MOVING or os.path.isdir(path):
        return
    program = _program(effect)
    if effect.name in _MAKING_FOLDERS or effect.name.startswith("tool-"):
        above = topmost_missing(os.path.dirname(path))
        if above:
            yield Note(Kind.WROTE, above, program=program)
    yield Note(Kind.WROTE, path, _mark(path), program, existed=os.path.lexists(path))
    if effect.name in _WHOLE:
        yield Note(Kind.REPLACED, path)


def _mark(path: str) -> str:
    try:
        return mark_of(os.lstat(path))
    except OSError:
        return ""


def topmost_missing(folder: str) -> str:
    """The first folder on the way that is not there yet; empty where all are."""
    found = ""
    while folder not in ("", "/") and not os.path.lexists(folder):
        found, folder = folder, os.path.dirname(folder)
    return found


def _moved(effect: Effect, path: str, where: Surroundings, memory: Memory) -> Iterator[Note]:
    """What is moved is what it was before, under its new name. What is not known may be older than the
    session, and so may then be what lies where it goes."""
    going = resolve(Word(effect.detail), effect.command, where) if effect.detail else None
    destination = noted_path(going)
    made = bool(path) and memory.made(path) is not None
    for place in _places_of(destination, path):
        if made:
            yield Note(Kind.WROTE, place, program=_program(effect), existed=os.path.lexists(place))
        elif effect.name != "git-mv" or not _is_untouched(path, place, memory):
            yield Note(Kind.OLDER, place, program=_program(effect))
    if path:
        yield from _carried(path, destination, memory)
        yield Note(Kind.GONE, path)


def _is_untouched(path: str, place: str, memory: Memory) -> bool:
    """Whether the session has to do with neither name: what git knows and moves is still the person's work."""
    return bool(path) and not any(memory.wrote(each) or memory.made(each) for each in (path, place))


def _carried(path: str, destination: str, memory: Memory) -> Iterator[Note]:
    """A copy of what was fetched was fetched, and what the session wrote in a folder is its own in a copy."""
    for note in memory.written_within(path) if path else ():
        inside = note.subject[len(path) :]
        for place in _places_of(destination, path) if inside else ():
            yield Note(Kind.WROTE, place + inside, program=note.program, existed=note.existed)
    origin = memory.fetched(path) if path else None
    if origin is not None and memory.checked(origin.subject) is None:
        for place in _places_of(destination, path):
            yield Note(Kind.FETCHED, place, origin.source, origin.program)


def _places_of(destination: str, path: str) -> Iterator[str]:
    if destination.startswith("/"):
        into = bool(path) and os.path.isdir(destination)
        yield os.path.join(destination, os.path.basename(path)) if into else destination


def _program(effect: Effect) -> str:
    return effect.command.name or effect.name.removeprefix("tool-")
