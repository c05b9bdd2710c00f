"""Lists the sources of one line, each of them once, and all of them within one bound."""

from __future__ import annotations

from fairlead.shell.effects.overlays.listing.archive_kinds import names_in
from fairlead.shell.effects.overlays.listing.folders import files_below
from fairlead.shell.effects.overlays.listing.listed_names import MOST_NAMES, TOO_MANY, Listing
from fairlead.shell.effects.overlays.listing.patch_names import patch_file_names, patch_names
from fairlead.shell.effects.overlays.overlay import Kind, Source
from fairlead.shell.places.world import is_folder, is_there

_MOST_TOGETHER = 2 * MOST_NAMES
_OF_EACH = 50
"""What opening a source counts beside its names: a line may name many."""
_OF_ARCHIVE = 500


class Lister:
    def __init__(self) -> None:
        self._left = _MOST_TOGETHER
        self._known: dict[Source, Listing | None] = {}

    def listed(self, source: Source) -> Listing | None:
        """None for what is not there."""
        if source not in self._known:
            if self._left <= 0:
                return Listing(unseen=TOO_MANY)
            found = _listed(source)
            self._left -= _OF_ARCHIVE if source.kind is Kind.ARCHIVE else _OF_EACH
            self._left -= len(found.names) if found is not None else 0
            self._known[source] = found
        return self._known[source]


def _listed(source: Source) -> Listing | None:
    if source.kind is Kind.NAMES:
        return Listing(source.names)
    if source.kind is Kind.UNSEEN:
        return Listing(unseen=source.unseen)
    if source.kind is Kind.ARCHIVE:
        return names_in(source.path)
    if source.kind is Kind.PATCH:
        return patch_names(source.text) if source.text is not None else patch_file_names(source.path)
    if is_folder(source.path):
        return files_below(source.path, prefix=source.prefix, follows=source.follows)
    if not is_there(source.path):
        return None
    return Listing((source.prefix.rstrip("/"),) if source.prefix else ())
