"""Whether a tool is one that no agent ships: asked of every call, so that what reads such calls loads late."""

from __future__ import annotations

import re

from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.shell.lazy_pattern import lazy

_POWERSHELL = lazy(r"power_?shell|pwsh", re.IGNORECASE)


def is_foreign(call: ToolCall) -> bool:
    return call.kind in (ToolKind.MCP, ToolKind.OTHER)


def is_powershell(call: ToolCall) -> bool:
    """Whether the command of the call is no text for a shell like bash."""
    return bool(_POWERSHELL.search(call.name))
