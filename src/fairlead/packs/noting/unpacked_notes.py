"""What comes out of an archive that was fetched, in this line or before."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Kind, Note
from fairlead.shell.effects.overlays.lister import Lister
from fairlead.shell.effects.overlays.overlay import Kind as SourceKind
from fairlead.shell.effects.overlays.overlay import Overlay
from fairlead.shell.effects.overlays.unpacking import UNPACKERS
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word

_ROOM = frozenset((Place.PROJECT, Place.GENERATED, Place.TEMPORARY))
"""Where a folder may be marked as a whole; elsewhere much lies beside what was unpacked."""
_MOST = 64


def unpacked_notes(
    command: Command, call: Call, memory: Memory, *, here: dict[str, str], piped: str
) -> Iterator[Note]:
    """`here` are the files that the line itself fetches, by where from; `piped` is what feeds the command."""
    reader = UNPACKERS.get(command.name)
    if reader is None:
        return
    for overlay in reader(command, Sources(call.script), call.where):
        path = overlay.source.path
        source = here.get(path) or (piped if overlay.source.kind is not SourceKind.ARCHIVE else "")
        origin = memory.fetched(path) if path and not source else None
        if origin is not None and memory.checked(origin.subject) is None:
            source = origin.source
        if source:
            for place in list(dict.fromkeys(_places(overlay, call.where)))[:_MOST]:
                yield Note(Kind.FETCHED, place, source, command.name)


def _places(overlay: Overlay, where: Surroundings) -> Iterator[str]:
    """The new files and folders at the top, as far as they can be told; else the folder that was named."""
    archive = overlay.source.kind is SourceKind.ARCHIVE
    listing = Lister().listed(overlay.source) if archive else None
    for name in listing.names if listing is not None else ():
        parts = [part for part in name.split("/") if part not in ("", ".")][overlay.strip or 0 :]
        if parts:
            yield f"{overlay.folder}/{parts[0]}"
    if listing is None or listing.unseen:
        target = resolve(Word(overlay.folder), overlay.command, where)
        if target.place in _ROOM and target.path != where.root:
            yield target.real or target.path
