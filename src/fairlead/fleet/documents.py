"""JSON from elsewhere, read strictly: bounded, no key twice, no unknown key, every field of its own type.

Two readers must never see two meanings in one signed text, so whatever could be read in two ways is refused.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping

from fairlead.fleet.moments import read_moment, write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.value import Value

MAX_NUMBER = 2**53 - 1
"""The largest whole number that every reader of JSON reads alike."""
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
"""Of a group or a machine: also a word of a broker's subject and of a file name."""


def unreadable(what: str, why: str) -> RefusedError:
    return RefusedError(RefusalCode.UNREADABLE, f"{what} cannot be read: {why}")


def read_document(content: bytes, what: str, *, limit: int) -> Fields:
    """The one object that `content` holds. Raises RefusedError."""
    if len(content) > limit:
        raise RefusedError(RefusalCode.TOO_LARGE, f"{what} is larger than {limit} bytes")
    try:
        data = json.loads(
            content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_constant, parse_float=_fraction
        )
    except (ValueError, RecursionError) as error:
        raise unreadable(what, str(error) or type(error).__name__) from error
    if not isinstance(data, dict):
        raise unreadable(what, "it is no JSON object")
    return Fields(data, what)


def write_document(data: Mapping[str, object]) -> bytes:
    """The same bytes for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True).encode("ascii") + b"\n"


def write_dated(value: Value, *moments: str) -> bytes:
    """All its fields; those named are epoch seconds, and written as people read them."""
    plain = {name: getattr(value, name) for name in value._fields if name not in moments}
    dated = {name: write_moment(getattr(value, name)) for name in moments}
    return write_document({"format": 1, **plain, **dated})


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key appears twice")
    return made


def _constant(text: str) -> object:
    raise ValueError(f"{text} is no number of JSON")


def _fraction(text: str) -> object:
    raise ValueError(f"{text} is no whole number")


class Fields:
    """The members of one object. Take each by its type, then `finish`: what nobody took is refused."""

    def __init__(self, data: Mapping[str, object], what: str) -> None:
        self._data, self._what = dict(data), what
        self._taken: set[str] = set()

    def finish(self) -> None:
        unknown = sorted(self._data.keys() - self._taken)
        if unknown:
            raise self.wrong(unknown[0], "is not known here")

    def wrong(self, name: str, why: str) -> RefusedError:
        return unreadable(self._what, f"{name!r} {why}")

    def has(self, name: str) -> bool:
        return self._data.get(name) is not None

    def filled(self, name: str) -> bool:
        """Whether it is more than an empty text, which is then all that it may be."""
        self._taken.add(name)
        return self._data.get(name) != ""

    def nothing(self, name: str) -> None:
        """A member that may stand there as null."""
        self._taken.add(name)

    def format(self) -> None:
        if self.number("format") != 1:
            raise self.wrong("format", "is one that this Fairlead does not read: it reads 1")

    def text(self, name: str, form: re.Pattern[str] | None = None, *, limit: int = 1024) -> str:
        value = self._take(name)
        if not isinstance(value, str) or len(value) > limit or not value.isprintable():
            raise self.wrong(name, "must be a short text")
        if form is not None and not form.fullmatch(value):
            raise self.wrong(name, f"cannot be {value[:80]!r}")
        return value

    def number(self, name: str, *, low: int = 0, high: int = MAX_NUMBER) -> int:
        value = self._take(name)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(name, f"must be a whole number from {low} to {high}")
        return value

    def flag(self, name: str) -> bool:
        value = self._take(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "must be true or false")
        return value

    def moment(self, name: str) -> int:
        try:
            return read_moment(self.text(name))
        except ValueError as error:
            raise self.wrong(name, f"is no time: {error}") from error

    def octets(self, name: str, *, limit: int) -> bytes:
        """Bytes in base64, in the one spelling that they have."""
        text = self.text(name, limit=4 * (limit // 3 + 1))
        try:
            content = base64.b64decode(text, validate=True)
        except ValueError as error:
            raise self.wrong(name, "is no base64") from error
        if base64.b64encode(content).decode("ascii") != text:
            raise self.wrong(name, "is no base64 as it is written")
        return content

    def mapping(self, name: str) -> Mapping[str, object]:
        value = self._take(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "must be an object")
        return value

    def below(self, name: str) -> Fields:
        return Fields(self.mapping(name), f"{self._what}, {name}")

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._take(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(name, "must be a list of texts")
        return tuple(value)

    def each(self, name: str) -> Iterable[Fields]:
        value = self._take(name)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.wrong(name, "must be a list of objects")
        return [Fields(each, f"{self._what}, {name} {place}") for place, each in enumerate(value, start=1)]

    def _take(self, name: str) -> object:
        self._taken.add(name)
        if name not in self._data:
            raise self.wrong(name, "is missing")
        return self._data[name]
