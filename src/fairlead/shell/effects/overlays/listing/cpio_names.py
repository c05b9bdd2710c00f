"""The names in a cpio archive of the two portable forms."""

from __future__ import annotations

from fairlead.shell.effects.overlays.listing.listed_names import TOO_MANY, Found, Listing
from fairlead.shell.effects.overlays.listing.streams import Stream, Unlistable

_NEW, _OLD = (b"070701", b"070702"), b"070707"
_LONGEST = 4096
_MOST_HEADERS = 8_000
_LINK, _FOLDER, _KIND = 0o120000, 0o040000, 0o170000
_BROKEN = "a part of it is broken"


def is_cpio(head: bytes) -> bool:
    return head.startswith((*_NEW, _OLD))


def cpio_names(stream: Stream) -> Listing:
    found = Found()
    for _ in range(_MOST_HEADERS):
        magic = stream.read(6)
        if not is_cpio(magic):
            return found.listing("" if not magic.strip(b"\0") and len(found.names) else _BROKEN)
        mode, name, size = _old(stream) if magic == _OLD else _new(stream)
        if name == "TRAILER!!!":
            return found.listing()
        link = ""
        if mode & _KIND == _LINK:
            if size > _LONGEST:
                raise Unlistable(_BROKEN)
            link = stream.read(size).decode("utf-8", "replace")
            size = 0 if magic == _OLD else -size % 4
        if mode & _KIND != _FOLDER:
            found.add(name, link=link)
        stream.skip(size if magic == _OLD or link else size + -size % 4)
        if found.full:
            return found.listing(TOO_MANY)
    return found.listing(TOO_MANY)


def _new(stream: Stream) -> tuple[int, str, int]:
    header = stream.read(104)
    mode, size, name_size = (_number(header[8 * i : 8 * i + 8], 16) for i in (1, 6, 11))
    name = _name(stream, name_size)
    stream.skip(-(110 + name_size) % 4)
    return mode, name, size


def _old(stream: Stream) -> tuple[int, str, int]:
    header = stream.read(70)
    mode, name_size, size = (_number(header[a:b], 8) for a, b in ((12, 18), (53, 59), (59, 70)))
    return mode, _name(stream, name_size), size


def _name(stream: Stream, size: int) -> str:
    if not 0 < size <= _LONGEST:
        raise Unlistable(_BROKEN)
    return stream.read(size).split(b"\0", 1)[0].decode("utf-8", "replace")


def _number(digits: bytes, base: int) -> int:
    try:
        return int(digits, base)
    except ValueError:
        raise Unlistable(_BROKEN) from None
