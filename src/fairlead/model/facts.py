"""What a tool call is about, read from its input: the command, the paths, the address, the content."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Mapping

from fairlead.model.tool_call import (
    COMMAND_KEYS,
    CONTENT_KEYS,
    PATH_KEYS,
    URL_KEYS,
    ToolCall,
    ToolKind,
)
from fairlead.model.value import Value


class PathFact(Value):
    """One path that the call names, absolute; `operation` is read, write, delete, execute or list."""

    path: str
    operation: str
    source: str = "argument"


class Facts(Value):
    command: str | None = None
    paths: tuple[PathFact, ...] = ()
    url: str | None = None
    content: str | None = None


_OPERATIONS = {
    ToolKind.WRITE: "write",
    ToolKind.EDIT: "write",
    ToolKind.NOTEBOOK: "write",
    ToolKind.PATCH: "write",
    ToolKind.DELETE: "delete",
    ToolKind.LIST: "list",
}


def facts_of(call: ToolCall, cwd: str) -> Facts:
    """Relative paths are taken from `cwd`, a leading `~` from the home of the user."""
    if call.kind is ToolKind.SHELL:
        return Facts(command=_text(call.input, COMMAND_KEYS))
    operation = _OPERATIONS.get(call.kind, "read")
    named = (PathFact(_absolute(path, cwd), operation) for path in _paths(call.input))
    return Facts(
        paths=tuple(named),
        url=_text(call.input, URL_KEYS),
        content=_content(call.input),
    )


def _text(tool_input: Mapping[str, object], keys: Iterable[str]) -> str | None:
    for key in keys:
        value = tool_input.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return " ".join(value)
    return None


def _paths(tool_input: Mapping[str, object]) -> Iterable[str]:
    for key in PATH_KEYS:
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            yield value
    for key in ("files", "paths", "file_paths"):
        values = tool_input.get(key)
        if isinstance(values, list):
            for value in values:
                if isinstance(value, str):
                    yield value
                elif isinstance(value, Mapping):
                    yield from _paths(value)


def _content(tool_input: Mapping[str, object]) -> str | None:
    parts = [
        tool_input[key] for key in (*CONTENT_KEYS, "new_string", "new_str", "newString") if key in tool_input
    ]
    edits = tool_input.get("edits")
    if isinstance(edits, list):
        parts += [
            edit[key]
            for edit in edits
            if isinstance(edit, Mapping)
            for key in ("new_string", "newText", "new_str", "newString")
            if key in edit
        ]
    texts = [part for part in parts if isinstance(part, str)]
    return "\n".join(texts) if texts else None


def _absolute(path: str, cwd: str) -> str:
    if path.startswith("~"):
        path = os.path.expanduser(path)
    return os.path.normpath(os.path.join(cwd or "/", path))
