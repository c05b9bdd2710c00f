"""A call in one line, as the person who has to decide about it reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import COMMAND_KEYS, ToolCall


def words_of(tool: ToolCall) -> str:
    """The tool, its command, and every other field by name: what is not shown cannot be agreed to."""
    return " ".join([tool.name, *_fields(tool.input)])


def _fields(given: Mapping[str, object]) -> Iterator[str]:
    command = next((key for key in COMMAND_KEYS if isinstance(given.get(key), str)), "")
    if command:
        yield str(given[command])
    for key, value in given.items():
        if key != command:
            yield f"{key}={_value(value)}"


def _value(value: object) -> str:
    plain = isinstance(value, str) and value != "" and not set(value) & set(" \t\n\"'")
    return str(value) if plain else json.dumps(value, ensure_ascii=False, default=str)
