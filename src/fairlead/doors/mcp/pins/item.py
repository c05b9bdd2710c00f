"""One definition that was pinned or waits for a person, and what follows from seeing it again; no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from fairlead.doors.mcp.pins.canonical import FORMULA, UnpinnableError
from fairlead.doors.mcp.pins.definition import Definition, Kind, define
from fairlead.doors.mcp.pins.poison.search import Finding
from fairlead.model.value import Value

FIRST_SIGHT = "first sight"
"""Who approves what nobody had to look at."""
_UNREAD = frozenset(("_meta", "icons"))
"""Members that some servers change at every start; that is told once for a definition."""


class Why(StrEnum):
    """Why a definition waits for a person."""

    NOT_LOOKED_AT = "not-looked-at"
    CHANGED = "changed"
    MILDER = "milder"
    POISONED = "poisoned"
    DUPLICATE = "duplicate"
    UNPINNABLE = "unpinnable"
    NEVER_LISTED = "never-listed"
    TOO_MANY = "too-many"


class Event(StrEnum):
    """What is told of a definition when it is seen."""

    FIRST = "first-sight"
    NEW = "new"
    WAITS = "waits"
    REST = "rest-changed"
    BACK = "as-pinned-again"


class Waiting(Value):
    definition: Definition
    why: tuple[Why, ...]
    since: str
    findings: tuple[Finding, ...] = ()
    milder: tuple[str, ...] = ()


class Item(Value):
    """`pinned` is what may be used, and `waiting` what the server says now, where that is not the same."""

    kind: Kind
    name: str
    pinned: Definition | None = None
    by: str = ""
    """Who approved it, and `at` when."""
    at: str = ""
    waiting: Waiting | None = None
    restless: bool = False
    """Whether it was told that members change which nobody reads."""


class Sight(Value):
    """How a definition is looked at."""

    members: Mapping[str, object]
    at: str
    first: bool
    """Whether the server's first list is still being read."""
    asks_first: bool = False
    absorbs: bool = True
    """Whether the harmless is pinned without a person: not for a server that is refused as a whole."""


Poison = Callable[[Mapping[str, object]], tuple[Finding, ...]]


def look_at(item: Item, sight: Sight, poison: Poison) -> tuple[Item, Event | None]:
    """The item after this sight, and what is to be told. Raises UnpinnableError."""
    seen = define(sight.members)
    pinned = migrated(item.pinned, sight.members)
    item = item.replace(pinned=pinned)
    if pinned is None:
        return _unpinned(item, seen, sight, poison)
    if not _same_words(pinned, seen):
        return _waits(item, seen, sight, (Why.CHANGED,), poison)
    milder = seen.hints.milder_than(pinned.hints)
    if milder or (pinned.rest != seen.rest and not sight.absorbs):
        return _waits(item, seen, sight, (Why.MILDER,) if milder else (Why.CHANGED,), poison)
    back = Event.BACK if item.waiting else None
    item = item.replace(waiting=None)
    return (item, back) if pinned.rest == seen.rest else _other_rest(item, seen)


def migrated(pinned: Definition | None, members: Mapping[str, object]) -> Definition | None:
    """A pin by an earlier formula, as today's formula makes it, if these members are what it pinned."""
    if pinned is None or pinned.formula == FORMULA:
        return pinned
    try:
        then = define(members, formula=pinned.formula)
        if (then.words, then.rest) == (pinned.words, pinned.rest):
            return define(members)
        return define(pinned.members) if pinned.content else pinned
    except UnpinnableError:
        return pinned  # it fits nothing then, so a person is asked


def _unpinned(item: Item, seen: Definition, sight: Sight, poison: Poison) -> tuple[Item, Event | None]:
    known = item.waiting
    if known and known.definition.words == seen.words and known.why[0] is not Why.NOT_LOOKED_AT:
        return item.replace(waiting=known.replace(definition=seen)), None
    findings = poison(sight.members)
    if findings:
        return _waits(item, seen, sight, (Why.POISONED,), lambda _: findings)
    if sight.asks_first or not sight.absorbs:
        return _waits(item, seen, sight, (Why.NOT_LOOKED_AT,), lambda _: ())
    pinned = item.replace(pinned=seen, by=FIRST_SIGHT, at=sight.at, waiting=None)
    return pinned, Event.FIRST if sight.first else Event.NEW


def _waits(
    item: Item, seen: Definition, sight: Sight, why: tuple[Why, ...], poison: Poison
) -> tuple[Item, Event | None]:
    known = item.waiting
    if known and (known.definition.words, known.definition.rest) == (seen.words, seen.rest):
        return item, None
    findings = poison(sight.members)
    why = (*why, Why.POISONED) if findings and Why.POISONED not in why else why
    milder = seen.hints.milder_than(item.pinned.hints) if item.pinned else ()
    return item.replace(waiting=Waiting(seen, why, sight.at, findings, milder)), Event.WAITS


def _other_rest(item: Item, seen: Definition) -> tuple[Item, Event | None]:
    assert item.pinned is not None
    changed = other_members(item.pinned, seen)
    item = item.replace(pinned=seen)
    if not changed or changed - _UNREAD:
        return item, Event.REST
    return item.replace(restless=True), None if item.restless else Event.REST


def other_members(one: Definition, other: Definition) -> frozenset[str]:
    """The names of the members in which they differ; none where the content of one was not kept."""
    a, b = one.members, other.members
    return frozenset(name for name in {*a, *b} if a.get(name) != b.get(name)) if a and b else frozenset()


def objections(item: Item | None, seen: Definition) -> tuple[Why, ...]:
    """Why a definition as it was seen here may not be used. Another door may have seen it otherwise."""
    if item is None:
        return (Why.NOT_LOOKED_AT,)
    if fits(item, seen):
        return ()
    waiting = item.waiting
    return waiting.why if waiting and waiting.definition.words == seen.words else (Why.CHANGED,)


def fits(item: Item, seen: Definition) -> bool:
    pinned = item.pinned
    return pinned is not None and _same_words(pinned, seen) and not seen.hints.milder_than(pinned.hints)


def _same_words(pinned: Definition, seen: Definition) -> bool:
    return (pinned.words, pinned.formula) == (seen.words, seen.formula)


def approved(item: Item, *, by: str, at: str) -> Item:
    """What waited is pinned."""
    if item.waiting is None:
        return item
    return item.replace(pinned=item.waiting.definition, by=by, at=at, waiting=None)
