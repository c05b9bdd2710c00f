"""Brace expansion: `{a,b}`, `{1..9..2}`, `{a..e}`, nested, before any other expansion."""

from __future__ import annotations

from itertools import pairwise

from fairlead.shell.bounds import MAX_ITEMS
from fairlead.shell.language.syntax_tree import Literal, Part
from fairlead.shell.lazy_pattern import lazy

_RANGE = lazy(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?")
_MARK = lazy(r"[{},]")
MAX_NESTED = 24
MAX_TOKENS = 4 * MAX_ITEMS

Token = Part | str
"""A part as it stands, or one of `{`, `,` and `}` outside quotes."""


def has_braces(parts: list[Part]) -> bool:
    for part in parts:  # noqa: SIM110 - this is asked of every word that is expanded, and `any` is slower
        if type(part) is Literal and "{" in part.text and not part.quoted:
            return True
    return False


class _TooMany(Exception):  # noqa: N818 - not an error: the word is no longer followed
    pass


def expand_braces(parts: list[Part]) -> list[list[Part]] | None:
    """The part lists that one word becomes; None when they are too many or too deep to follow."""
    tokens = _tokens(parts)
    if len(tokens) > MAX_TOKENS:
        return None
    try:
        return [_merge(each) for each in _expand(tokens, 0)]
    except _TooMany:
        return None


def _tokens(parts: list[Part]) -> list[Token]:
    tokens: list[Token] = []
    for part in parts:
        if type(part) is not Literal or part.quoted:
            tokens.append(part)
            continue
        pos = 0
        for match in _MARK.finditer(part.text):
            if match.start() > pos:
                tokens.append(Literal(part.text[pos : match.start()], False))
            tokens.append(match.group())
            pos = match.end()
        if pos < len(part.text):
            tokens.append(Literal(part.text[pos:], False))
    return tokens


def _expand(tokens: list[Token], depth: int) -> list[list[Token]]:
    if depth > MAX_NESTED:
        raise _TooMany
    opened = 0
    while (found := _next_group(tokens, opened)) is not None:
        start, close, commas = found
        items = _items(tokens, start, close, commas, depth)
        if items is None:
            opened = start + 1
            continue
        tails = _expand(tokens[close + 1 :], depth + 1)
        if len(items) * len(tails) > MAX_ITEMS:
            raise _TooMany
        head = tokens[:start]
        return [[*head, *item, *tail] for item in items for tail in tails]
    return [tokens]


def _next_group(tokens: list[Token], opened: int) -> tuple[int, int, list[int]] | None:
    """The first `{` from `opened` on that is closed: its place, its end, and the commas between."""
    stack: list[tuple[int, list[int]]] = []
    best: tuple[int, int, list[int]] | None = None
    for index in range(opened, len(tokens)):
        mark = tokens[index]
        if mark == "{":
            stack.append((index, []))
        elif mark == "," and stack:
            stack[-1][1].append(index)
        elif mark == "}" and stack:
            start, commas = stack.pop()
            if best is None or start < best[0]:
                best = (start, index, commas)
            if not stack:
                return best
    return best


def _items(
    tokens: list[Token], start: int, close: int, commas: list[int], depth: int
) -> list[list[Token]] | None:
    if commas:
        bounds = [start, *commas, close]
        items: list[list[Token]] = []
        for left, right in pairwise(bounds):
            items += _expand(tokens[left + 1 : right], depth + 1)
            if len(items) > MAX_ITEMS:
                raise _TooMany
        return items
    inner = tokens[start + 1 : close]
    if len(inner) == 1 and type(inner[0]) is Literal and not inner[0].quoted:
        return _range(inner[0].text)
    return None


def _range(text: str) -> list[list[Token]] | None:
    match = _RANGE.fullmatch(text)
    if not match:
        return None
    letters = match.group(4) is not None
    first, last = (match.group(4), match.group(5)) if letters else (match.group(1), match.group(2))
    low, high = (ord(first), ord(last)) if letters else (int(first), int(last))
    step = abs(int(match.group(6 if letters else 3) or 1)) or 1
    if abs(high - low) // step > MAX_ITEMS:
        raise _TooMany
    numbers = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
    if letters:
        return [[Literal(chr(number), True)] for number in numbers]
    padded = any(len(end.lstrip("-")) > 1 and end.lstrip("-").startswith("0") for end in (first, last))
    width = max(len(first), len(last)) if padded else 0
    return [[Literal(f"{number:0{width}d}", False)] for number in numbers]


def _merge(tokens: list[Token]) -> list[Part]:
    """Unquoted pieces side by side are one text: `{~,x}/a` begins with a tilde."""
    merged: list[Part] = []
    for token in tokens:
        part = Literal(token, False) if isinstance(token, str) else token
        before = merged[-1] if merged else None
        if _is_plain(part) and _is_plain(before):
            assert isinstance(part, Literal) and isinstance(before, Literal)
            merged[-1] = Literal(before.text + part.text, False)
        else:
            merged.append(part)
    return merged


def _is_plain(part: Part | None) -> bool:
    return isinstance(part, Literal) and not part.quoted
