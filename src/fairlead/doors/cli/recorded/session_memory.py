"""The memory of one session, found by the agent's own name of it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.dialects.agent_registry import AGENTS
from fairlead.policy.places import Places
from fairlead.sessions.memory import session_key
from fairlead.sessions.note import Note
from fairlead.sessions.note_files import ENDING, NoteFiles

_LIBRARY = ("generic", "library")


def remembered(places: Places, session: str, *, agent: str = "") -> list[Note]:
    """Its notes, the oldest first."""
    files = _files(places)
    found = (files.recollect(session_key(name, session)) for name in agents_of(places, session, agent=agent))
    return sorted((note for known in found if known for note in known.notes()), key=lambda note: note.at)


def forget_session(places: Places, session: str, *, agent: str = "") -> bool:
    files = _files(places)
    names = list(agents_of(places, session, agent=agent))
    forgotten = [name for name in names if files.forget(session_key(name, session))]
    return bool(forgotten)


def agents_of(places: Places, session: str, *, agent: str = "") -> Iterator[str]:
    """The agents of which a session of that name is remembered."""
    folder = _files(places).folder
    for name in (agent,) if agent else (*AGENTS, *_LIBRARY):
        if os.path.exists(os.path.join(folder, f"{session_key(name, session)}{ENDING}")):
            yield name


def _files(places: Places) -> NoteFiles:
    return NoteFiles(os.path.join(places.state, "sessions"))
