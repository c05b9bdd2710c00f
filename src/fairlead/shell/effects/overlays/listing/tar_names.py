"""The names in a tar archive, by its headers alone.

Programs read broken headers differently. Where two of them could take different names from one archive, it
counts as one whose names cannot be told.
"""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.shell.effects.overlays.listing.listed_names import TOO_MANY, Found, Listing
from fairlead.shell.effects.overlays.listing.streams import Stream, Unlistable

_BLOCK = 512
_LONGEST = 64 * 1024
"""Bytes of one header's name or of its extensions."""
_MOST_HEADERS = 8_000
_MOST_ZEROS = 64
_FOLDERS = b"5D"
_LINKS = b"12"
_WITHOUT_DATA = b"123456"
_BROKEN = "a part of it is broken"


class _Extended(Value):
    """What the headers before a member say of it."""

    names: tuple[str, ...] = ()
    link: str = ""
    size: int | None = None


def is_tar(head: bytes) -> bool:
    return len(head) >= _BLOCK and _is_sound(head[:_BLOCK])


def tar_names(stream: Stream) -> Listing:
    """Also those after a mark of the end, which some programs pass over."""
    found, extended, zeros = Found(), _Extended(), 0
    for _ in range(_MOST_HEADERS):
        header = stream.read(_BLOCK)
        if len(header) < _BLOCK or zeros > _MOST_ZEROS:
            return found.listing()
        if not header.strip(b"\0"):
            zeros += 1
            continue
        if not _is_sound(header):
            return found.listing(_BROKEN)
        kind, size = header[156:157], _number(header[124:136])
        if kind in (b"x", b"X", b"g", b"L", b"K"):
            extended = _read_extension(stream, kind, size, extended)
            continue
        size = size if extended.size is None else extended.size
        if size and kind in _WITHOUT_DATA:
            return found.listing(_BROKEN)
        _add(found, header, kind, extended)
        if found.full:
            return found.listing(TOO_MANY)
        if kind == b"S":
            _skip_sparse(stream, header)
        stream.skip(_padded(size))
        extended = _Extended()
    return found.listing(TOO_MANY)


def _add(found: Found, header: bytes, kind: bytes, extended: _Extended) -> None:
    names = extended.names or _plain_names(header)
    link = extended.link or _text(header[157:257])
    for name in names:
        if kind in _FOLDERS or (kind not in _LINKS and name.endswith("/")):
            continue
        found.add(name, link=link if kind == b"2" else "")
    if kind == b"1":  # what is written to one name of a file is written to the other
        found.add(link)


def _plain_names(header: bytes) -> tuple[str, ...]:
    """Where an old form keeps times, a newer one keeps the beginning of the name; programs differ on it."""
    name, prefix = _text(header[:100]), _text(header[345:500])
    if not prefix:
        return (name,)
    whole = f"{prefix}/{name}"
    return (whole,) if header[257:263] == b"ustar\0" else (name, whole)


def _read_extension(stream: Stream, kind: bytes, size: int, known: _Extended) -> _Extended:
    if size > _LONGEST:
        raise Unlistable(_BROKEN)
    data = stream.read(size)
    stream.skip(_padded(size) - size)
    if kind == b"L":
        return known.replace(names=(*known.names, _text(data)))
    if kind == b"K":
        return known.replace(link=_text(data))
    records = dict(_records(data))
    if kind == b"g":
        if not _MEANT_FOR_ONE.isdisjoint(records):
            raise Unlistable(_BROKEN)
        return known
    named = [records[key] for key in ("path", "GNU.sparse.name") if key in records]
    size_text = records.get("size", "")
    if size_text and not size_text.isdecimal():
        raise Unlistable(_BROKEN)
    return known.replace(
        names=(*known.names, *named),
        link=records.get("linkpath", known.link),
        size=int(size_text) if size_text else known.size,
    )


_MEANT_FOR_ONE = frozenset(("path", "linkpath", "size", "GNU.sparse.name"))


def _records(data: bytes) -> list[tuple[str, str]]:
    """`LENGTH KEY=VALUE\\n`, one after the other."""
    records = []
    while data.strip(b"\0"):
        length, space, _ = data.partition(b" ")
        if not space or not length.isdigit() or not len(length) < int(length) <= len(data):
            raise Unlistable(_BROKEN)
        key, _, value = data[len(length) + 1 : int(length)].removesuffix(b"\n").partition(b"=")
        records.append((_text(key), _text(value)))
        data = data[int(length) :]
    return records


def _skip_sparse(stream: Stream, header: bytes) -> None:
    """A map of holes goes on in blocks of its own."""
    more = header[482:483]
    for _ in range(_MOST_ZEROS):
        if more in (b"", b"\0"):
            return
        more = stream.read(_BLOCK)[504:505]
    raise Unlistable(_BROKEN)


def _is_sound(header: bytes) -> bool:
    try:
        given = _number(header[148:156])
    except Unlistable:
        return False
    return given == sum(header) - sum(header[148:156]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    if field[:1] in (b"\x80", b"\xff"):
        return int.from_bytes(field[1:], "big") if field[:1] == b"\x80" else 0
    digits = field.replace(b"\0", b" ").strip()
    try:
        return int(digits, 8) if digits else 0
    except ValueError:
        raise Unlistable(_BROKEN) from None


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode("utf-8", "replace")
