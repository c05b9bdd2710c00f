"""What a variable or an output may hold: known text, partly unknown text, arrays, alternatives."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.shell.bounds import MAX_CHOICES, MAX_LENGTH, whole_number
from fairlead.shell.script import Piece, Word
from fairlead.shell.unknown import Kind, Unknown, several


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
    def unknown(self) -> Unknown:
        """What is unknown of it, as one."""
        first = self.pieces[0][1]
        if first is not None and len(self.pieces) == 1:  # as nearly all are
            return first
        return several([piece[1] for piece in self.pieces if piece[1] is not None])

    @property
    def network(self) -> bool:
        for piece in self.pieces:  # noqa: SIM110 - `any` is slower, and there is mostly one
            if piece[1] is not None and piece[1].network:
                return True
        return False


Scalar = str | Partial
_TOO_LONG = Unknown(Kind.TOO_LONG)


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
        return max((whole_number(key) or 0 for key in self.items if key.isdigit()), default=-1) + 1


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


def unknown(shown: str, why: Unknown) -> Partial:
    return Partial(((shown, why),))


def pieces_of(value: Scalar) -> tuple[Piece, ...]:
    return ((value, None),) if isinstance(value, str) else value.pieces


def concat(values: Iterable[Scalar]) -> Scalar:
    """The values one after another, as one; too long a text is no longer followed."""
    found: list[Scalar] = list(filter(None, values))
    for value in found:
        if isinstance(value, Partial):
            break
    else:
        text = "".join(found)  # type: ignore[arg-type]
        return text if len(text) <= MAX_LENGTH else unknown(text[:80], _TOO_LONG)
    pieces = tuple(piece for value in found for piece in pieces_of(value))
    if len(pieces) > 200 or sum(len(piece[0]) for piece in pieces) > MAX_LENGTH:
        return unknown(pieces[0][0][:80], _TOO_LONG.replace(network=Partial(pieces).network))
    return Partial(pieces)


def outputs_in_turn(outputs: Iterable[Scalar]) -> Scalar:
    """What several commands print, one after another. What is not known of an output ends with its line, so
    that it is no part of the word that the next one prints."""
    found: list[Scalar] = []
    for output in outputs:
        if not output:
            continue
        known_next = isinstance(output, str) or output.pieces[0][1] is None
        if found and known_next and _is_unknown_output(found[-1]):
            found.append("\n")
        found.append(output)
    return concat(found)


def _is_unknown_output(value: Scalar) -> bool:
    last = value.pieces[-1][1] if isinstance(value, Partial) else None
    return last is not None and bool(last.stages)


def strip_newlines(value: Scalar) -> Scalar:
    """As `$(…)` does with its output."""
    if isinstance(value, str):
        return value.rstrip("\n")
    text, why = value.pieces[-1]
    if why or not text.endswith("\n"):
        return value
    rest = text.rstrip("\n")
    return Partial((*value.pieces[:-1], (rest, None)) if rest else value.pieces[:-1])


def alternatives(first: Variable, second: Variable) -> Variable:
    """What a variable may hold when it holds `first` on one way and `second` on the other."""
    if first == second:
        return first
    if isinstance(first, Reference) or isinstance(second, Reference):
        return unknown("", Unknown(Kind.ALIASED_NAME))
    options: list[Scalar | Array | None] = []
    for value in (first, second):
        for option in value.options if isinstance(value, Either) else (value,):
            if option not in options:
                options.append(option)
    if len(options) > MAX_CHOICES:
        return unknown("", Unknown(Kind.TOO_MANY_VALUES))
    return Either(tuple(options))


def of_word(word: Word) -> Scalar:
    """An argument as a value that variables and texts are made of."""
    if not word.opaque:
        return word.text
    if word.pieces:
        return Partial(word.pieces)
    if word.prefix and word.text.startswith(word.prefix):
        return Partial(((word.prefix, None), (word.text[len(word.prefix) :], word.opaque)))
    return Partial(((word.text, word.opaque),))


def of_words(words: Iterable[Word], separator: str = " ") -> Scalar:
    """Arguments joined into one text, as `eval`, `ssh` and `watch` do."""
    values: list[Scalar] = []
    for word in words:
        if values:
            values.append(separator)
        values.append(of_word(word))
    return concat(values)
