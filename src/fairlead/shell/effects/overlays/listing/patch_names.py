"""The files that a patch changes, by its headers."""

from __future__ import annotations

import re

from fairlead.shell.effects.overlays.listing.listed_names import TOO_MANY, Found, Listing
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import open_file

_LONGEST = 4 << 20
_HEADER = lazy(
    r"^(?:(?:---|\+\+\+|\*\*\*|Index:|rename (?:from|to)|copy (?:from|to)) +(?P<name>\S.*?)(?:\t.*)?"
    r"|diff --git (?P<pair>.+))\r?$",
    re.MULTILINE,
)
_QUOTED = lazy(r'"((?:[^"\\]|\\.)*)"')
_RANGE = lazy(r"\d+(?:,\d+)? (?:\*\*\*\*|----)|-+|\*+")


def patch_file_names(path: str) -> Listing | None:
    """None where there is no such file."""
    file = open_file(path)
    if file is None:
        return None
    with file:
        try:
            data = file.read(_LONGEST + 1)
        except OSError:
            return Listing(unseen="it cannot be read")
    if len(data) > _LONGEST:
        return Listing(unseen="it is too large to be looked through")
    return patch_names(data.decode("utf-8", "replace"))


def patch_names(text: str) -> Listing:
    found = Found()
    for match in _HEADER.finditer(text):
        for name in _halves(match["pair"]) if match["pair"] else (_plain(match["name"]),):
            if name not in ("", "/dev/null") and name not in found.names[-2:] and not _RANGE.fullmatch(name):
                found.add(name)
        if found.full:
            return found.listing(TOO_MANY)
    return found.listing()


def _halves(pair: str) -> tuple[str, ...]:
    """`a/NAME b/NAME`: the same name twice, with or without quotes."""
    if '"' in pair:
        return tuple(map(_unescaped, _QUOTED.findall(pair)))
    middle = len(pair) // 2
    return (pair[:middle], pair[middle + 1 :]) if pair[middle : middle + 1] == " " else tuple(pair.split(" "))


def _plain(name: str) -> str:
    quoted = _QUOTED.match(name)
    return _unescaped(quoted[1]) if quoted else re.sub(r" {2,}.*| \d{4}-\d\d-\d\d .*", "", name).rstrip()


def _unescaped(text: str) -> str:
    """git writes other letters as octal numbers."""
    plain = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8) & 0xFF), text)
    return plain.replace("\\t", "\t").replace('\\"', '"').replace("\\\\", "\\")
