"""The names in a zip archive, by the list at its end."""

from __future__ import annotations

import struct
from typing import BinaryIO

from fairlead.shell.effects.overlays.listing.listed_names import TOO_MANY, Found, Listing
from fairlead.shell.effects.overlays.listing.streams import Unlistable

_END = b"PK\x05\x06"
_ENTRY = b"PK\x01\x02"
_TAIL = 22 + 0xFFFF
"""The end and the longest comment after it."""
_LONGEST_LIST = 4 << 20
_MOST_ENDS = 4
_BROKEN = "a part of it is broken"
_UNICODE_NAME = 0x7075
_LINK = 0o120000


def zip_names(file: BinaryIO) -> Listing | None:
    """None for a file that is no zip. What stands in the comment may be taken for the end: all are read."""
    size = file.seek(0, 2)
    start = max(0, size - _TAIL)
    file.seek(start)
    tail = file.read(_TAIL)
    found, links, ends = Found(), set[str](), 0
    at = tail.rfind(_END)
    while at >= 0:
        ends += 1
        if ends > _MOST_ENDS or len(tail) - at < 22:
            return found.listing(_BROKEN)
        _read_list(file, tail[at : at + 22], start + at, found, links)
        if found.full:
            return found.listing(TOO_MANY)
        at = tail.rfind(_END, 0, at)
    if not ends:
        return None
    below = any(name.startswith(link + "/") for link in links for name in found.names)
    return found.listing("a link in it leads elsewhere" if below else "")


def _read_list(file: BinaryIO, end: bytes, at: int, found: Found, links: set[str]) -> None:
    count, size = struct.unpack("<H", end[10:12])[0], struct.unpack("<I", end[12:16])[0]
    if count == 0xFFFF or size > min(_LONGEST_LIST, at):
        raise Unlistable("its list of names is too long")
    file.seek(at - size)
    entries = file.read(size)
    place = 0
    while entries[place : place + 4] == _ENTRY and len(entries) - place >= 46 and not found.full:
        attributes, lengths = entries[place + 38 : place + 42], entries[place + 28 : place + 34]
        name_size, extra_size, comment_size = struct.unpack("<HHH", lengths)
        extra_at = place + 46 + name_size
        name = _text(entries[place + 46 : extra_at])
        _add(found, (name, *_other_names(entries[extra_at : extra_at + extra_size])))
        if (struct.unpack("<I", attributes)[0] >> 16) & 0o170000 == _LINK:
            links.add(name)
        place = extra_at + extra_size + comment_size
    if place != len(entries) and not found.full:
        raise Unlistable(_BROKEN)


def _add(found: Found, names: tuple[str, ...]) -> None:
    """Archives from Windows have backslashes, which some programs turn around."""
    for name in names:
        for spelled in {name, name.replace("\\", "/")}:
            if spelled and not spelled.endswith("/"):
                found.add(spelled)


def _other_names(extra: bytes) -> list[str]:
    """A name in another encoding, which goes before the first one."""
    names = []
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == _UNICODE_NAME and size > 5:
            names.append(_text(extra[9 : 4 + size]))
        extra = extra[4 + size :]
    return names


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode("utf-8", "replace")
