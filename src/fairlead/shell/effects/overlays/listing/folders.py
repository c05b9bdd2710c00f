"""The files below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.overlays.listing.listed_names import TOO_MANY, Found, Listing
from fairlead.shell.places.world import folder_entries, link_target

_DEEPEST = 24
_MOST_ENTRIES = 8_000
"""Files and folders together: a tree may be all folders."""


def files_below(folder: str, *, prefix: str = "", follows: bool = False) -> Listing:
    """Level by level, so that the names at the top are among the first, each with `prefix` before it;
    `follows` goes through links."""
    found, left, unseen = Found(), _MOST_ENTRIES, ""
    level = [(prefix, folder)]
    for _ in range(_DEEPEST):
        below: list[tuple[str, str]] = []
        for above, path in level:
            entries = folder_entries(path, left)
            if entries is None:
                unseen = "a part of it cannot be read"
                continue
            left -= len(entries)
            below += _folders(found, entries, above, follows=follows)
            if left <= 0 or found.full:
                return found.listing(TOO_MANY)
        if not below:
            return found.listing(unseen)
        level = below
    return found.listing("it is nested too deep")


def _folders(
    found: Found, entries: Sequence[os.DirEntry[str]], above: str, *, follows: bool
) -> Iterator[tuple[str, str]]:
    """Those among the entries; the rest is added to what was found."""
    for entry in entries:
        name = above + _printable(entry.name)
        if _is_folder(entry, follows=follows):
            yield f"{name}/", entry.path
        elif not found.full:
            found.add(name, link=link_target(entry.path) if entry.is_symlink() else "")


def _printable(name: str) -> str:
    """Without bytes that are no text, which no reason could show."""
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_folder(entry: os.DirEntry[str], *, follows: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=follows)
    except OSError:
        return False
