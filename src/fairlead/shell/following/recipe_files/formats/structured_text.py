"""Values in structured text. Whatever cannot be read is None, and nothing is believed about its shape."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from fairlead.shell.lazy_pattern import lazy

Table = Mapping[str, object]
_NO_TABLE: Table = MappingProxyType({})
_COMMENT = lazy(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.S)
_LAST_COMMA = lazy(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.S)


def json_value(text: str) -> object:
    """Also with comments, and with commas behind the last one of a list."""
    for each in (text, None):
        try:
            return json.loads(without_comments(text) if each is None else each)
        except (ValueError, RecursionError):
            continue
    return None


def without_comments(text: str) -> str:
    def kept(match: re.Match[str]) -> str:
        return match[1] or " "

    return _LAST_COMMA.sub(lambda match: match[1] or "", _COMMENT.sub(kept, text))


_MOST_KEYS = 64
"""Keys in one dotted name: to read a longer one takes the parser longer than its length says."""


def toml_value(text: str) -> object:
    if any(line.partition("=")[0].count(".") > _MOST_KEYS for line in text.splitlines()):
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def table(value: object, *keys: str) -> Table:
    """The table below these keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else _NO_TABLE


def field(value: object, *keys: str) -> object:
    """What stands below these keys; None where nothing does."""
    *path, last = keys
    return table(value, *path).get(last)


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def texts_of(value: object) -> list[str]:
    """A text, or those of a list."""
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def named_tables(value: object) -> Iterable[tuple[str, Table]]:
    """The tables in a table, by their names."""
    return [(key, each) for key, each in table(value).items() if isinstance(each, Mapping)]


def tables_of(value: object) -> list[Table]:
    """The tables in a list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def line_of(text: str, wanted: str) -> int:
    """The first line that has this in it; 0 where none has."""
    place = text.find(wanted.split("\n", 1)[0]) if wanted else -1
    return text.count("\n", 0, place) + 1 if place >= 0 else 0
