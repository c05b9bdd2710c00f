"""YAML as tables, lists and texts: numbers and the like stay as they are written.

Built from the parser's events: the loaders recurse, and what a file repeats by reference would grow without
bound in their hands.
"""

from __future__ import annotations

from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEEPEST = 60
_MOST_EVENTS = 50_000
_MERGE = "<<"


class _Refused(Exception):  # noqa: N818 - not a mistake of the caller: the text is no YAML that anyone writes
    pass


def yaml_value(text: str) -> object:
    """The first document; None for what is no YAML, or too deep or too long."""
    import yaml  # only for a runner whose file is written so

    # the parser in C takes nothing but `str` itself
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder().built(yaml.parse(str(text), Loader=loader))
    except (yaml.YAMLError, ValueError, RecursionError, _Refused):
        return None


class _Builder:
    """Keeps the tables and lists that are open, and what was given a name to refer to."""

    def __init__(self) -> None:
        self._open: list[tuple[Any, str | None, str | None]] = []
        self._named: dict[str, object] = {}

    def built(self, events: Iterator[Any]) -> object:
        for number, event in enumerate(events):
            if number > _MOST_EVENTS or len(self._open) > _DEEPEST:
                raise _Refused
            kind = type(event).__name__
            if kind in ("MappingStartEvent", "SequenceStartEvent"):
                made: object = {} if kind.startswith("Mapping") else []
                self._name(event.anchor, made)
                self._open.append((made, None, event.anchor))
            elif kind in ("MappingEndEvent", "SequenceEndEvent"):
                made, _, _ = self._open.pop()
                if not self._open:
                    return made
                self._add(made)
            elif kind in ("ScalarEvent", "AliasEvent"):
                value = self._named.get(event.anchor) if kind == "AliasEvent" else event.value
                if kind == "ScalarEvent":
                    self._name(event.anchor, value)
                if not self._open:
                    return value
                self._add(value)
        return None

    def _name(self, anchor: str | None, value: object) -> None:
        if anchor is not None:
            self._named[anchor] = value

    def _add(self, value: object) -> None:
        """To the innermost list, or to the innermost table: as a key, and then as its value."""
        made, key, anchor = self._open[-1]
        if isinstance(made, list):
            made.append(value)
        elif key is None:
            self._open[-1] = (made, value if isinstance(value, str) else "", anchor)
        else:
            self._open[-1] = (made, None, anchor)
            if key == _MERGE:
                for each in value if isinstance(value, list) else [value]:
                    made.update({**each, **made} if isinstance(each, dict) else {})
            else:
                made[key] = value
