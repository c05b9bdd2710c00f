"""Names that a call gives to something new that is no file."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.losses.deleted_branches import created_branches
from fairlead.packs.places.secret_files.added_variables import added_names
from fairlead.sessions.note import Kind, Note


def name_notes(call: Call) -> Iterator[Note]:
    for effect in call.effects:
        for name in added_names(effect):
            yield Note(Kind.NAMED, name, program=effect.command.name)
    for command in call.script.commands:
        if command.name == "git":
            for ref, commit in created_branches(command):
                yield Note(Kind.NAMED, ref, commit, "git")
