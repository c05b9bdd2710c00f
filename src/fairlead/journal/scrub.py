"""Makes any value fit to be written: plain JSON, without secrets, within bounds.

Nearly every record has nothing in it that even looks like a secret, and to ask that of all its texts at once
costs a tenth of asking each. So a record is first made by a scrubber that only glances: it takes texts as
they are, and remembers them. If there is a secret among them, the record is made again with care.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from fairlead.secrets.redact import names_secret, redact_text, redact_texts, withheld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Concatenate, ParamSpec, TypeVar

    Made = TypeVar("Made")
    Of = ParamSpec("Of")

FIELD_LIMIT = 64 * 1024
_MARGIN = 8 * 1024  # a secret that straddles the limit is still seen whole
_RESERVE = 4 * 1024  # what a huge text leaves for its neighbours: the path beside the content
_SHORT = 256
_DEPTH = 32


@lru_cache(maxsize=512)
def _is_plain(name: str) -> bool:
    """Whether a name is no secret, and makes its value none: fields have the same few names all day long."""
    return not names_secret(name) and redact_text(name) == name


def scrubbed(
    make: Callable[Concatenate[Scrubber, Of], Made], *of: Of.args, **more: Of.kwargs
) -> tuple[Made, Scrubber]:
    """What `make` makes with a scrubber, which all its texts went through, and the scrubber."""
    glancing = Scrubber(glance=True)
    made = make(glancing, *of, **more)
    redacted = redact_texts(glancing.known)
    if not redacted:
        return made, glancing
    careful = Scrubber(known=redacted)
    return make(careful, *of, **more), careful


class Scrubber:
    """Scrubs the fields of one record, and remembers what it took away."""

    __slots__ = ("_glances", "_left", "capped", "known", "redacted")

    def __init__(self, *, glance: bool = False, known: dict[str, str] | None = None) -> None:
        self.redacted = 0
        self.capped = 0
        self._left = FIELD_LIMIT
        self._glances = glance
        self.known = {} if known is None else known
        """Texts as they came, and what is left of each: a command is in its call and in the answer to it."""

    def field(self, value: object, limit: int = FIELD_LIMIT) -> object:
        """One field of a record: nothing in it is secret, and its text is no longer than `limit`."""
        if type(value) is str and len(value) <= limit:
            if self._glances:
                self.known[value] = value
                return value
            return self.text(value)
        if not value and type(value) in (dict, MappingProxyType):
            return {}
        self._left = limit
        if type(value) is dict:
            return self._mapping(value, 0)
        if type(value) is bytes:
            return self._leaf(value.decode("utf-8", "replace"))
        return self._clean(value, 0)

    def text(self, value: str, limit: int = FIELD_LIMIT) -> str:
        if not value:
            return value
        if len(value) <= limit:
            if self._glances:
                self.known[value] = value
                return value
            if self._redacted(value) is value:
                return value  # nearly always, and then without a copy
        shown = self._redacted(value[: limit + _MARGIN])
        if shown != value[: limit + _MARGIN]:
            self.redacted += 1
        if len(value) <= limit and len(shown) <= limit:
            return shown
        self.capped += 1
        return f"{shown[:limit]}…[capped: {len(value)} characters]"

    def _redacted(self, value: str) -> str:
        known = self.known.get(value)
        if known is None:
            known = self.known[value] = value if self._glances else redact_text(value)
        return known

    def _clean(self, value: object, depth: int) -> object:
        if type(value) is str:
            return self._leaf(value)
        if type(value) is bool or value is None:
            self._left -= 8
            return value
        if type(value) is dict and depth < _DEPTH:
            return self._mapping(value, depth)
        return self._clean_other(value, depth)

    def _clean_other(self, value: object, depth: int) -> object:
        if isinstance(value, int):
            self._left -= 8
            return self._number(value)
        if isinstance(value, float):
            self._left -= 8
            return value if value - value == 0 else str(value)  # NaN and infinities are not JSON
        if depth >= _DEPTH:
            self.capped += 1
            return "[capped: nested too deeply]"
        if isinstance(value, bytes):
            return self._leaf(value.decode("utf-8", "replace"))
        if isinstance(value, list | tuple | set | frozenset):
            return self._list(list(value), depth)
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        return self._leaf(str.__str__(value) if isinstance(value, str) else repr(value))

    def _number(self, value: int) -> object:
        if type(value) is int and value.bit_length() > 4096:  # str() of it would be slow, or refused
            self.capped += 1
            return "[capped: a number of many digits]"
        return value

    def _leaf(self, value: str) -> str:
        size = len(value)
        room = self._left if size <= _SHORT else self._left - _RESERVE
        if size <= room and self._glances:
            shown = self.known[value] = value
        else:
            shown = self.text(value, max(room, 0))
        self._left -= len(shown) + 2
        return shown

    def _mapping(self, value: Mapping[object, object], depth: int) -> dict[str, object]:
        cleaned: dict[str, object] = {}
        for key, item in value.items():
            if self._left <= 0:
                self.capped += 1
                cleaned["…"] = f"[capped: {len(value) - len(cleaned)} more]"
                break
            if type(key) is str and len(key) <= _SHORT and len(key) <= self._left and _is_plain(key):
                name, hidden = key, ""
                self._left -= len(key) + 2
            else:
                name = self._leaf(key if isinstance(key, str) else str(key))
                hidden = withheld(name, item)
            if hidden:
                self.redacted += 1
                self._left -= len(hidden)
                cleaned[name] = hidden
            else:
                cleaned[name] = self._leaf(item) if type(item) is str else self._clean(item, depth + 1)
        return cleaned

    def _list(self, value: list[object], depth: int) -> list[object]:
        cleaned: list[object] = []
        for item in value:
            if self._left <= 0:
                self.capped += 1
                cleaned.append(f"[capped: {len(value) - len(cleaned)} more]")
                break
            cleaned.append(self._clean(item, depth + 1))
        return cleaned
