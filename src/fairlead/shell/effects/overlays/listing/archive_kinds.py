"""The names in an archive of whatever form."""

from __future__ import annotations

from typing import BinaryIO

from fairlead.shell.effects.overlays.listing.cpio_names import cpio_names, is_cpio
from fairlead.shell.effects.overlays.listing.listed_names import Listing
from fairlead.shell.effects.overlays.listing.streams import Stream, Unlistable, stream_of
from fairlead.shell.effects.overlays.listing.tar_names import is_tar, tar_names
from fairlead.shell.effects.overlays.listing.zip_names import zip_names
from fairlead.shell.places.world import open_file


def names_in(path: str) -> Listing | None:
    """None where there is no such file."""
    file = open_file(path)
    if file is None:
        return None
    with file:
        try:
            return _names(file)
        except Unlistable as reason:
            return Listing(unseen=str(reason))
        except Exception:  # noqa: BLE001 - an archive is hostile: whatever it breaks, its names are unknown
            return Listing(unseen="it is broken")


def _names(file: BinaryIO) -> Listing:
    """One file may be a zip by its end and a tar by its beginning; each program takes what it knows."""
    zipped = zip_names(file)
    file.seek(0)
    stream = stream_of(file)
    head = stream.read(512)
    if is_tar(head):
        listed = tar_names(_Again(head, stream))
    elif is_cpio(head):
        listed = cpio_names(_Again(head, stream))
    else:
        return zipped or Listing(unseen="its format is not known")
    if zipped is None:
        return listed
    return Listing(listed.names + zipped.names, listed.links, listed.unseen or zipped.unseen)


class _Again:
    """A stream from its beginning, although that was looked at."""

    def __init__(self, head: bytes, rest: Stream) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int) -> bytes:
        taken, self._head = self._head[:size], self._head[size:]
        return taken + self._rest.read(size - len(taken)) if len(taken) < size else taken

    def skip(self, size: int) -> None:
        kept = min(size, len(self._head))
        self._head = self._head[kept:]
        if size > kept:
            self._rest.skip(size - kept)
