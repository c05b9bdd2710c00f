"""Finds orders to the model, and text that is hidden from people, in what a server says of itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from html import unescape
from unicodedata import normalize

from fairlead.doors.mcp.pins.canonical import words_of
from fairlead.doors.mcp.pins.poison.hidden_text import HIDDEN, decoded_texts
from fairlead.doors.mcp.pins.poison.shapes import INNER_STATE, POISON
from fairlead.doors.mcp.pins.visible import in_one_line, is_unseen
from fairlead.model.value import Value
from fairlead.packs.results.instruction_shapes import orders_in
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

MOST_TEXT = 1 << 15
"""Characters of one text that are looked at, four times as many as the longest of a real server has; a longer
one is a finding of its own."""
MOST_WORDS = 1 << 18
"""The same for all texts of a definition together."""
_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_BEFORE, _SHOWN = 20, 120
_MAPS_OF_NAMES = names("properties patternProperties $defs definitions dependentSchemas arguments")


class Finding(Value):
    """`text` is what was found, fit to be shown; `where` is the path to it."""

    shape: str
    why: str
    where: str
    text: str


class Passage(Value):
    """One text that a model reads, and the path to it."""

    where: str
    text: str
    is_name: bool = False


class _Match(Value):
    shape: str
    why: str
    start: int
    telling: bool


def poison_in(definition: Mapping[str, object], own: Collection[str] = ()) -> tuple[Finding, ...]:
    """What is wrong with the words of a definition; `own` are the names of the server's own tools."""
    passages = list(passages_of(words_of(definition)))
    own = {*own, *(each.text for each in passages if each.is_name)}
    found: list[Finding] = []
    weak: dict[str, Finding] = {}
    for passage in _bounded(passages):
        for match in _matches(passage, own):
            finding = _finding(match, passage)
            if match.telling:
                found.append(finding)
            else:
                weak.setdefault(match.shape, finding)
    found += weak.values() if found or len(weak) > 1 else ()
    return tuple({each.shape: each for each in (*_collecting(passages), *reversed(found))}.values())


def poison_in_text(text: str, own: Collection[str] = ()) -> tuple[Finding, ...]:
    """The same for a text alone, such as an error or what a server says to a model at its start."""
    return poison_in({"text": text}, own)


def passages_of(value: object, where: str = "") -> Iterator[Passage]:
    """Every text and every name of a property, wherever it stands."""
    if isinstance(value, str):
        yield Passage(where, value, where == "name")
    elif isinstance(value, Mapping):
        for key, part in value.items():
            inner = f"{where}.{key}" if where else str(key)
            if not _is_keyword(str(key)) or where.rsplit(".", 1)[-1] in _MAPS_OF_NAMES:
                yield Passage(inner, str(key), is_name=True)
            yield from passages_of(part, inner)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from passages_of(part, f"{where}[{number}]")


def _bounded(passages: list[Passage]) -> Iterator[Passage]:
    """As many as are looked at. The last of too many is made a finding by its length."""
    left = MOST_WORDS
    for passage in passages:
        left -= len(passage.text)
        if left < 0:
            yield passage.replace(text="x" * (MOST_TEXT + 1), is_name=False)
            return
        yield passage


def _is_keyword(key: str) -> bool:
    return key.isascii() and key.isalpha()


def _matches(passage: Passage, own: Collection[str]) -> Iterator[_Match]:
    text = passage.text[:MOST_TEXT]
    if len(passage.text) > len(text):
        yield _Match("endless-text", "it is longer than anybody reads", 0, telling=True)
    for hidden in HIDDEN:
        found = hidden.pattern.search(text)
        if found is not None:
            yield _Match(hidden.name, hidden.why, found.start(), telling=True)
    for _, start in decoded_texts(text):
        yield _Match("encoded-text", "a sentence stands there in an encoded form", start, telling=True)
    if passage.is_name:
        yield from _in_name(text)
    yield from _orders(text, own)


def _orders(text: str, own: Collection[str]) -> Iterator[_Match]:
    plain = plain_text(text)
    for shape, start in orders_in(plain):
        yield _Match(shape.name, shape.why, start, shape.telling)
    for known in POISON:
        if not known.in_names:
            found = _foreign(known.pattern, plain, own)
            if found is not None:
                yield _Match(known.name, known.why, found.start(), known.telling)


def _in_name(text: str) -> Iterator[_Match]:
    words = " ".join(_WORD.findall(text)).lower()
    for shape in POISON:
        found = (shape.pattern.search(text) or shape.pattern.search(words)) if shape.in_names else None
        if found is not None:
            yield _Match(shape.name, shape.why, 0, shape.telling)


def _foreign(pattern: re.Pattern[str], text: str, own: Collection[str]) -> re.Match[str] | None:
    """The first match that names no tool of the server itself."""
    for found in pattern.finditer(text):
        named = [name for name in found.groupdict().values() if name]
        if not named or not any(name.rsplit("__", 1)[-1] in own for name in named):
            return found
    return None


def _collecting(passages: list[Passage]) -> Iterator[Finding]:
    asked = [each for each in passages if each.is_name and each.text.lower() in INNER_STATE]
    if len({each.text.lower() for each in asked}) > 1:
        called = ", ".join(each.text for each in asked)
        yield Finding(
            "collects-inner-state", "it collects what only the model knows", asked[0].where, called[:_SHOWN]
        )


def plain_text(text: str) -> str:
    """As a model understands it: without what is not to be seen, and each letter in its usual form."""
    if text.isascii() and "&" not in text:
        return text
    seen = "".join(letter for letter in text if letter in "\r\n\t\xa0" or not is_unseen(letter))
    return normalize("NFKC", unescape(seen))


def _finding(match: _Match, passage: Passage) -> Finding:
    start = max(0, match.start - _BEFORE)
    shown = in_one_line(passage.text[start : start + _SHOWN + _BEFORE], most=_SHOWN * 2)
    return Finding(match.shape, match.why, in_one_line(passage.where, most=_SHOWN), shown)
