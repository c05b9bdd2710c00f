"""What a variable or an output may hold: known text, partly unknown text, arrays, alternatives."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.shell.bounds import MAX_CHOICES, MAX_LENGTH
from fairlead.shell.script import NETWORK, Word

Piece = tuple[str, str, bool]
"""Text as shown, the reason why it is unknown (empty when it is known), whether it is off the network."""


class Partial:
    """Text of which some pieces cannot be known."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash(self.pieces)

    @property
    def shown(self) -> str:
        return "".join(piece[0] for piece in self.pieces)

    @property
    def reason(self) -> str:
        for piece in self.pieces:
            if piece[1]:
                return piece[1]
        return ""

    @property
    def network(self) -> bool:
        for piece in self.pieces:  # noqa: SIM110 - `any` is slower, and there is mostly one
            if piece[2]:
                return True
        return False


Scalar = str | Partial


class Array:
    """An indexed or associative array; indices are kept as text, in order."""

    __slots__ = ("associative", "items")

    def __init__(self, items: dict[str, Scalar], associative: bool = False) -> None:
        self.items = items
        self.associative = associative

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and self.items == other.items

    __hash__ = None  # type: ignore[assignment]  # changes in place

    def copy(self) -> Array:
        return Array(dict(self.items), self.associative)

    def next_index(self) -> int:
        return max((int(key) for key in self.items if key.isdigit()), default=-1) + 1


class Either:
    """One of several values, after branches met."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Scalar | Array | None, ...]) -> None:
        self.options = options


class Reference:
    """A name that stands for another, as `declare -n` makes it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self.name == other.name

    __hash__ = None  # type: ignore[assignment]  # never a key


Variable = Scalar | Array | Either | Reference | None
"""None is a variable that is known to be unset."""


def unknown(shown: str, reason: str, *, network: bool = False) -> Partial:
    return Partial(((shown, reason, network),))


def pieces_of(value: Scalar) -> tuple[Piece, ...]:
    return ((value, "", False),) if isinstance(value, str) else value.pieces


def concat(values: Iterable[Scalar]) -> Scalar:
    """The values one after another, as one; too long a text is no longer followed."""
    found: list[Scalar] = list(filter(None, values))
    for value in found:
        if isinstance(value, Partial):
            break
    else:
        text = "".join(found)  # type: ignore[arg-type]
        return text if len(text) <= MAX_LENGTH else unknown(text[:80], "too long to follow")
    pieces = tuple(piece for value in found for piece in pieces_of(value))
    if len(pieces) > 200 or sum(len(piece[0]) for piece in pieces) > MAX_LENGTH:
        return unknown(pieces[0][0][:80], "too long to follow", network=any(piece[2] for piece in pieces))
    return Partial(pieces)


def strip_newlines(value: Scalar) -> Scalar:
    """As `$(…)` does with its output."""
    if isinstance(value, str):
        return value.rstrip("\n")
    text, reason, network = value.pieces[-1]
    if reason or not text.endswith("\n"):
        return value
    rest = text.rstrip("\n")
    return Partial((*value.pieces[:-1], (rest, reason, network)) if rest else value.pieces[:-1])


def alternatives(first: Variable, second: Variable) -> Variable:
    """What a variable may hold when it holds `first` on one way and `second` on the other."""
    if first == second:
        return first
    if isinstance(first, Reference) or isinstance(second, Reference):
        return unknown("", "a name that may stand for another")
    options: list[Scalar | Array | None] = []
    for value in (first, second):
        for option in value.options if isinstance(value, Either) else (value,):
            if option not in options:
                options.append(option)
    if len(options) > MAX_CHOICES:
        return unknown("", "one of too many values")
    return Either(tuple(options))


def of_word(word: Word) -> Scalar:
    """An argument as a value that variables and texts are made of."""
    if not word.opaque:
        return word.text
    if word.pieces:
        return Partial(word.pieces)
    network = NETWORK in word.opaque
    if word.prefix and word.text.startswith(word.prefix):
        return Partial(((word.prefix, "", False), (word.text[len(word.prefix) :], word.opaque, network)))
    return Partial(((word.text, word.opaque, network),))


def of_words(words: Iterable[Word], separator: str = " ") -> Scalar:
    """Arguments joined into one text, as `eval`, `ssh` and `watch` do."""
    values: list[Scalar] = []
    for word in words:
        if values:
            values.append(separator)
        values.append(of_word(word))
    return concat(values)
