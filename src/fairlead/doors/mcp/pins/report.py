"""What a door is told of definitions that it saw, in words for people and for models."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from enum import StrEnum

from fairlead.doors.mcp.pins.definition import Kind
from fairlead.doors.mcp.pins.item import Why
from fairlead.doors.mcp.pins.poison.search import Finding
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.visible import in_one_line
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

_NAME = 80


class NoticeKind(StrEnum):
    FIRST_SIGHT = "first-sight"
    NEW = "new"
    WAITS = "waits"
    REST_CHANGED = "rest-changed"
    BACK = "as-pinned-again"
    SAME_NAME = "same-name"
    UPGRADED = "upgraded"
    UNPINNED = "unpinned"
    OTHER_SERVER = "other-server"
    UNREADABLE = "unreadable"


class Notice(Value):
    """For the person. `blocks`: something is refused until somebody looked."""

    kind: NoticeKind
    server: str
    text: str
    names: tuple[str, ...] = ()
    blocks: bool = False


class PinReport(Value):
    """`blocked` says why, by the names that are to be left out of a list."""

    notices: tuple[Notice, ...] = ()
    blocked: Mapping[str, str] = NOTHING  # type: ignore[assignment]


_WHY: Mapping[Why, str] = {
    Why.NOT_LOOKED_AT: "nobody has looked at it yet",
    Why.CHANGED: "it is no longer what was pinned",
    Why.MILDER: "it promises less harm than what was pinned",
    Why.POISONED: "its text has what no definition needs",
    Why.DUPLICATE: "the server lists it twice, with different definitions",
    Why.UNPINNABLE: "its definition cannot be pinned",
    Why.NEVER_LISTED: "the server does not list it, so nobody could look at it",
    Why.TOO_MANY: "the server lists more than can be pinned",
}
_LOOKABLE = frozenset((Why.NOT_LOOKED_AT, Why.CHANGED, Why.MILDER, Why.POISONED))


def refusal(key: ServerKey, kind: Kind, name: str, why: Iterable[Why], shapes: Iterable[str] = ()) -> str:
    """Why something is refused, and the command that shows it. What the server says is not quoted."""
    reasons = [*why]
    said = ", and ".join(_WHY[each] for each in reasons)
    found = ", ".join(dict.fromkeys(shapes))
    said += f" ({found})" if found else ""
    text = f"{_called(kind, name)} of the MCP server {shown(key.name)} is held back: {said}."
    if not _LOOKABLE.isdisjoint(reasons):
        words = command_words(key, name)
        text += (
            f" The person can look with `fairlead mcp diff {words}`, "
            f"and let it through with `fairlead mcp pin {words}`."
        )
    return text


def _called(kind: Kind, name: str) -> str:
    return "the text to models" if kind is Kind.INSTRUCTIONS else f"the {kind} {shown(name)}"


def server_refusal(key: ServerKey, *, known: bool) -> str:
    words = command_words(key)
    said = (
        "its command or its program is another one than was pinned"
        if known
        else "nobody has looked at it yet"
    )
    return (
        f"the MCP server {shown(key.name)} is held back: {said}. The person can look with "
        f"`fairlead mcp diff {words}`, and let it through with `fairlead mcp pin {words}`."
    )


def shown(name: str) -> str:
    return f"'{in_one_line(name, most=_NAME)}'"


def command_words(key: ServerKey, *names: str) -> str:
    """As they can be typed; a name that could not be is left out, and then all of the server is meant."""
    fit = [name for name in (key.name, *names) if name.isprintable() and len(name) <= _NAME]
    return " ".join(map(shlex.quote, fit))


def shapes_of(findings: Iterable[Finding]) -> list[str]:
    return [finding.shape for finding in findings]
