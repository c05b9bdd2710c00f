"""What a Python expression may be, as far as that can be told without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from fairlead.model.value import Value

MANY = 16
"""Texts or ways that one expression may have; more are not followed."""
HOLE = "\ue000"
"""Stands in a text for a part that cannot be told."""
Origin = tuple[str, str]
"""Where something comes from: its kind, and which one. `file` of a path, `network` of an address, `variable`
of the environment, `output` of a command, `process` of a name, `socket` of a host, `decoded`, `given`."""


class Instance:
    """An object of a class of the code itself; its fields change while the code is followed."""

    def __init__(self, kind: Thing) -> None:
        self.kind = kind
        self.fields: dict[str, Thing] = {}


class Local:
    """A function or a class of the code itself, with the scope in which it stands."""

    def __init__(self, node: ast.AST, scope: object, fields: dict[str, Thing] | None = None) -> None:
        self.node, self.scope = node, scope
        self.fields = {} if fields is None else fields


class Thing(Value):
    """`name` is the full name of a function, module or class that is imported; of an object, the call that
    made it. `items` are the elements of a sequence, `fields` those of a mapping. `ways` are other things
    that it may be as well. An `entry` of a listing is the last part of its text alone when it is joined."""

    texts: tuple[str, ...] = ()
    items: tuple[Thing, ...] | None = None
    fields: Mapping[str, Thing] | None = None
    name: str = ""
    origins: frozenset[Origin] = frozenset()
    peers: tuple[str, ...] = ()
    local: Local | None = None
    instance: Instance | None = None
    number: int | None = None
    ways: tuple[Thing, ...] = ()
    entry: bool = False
    module: bool = False
    """It stands for what its name says, and nothing that is done with it changes that."""


UNKNOWN = Thing()
LONGEST = 4096
"""Signs of a text that is put together."""


def limited(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each[:LONGEST] for each in texts))


def text(*texts: str, origins: frozenset[Origin] = frozenset()) -> Thing:
    return Thing(texts, origins=origins)


def unknown(name: str = "", origins: frozenset[Origin] = frozenset()) -> Thing:
    return Thing(name=name, origins=origins) if name or origins else UNKNOWN


def from_(kind: str, which: str = "") -> frozenset[Origin]:
    return frozenset(((kind, which),))


def origins_of(things: Iterable[Thing]) -> frozenset[Origin]:
    """Where all of them come from, with what is in them."""
    found: set[Origin] = set()
    for thing in things:
        found |= deep_origins(thing)
    return frozenset(found)


def deep_origins(thing: Thing) -> frozenset[Origin]:
    """Where it and what is in it come from; of what is in it, only so much is looked at."""
    if thing.items is None and thing.fields is None and thing.instance is None and not thing.ways:
        return thing.origins
    found, todo = set(thing.origins), [thing]
    for each in todo:
        inner = [*(each.items or ())[:_LOOKED_AT], *(each.fields or {}).values(), *each.ways]
        if each.instance is not None:
            inner += each.instance.fields.values()
        todo += inner[: max(0, _LOOKED_AT - len(todo))]
        found |= each.origins
    return frozenset(found)


_LOOKED_AT = 300


def joined(one: Thing, two: Thing) -> Thing:
    """What is one of two things."""
    if one is two:
        return one
    if one is UNKNOWN or two is UNKNOWN:
        return two if one is UNKNOWN else one
    if _is_plain(one) and _is_plain(two):
        texts = tuple(islice(dict.fromkeys((*one.texts, *two.texts)), MANY))
        number = one.number if one.number == two.number else None
        return Thing(
            texts,
            name=one.name or two.name,
            origins=one.origins | two.origins,
            peers=tuple(dict.fromkeys((*one.peers, *two.peers))),
            number=number,
            entry=one.entry or two.entry,
        )
    ways = tuple(islice((*ways_of(one), *ways_of(two)), MANY))
    return ways[0].replace(ways=ways, origins=one.origins | two.origins)


def _is_plain(thing: Thing) -> bool:
    return (
        thing.items is None
        and thing.fields is None
        and thing.local is None
        and thing.instance is None
        and not thing.ways
    )


def any_of(things: Iterable[Thing]) -> Thing:
    found = UNKNOWN
    for thing in things:
        found = joined(found, thing)
    return found


def ways_of(thing: Thing) -> tuple[Thing, ...]:
    return thing.ways or (thing,)


def shown_as(thing: Thing) -> tuple[str, ...]:
    """The texts into which it is formatted; a hole where that cannot be told."""
    if thing.texts:
        return thing.texts
    return (str(thing.number),) if thing.number is not None else (HOLE,)


def behind(thing: Thing) -> tuple[str, ...]:
    """As `shown_as`, for what is put behind a folder: there, an entry of a listing is a name alone."""
    if thing.entry:
        return tuple(each.rsplit("/", 1)[-1] for each in thing.texts)
    return shown_as(thing)


def combined(parts: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Each way to take one text of every part, a few of them."""
    return islice(product(*parts), MANY)


def paths_of(thing: Thing, depth: int = 0) -> list[str]:
    """The paths that it may be, with a star for what is not known in them; none without a beginning."""
    each_way = ways_of(thing)
    if len(each_way) > 1:
        return list(dict.fromkeys(path for way in each_way for path in paths_of(way, depth + 1)))
    if thing.items is not None and not thing.texts:
        items = thing.items[:MANY] if depth < 2 else ()
        return [path for item in items for path in paths_of(item, depth + 1)]
    return [
        each.replace(HOLE, "*") for each in thing.texts if each and not each.startswith(HOLE) and each != "*"
    ] or [each for each in thing.texts if each == "*"]


def elements_of(thing: Thing, enough: int = MANY) -> list[Thing] | None:
    """What a loop over it runs through; None where that cannot be told."""
    each_way = ways_of(thing)
    if len(each_way) > 1:
        found = [elements_of(way.replace(ways=()), enough) for way in each_way]
        known = [item for each in found if each is not None for item in each]
        return known[:enough] if known else None
    if thing.items is not None:
        return list(thing.items[:enough])
    if thing.fields is not None:
        return [text(key) for key in islice(thing.fields, enough)]
    if len(thing.texts) == 1 and not thing.name and not thing.entry:
        return [Thing((sign,), origins=thing.origins) for sign in thing.texts[0][:enough]]
    return None


def words_of(thing: Thing) -> list[tuple[Thing, ...]]:
    """The words of a command in each way in which it may be given as a list."""
    return [tuple(way.items) for way in ways_of(thing) if way.items is not None]
