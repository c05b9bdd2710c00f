"""Files and repositories from elsewhere that a person let run."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.earlier.run_before import runs_fetched
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.file_notes import noted_path
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Kind, Note


def consented_runs(call: Call, memory: Memory) -> Iterator[Note]:
    """A repository counts as a whole; of what was downloaded only the file that ran."""
    for effect in runs_fetched(call, memory):
        path = noted_path(effect.target)
        origin = memory.fetched(path) if path else None
        if origin is not None:
            subject = origin.subject if origin.program == "git clone" else path
            yield Note(Kind.CHECKED, subject, "consent")
