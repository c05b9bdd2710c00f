"""Gives a TOML document a value that it must have, in the table where it belongs, and takes it out again."""

from __future__ import annotations

import json
import tomllib

from fairlead.errors import SettingsError
from fairlead.settings.formats.json_edit import Forced, is_same, with_text_at
from fairlead.settings.formats.text_tree import Node
from fairlead.settings.formats.toml_tree import parse


def with_value(text: str, wanted: Forced) -> str:
    """A value at the top, or one level below it. Raises SettingsError where it cannot be put."""
    made = _with_value(text, wanted)
    if not is_same(value_in(made, wanted.pointer), wanted.value):
        name = ".".join(wanted.pointer)
        raise SettingsError(f"1:1: {name} cannot be set in this file", hint=f"write it by hand: {name}")
    return made


def without_value(text: str, pointer: tuple[str, ...]) -> str:
    """Without the line of this value; the table that it leaves empty stays."""
    found = _way(parse(text), pointer)
    if found is None:
        return text
    start = text.rfind("\n", 0, found.start) + 1
    end = text.find("\n", found.end)
    return text[:start] + ("" if end < 0 else text[end + 1 :])


def _with_value(text: str, wanted: Forced) -> str:
    tree = parse(text)
    there = _way(tree, wanted.pointer)
    if there is not None:
        return with_text_at(text, there, json.dumps(wanted.value))
    line = f"{wanted.pointer[-1]} = {json.dumps(wanted.value)}\n"
    if len(wanted.pointer) == 1:
        return line + text  # before any table, or it would belong to that
    table = _way(tree, wanted.pointer[:-1])
    name = wanted.pointer[0]
    header = f"[{name}]\n"
    if table is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{header}{line}"
    first = text[table.start :].partition("\n")[0].partition("#")[0].strip()
    if first == header.strip():
        at = text.find("\n", table.start) + 1
        return text[:at] + line + text[at:] if at else f"{text}\n{line}"
    if first.startswith(f"[{name}."):
        return text[: table.start] + header + line + text[table.start :]
    return f"{name}.{line}{text}"


def _way(node: Node, pointer: tuple[str, ...]) -> Node | None:
    found: Node | None = node
    for key in pointer:
        found = found.child(key) if found is not None else None
    return found


def value_in(text: str, pointer: tuple[str, ...]) -> object:
    try:
        value: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"not TOML: {error}", hint="nothing was changed") from None
    for key in pointer:
        value = value.get(key) if isinstance(value, dict) else None
    return value
