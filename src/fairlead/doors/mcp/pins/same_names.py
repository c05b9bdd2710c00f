"""Names of tools that a person or a model may take for those of another server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unicodedata import normalize

from fairlead.doors.mcp.pins.server_record import ServerRecord
from fairlead.doors.mcp.pins.visible import is_unseen

_ALIKE = str.maketrans(
    "01i|5\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u03bf\u03b1\u03b5\u0131",
    "olllsaeopcyxlsdoael",
    "-_./ ",
)
"""Digits and letters of other alphabets, what they look like, and what nobody sees between words."""


def skeleton(name: str) -> str:
    """The same for names that look alike."""
    seen = "".join(letter for letter in name if not is_unseen(letter))
    return normalize("NFKC", seen).lower().translate(_ALIKE)


def taken_by(names: Iterable[str], others: Iterable[ServerRecord]) -> Iterator[tuple[str, str, str]]:
    """Each name that another server has, too, or one that looks like it: the name, that name, the server."""
    own = {skeleton(name): name for name in names}
    for other in others:
        for theirs in sorted(other.tool_names):
            if skeleton(theirs) in own:
                yield own[skeleton(theirs)], theirs, other.key.name
