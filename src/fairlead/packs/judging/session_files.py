"""Files that a call would run and that this session wrote or fetched: whatever became of them since, they are not
the person's own work."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.model.event import Event
from fairlead.model.installation import Installation
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.call_effects import Call, read_anew, read_call
from fairlead.packs.judging.guard_settings import NONE
from fairlead.sessions.memory import Memory
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.programs.lookup import Programs
from fairlead.shell.script import Command, FileUnread, Why

_MOST_COLLECTED = 20
_UNREAD = {
    Why.TOO_BIG: "it is too big",
    Why.TOO_MANY: "the call runs too many files",
    Why.BINARY: "it is no text",
    Why.UNREADABLE: "it is no ordinary file that may be read",
}


def call_in_session(
    event: Event, installation: Installation, programs: Programs, *, follow: str, memory: Memory
) -> Call | None:
    """The call as the packs see it, with what is known of its files from earlier calls."""
    if follow == NONE:
        return read_call(event, installation, programs, False)
    call = read_call(event, installation, programs)
    if call is None or not (call.files or call.left or call.script.unread or call.script.collected):
        return call
    if memory.is_empty():
        return call
    return _with_memory(call, event, installation, programs, memory)


def _with_memory(
    call: Call, event: Event, installation: Installation, programs: Programs, memory: Memory
) -> Call:
    left = [path for path in call.left if _owner(os.path.realpath(path), memory)]
    also = frozenset((*left, *_collected(call, memory)))
    if also:
        call = _read_also(event, installation, programs, also) or call
    unread = [
        part
        for part in call.script.unread
        if part.why in _UNREAD and _owner(os.path.realpath(part.path), memory)
    ]
    owners = {file.path: _owner(file.real, memory) for file in call.files}
    if not unread and not any(owners.values()):
        return call
    files = tuple(file.replace(owner=owners[file.path] or file.owner) for file in call.files)
    if not unread:
        return call.replace(files=files)
    effects = (*call.effects, *_unread_effects(unread, event.cwd))
    return call.replace(files=files, effects=effects, kept=None)


def _collected(call: Call, memory: Memory) -> list[str]:
    """The files of the session among those that a runner takes out of a folder, the last ones: only they are
    worth the time that it takes to read them."""
    found: dict[str, None] = {}
    for taken in call.script.collected:
        real = os.path.realpath(taken.folder)
        for note in memory.written_within(real):
            path = taken.folder + note.subject[len(real) :]
            if taken.has(path):
                found[path] = None
    return list(found)[-_MOST_COLLECTED:]


@once_for_each(2)
def _read_also(
    event: Event, installation: Installation, programs: Programs, also: frozenset[str]
) -> Call | None:
    return read_anew(event, installation, programs, also=also)


def _owner(real: str, memory: Memory) -> str:
    """As whose the session knows a file, by its path with all links followed; empty where it does not."""
    from fairlead.packs.project_files.owners import FETCHED, WRITTEN

    if memory.fetched(real):
        return FETCHED
    return WRITTEN if memory.wrote(real) else ""


def _unread_effects(unread: list[FileUnread], cwd: str) -> Iterator[Effect]:
    for part in unread:
        command = Command((), cwd, origin=part.by)
        why = _UNREAD[part.why]
        yield Effect(Action.RUN_UNKNOWN_CODE, "unread-file", command, what=part.path, detail=why)
