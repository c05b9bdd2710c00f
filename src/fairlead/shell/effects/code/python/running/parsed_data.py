"""Data that Python code parses out of a text of its own: what stands in it is known as well."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping

from fairlead.shell.effects.code.python.running.thing import HOLE, UNKNOWN, Thing, text
from fairlead.shell.following.recipe_files.formats.ini_text import ini_sections
from fairlead.shell.following.recipe_files.formats.structured_text import json_value, toml_value
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value

_LONGEST = 16_384
_MOST = 256
_DEEPEST = 8


def parsed(function: str, source: Thing) -> Thing | None:
    """What the function makes of a text that is known; None where it is no such function."""
    reader = _READERS.get(function)
    if reader is None or len(source.texts) != 1:
        return None
    told = source.texts[0]
    if HOLE in told or len(told) > _LONGEST:
        return None
    found = thing_of(reader(told))
    return found if found is UNKNOWN else found.replace(origins=source.origins)


def thing_of(value: object, depth: int = _DEEPEST) -> Thing:
    """A value as the code would hold it."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        return Thing(number=int(value)) if abs(value) < 2**63 else UNKNOWN
    if not depth:
        return UNKNOWN
    if isinstance(value, Mapping):
        pairs = list(value.items())[:_MOST]
        return Thing(fields={str(key): thing_of(each, depth - 1) for key, each in pairs})
    if isinstance(value, (list, tuple)):
        return Thing(items=tuple(thing_of(each, depth - 1) for each in value[:_MOST]))
    return UNKNOWN


def _literal(told: str) -> object:
    import ast

    try:
        return ast.literal_eval(told)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _rows(told: str) -> list[list[str]]:
    try:
        return list(csv.reader(told.splitlines()[:_MOST]))
    except csv.Error:
        return []


def _named_rows(told: str) -> list[dict[str, str]]:
    head, *rows = _rows(told) or [[]]
    return [dict(zip(head, row, strict=False)) for row in rows]


_READERS: Mapping[str, Callable[[str], object]] = {
    "json.loads": json_value,
    "orjson.loads": json_value,
    "ujson.loads": json_value,
    "simplejson.loads": json_value,
    "tomllib.loads": toml_value,
    "tomli.loads": toml_value,
    "toml.loads": toml_value,
    "yaml.safe_load": yaml_value,
    "yaml.load": yaml_value,
    "yaml.full_load": yaml_value,
    "ast.literal_eval": _literal,
    "csv.reader": _rows,
    "csv.DictReader": _named_rows,
    "read_string": ini_sections,
}
