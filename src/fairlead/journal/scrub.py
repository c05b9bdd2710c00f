"""Makes any value fit to be written: plain JSON, without secrets, within bounds.

Nearly every record has nothing in it that even looks like a secret, and to ask that of all its texts at once
costs a tenth of asking each. So a record is first made by a scrubber that only glances: it takes texts as
they are, and remembers them. If anything among them looks like a secret, the record is made again with care.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from fairlead.secrets.redact import hints_in, redact_text, withheld

Made = TypeVar("Made")

FIELD_LIMIT = 64 * 1024
_MARGIN = 8 * 1024  # a secret that straddles the limit is still seen whole
_RESERVE = 4 * 1024  # what a huge text leaves for its neighbours: the path beside the content
_SHORT = 256
_DEPTH = 32


def scrubbed(make: Callable[[Scrubber], Made]) -> tuple[Made, Scrubber]:
    """What `make` makes of a scrubber, all of whose texts went through it, and the scrubber."""
    glancing = Scrubber(glance=True)
    made = make(glancing)
    hints = glancing.hints_seen()
    if not hints:
        return made, glancing
    careful = Scrubber(hints=hints)
    return make(careful), careful


class Scrubber:
    """Scrubs the fields of one record, and remembers what it took away."""

    def __init__(self, *, glance: bool = False, hints: Sequence[str] | None = None) -> None:
        self.redacted = 0
        self.capped = 0
        self._left = FIELD_LIMIT
        self._glances = glance
        self._hints = hints
        self._seen: list[str] = []
        self._known: dict[str, str] = {}

    def hints_seen(self) -> list[str]:
        """What among the texts so far may mean a secret: no other hint needs to be looked for.

        An answer quotes its reason, and that the command: what stands in the longest text is not read twice.
        """
        texts = set(self._seen)
        longest = max(texts, key=len, default="")
        return hints_in("\n".join([longest, *(text for text in texts if text not in longest)]))

    def field(self, value: object, limit: int = FIELD_LIMIT) -> object:
        """One field of a record: nothing in it is secret, and its text is no longer than `limit`."""
        if not value and type(value) in (dict, MappingProxyType):
            return {}
        if type(value) is str and len(value) <= limit:
            return self.text(value)
        self._left = limit
        return self._clean(value, 0)

    def text(self, value: str, limit: int = FIELD_LIMIT) -> str:
        if not value:
            return value
        if len(value) <= limit and self._redacted(value) is value:
            return value  # nearly always, and then without a copy
        shown = self._redacted(value[: limit + _MARGIN])
        if shown != value[: limit + _MARGIN]:
            self.redacted += 1
        if len(value) <= limit and len(shown) <= limit:
            return shown
        self.capped += 1
        return f"{shown[:limit]}…[capped: {len(value)} characters]"

    def _redacted(self, value: str) -> str:
        """A command is in its call, in the evidence and in the answer: what was found out once is kept."""
        if self._glances:
            self._seen.append(value)
            return value
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = redact_text(value, self._hints)
        return known

    def _clean(self, value: object, depth: int) -> object:
        if type(value) is str:
            return self._leaf(value)
        if value is None or isinstance(value, bool | int):
            self._left -= 8
            return self._number(value)
        if isinstance(value, float):
            self._left -= 8
            return value if value - value == 0 else str(value)  # NaN and infinities are not JSON
        if depth >= _DEPTH:
            self.capped += 1
            return "[capped: nested too deeply]"
        if type(value) is dict or isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, list | tuple | set | frozenset):
            return self._list(list(value), depth)
        if isinstance(value, bytes):
            return self._leaf(value.decode("utf-8", "replace"))
        return self._leaf(str.__str__(value) if isinstance(value, str) else repr(value))

    def _number(self, value: bool | int | None) -> object:
        if type(value) is int and value.bit_length() > 4096:  # str() of it would be slow, or refused
            self.capped += 1
            return "[capped: a number of many digits]"
        return value

    def _leaf(self, value: str) -> str:
        room = self._left if len(value) <= _SHORT else self._left - _RESERVE
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
            name = self._leaf(key if isinstance(key, str) else str(key))
            cleaned[name] = self._field(name, item, depth)
        return cleaned

    def _field(self, name: str, item: object, depth: int) -> object:
        hidden = withheld(name, item)
        if not hidden:
            return self._clean(item, depth + 1)
        self.redacted += 1
        self._left -= len(hidden)
        return hidden

    def _list(self, value: list[object], depth: int) -> list[object]:
        cleaned: list[object] = []
        for item in value:
            if self._left <= 0:
                self.capped += 1
                cleaned.append(f"[capped: {len(value) - len(cleaned)} more]")
                break
            cleaned.append(self._clean(item, depth + 1))
        return cleaned
