"""Which tools' results a policy leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from fairlead.model.tool_call import CANONICAL_NAMES, ToolCall


def is_looked_at(tool: ToolCall, config: Mapping[str, object]) -> bool:
    """Unless `except` names the tool, by its own name or by the best-known one of its kind; `*` stands for any
    letters."""
    named = config.get("except")
    if not isinstance(named, (list, tuple)):
        return True
    called = (tool.name, CANONICAL_NAMES.get(tool.kind, tool.name))
    return not any(fnmatchcase(name, str(pattern)) for pattern in named for name in called)
