"""Patches: each of them names the files that it changes."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.overlays.feeding import fed_overlays
from fairlead.shell.effects.overlays.overlay import Kind, Overlay, Source, here, path_of, unseen
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Word

_VALUED = (
    "-p",
    "--strip",
    "-i",
    "--input",
    "-d",
    "--directory",
    "-o",
    "-r",
    "-D",
    "-F",
    "-B",
    "-z",
    "-V",
    "-Y",
)


def patched_files(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """`patch -d DIR -p1 < FILE`. Told which file to change, it does not look at the names in the patch."""
    given = read_arguments(command.argv[1:], valued=_VALUED)
    if given.has("--dry-run", "-C", "--check", "-v", "--version") or given.operands:
        return
    directory = given.value("-d", "--directory")
    folder = path_of(directory, command, where) if directory is not None else here(command, where)
    level = given.text("-p", "--strip")
    strip = int(level) if level.isdecimal() and len(level) < 4 else None
    if folder:
        overlay = Overlay(command, folder, unseen(""), strip=strip, leads_out=True)
        inside = command.replace(cwd=folder)  # it changes there before it opens the patch
        yield from patch_overlays(overlay, given.value("-i", "--input"), inside, sources, where)


def patch_overlays(
    overlay: Overlay, file: Word | None, inside: Command, sources: Sources, where: Surroundings
) -> Iterator[Overlay]:
    """The overlay with its source: a file, a text in the command itself, or what comes in."""
    if file is not None and file.text != "-":
        path = path_of(file, inside, where)
        source = Source(Kind.PATCH, path) if path else unseen("its name is not known")
        yield overlay.replace(source=source)
    elif overlay.command.stdin.text is not None:
        yield overlay.replace(source=Source(Kind.PATCH, text=overlay.command.stdin.text))
    else:
        for fed in fed_overlays(overlay, sources, where):
            is_file = fed.source.kind is Kind.ARCHIVE
            yield fed.replace(source=fed.source.replace(kind=Kind.PATCH)) if is_file else fed
