"""Folders that are copied here from a cloud, a container or another repository."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.files.remote_copies import COPYING
from fairlead.shell.effects.overlays.overlay import Kind, Overlay, Source, path_of, unseen
from fairlead.shell.effects.program_effects import fits
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_WHOLE = names("sync rsync mirror copy bisync clone checkout co export dfs fs")
"""Subcommands that lay the contents of a folder into another one, not the folder."""
_ADDRESS = lazy(r"[\w.-]+:(?!\\)|[a-z][\w+.-]*://")


def fetched_trees(command: Command, where: Surroundings) -> Iterator[Overlay]:
    given = read_arguments(command.argv[1:], valued=("--profile", "--region", "--exclude", "--include", "-n"))
    path, words = COPYING[command.name], given.operands
    if not fits(path, [word.text for word in words]) or given.has("--dry-run", "--dryrun"):
        return
    *sources, destination = words[len(path) :] or words[:1]
    folder = path_of(destination, command, where)
    if not sources or not folder or _ADDRESS.match(destination.text):
        return
    text = sources[-1].text
    name = text.rpartition(":")[2].rpartition("/")[2]
    whole = not _WHOLE.isdisjoint(word.text for word in words[: len(path)]) or name in ("", ".", "..")
    source = unseen("it comes from another machine", network=True)
    if whole:
        yield Overlay(command, folder, source)
    elif is_folder(folder):
        yield Overlay(command, folder, Source(Kind.NAMES, text, names=(name,)))
        yield Overlay(command, f"{folder}/{name}", source)
