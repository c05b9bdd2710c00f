"""llxprt: Gemini's hooks where only exit code 2 blocks, and no JSON is read beside it."""

from __future__ import annotations

from fairlead.dialects.gemini import EVENTS, KINDS, GeminiDialect, mcp_of
from fairlead.dialects.layout import Layout

_EVENTS = {
    name: can.replace(halt=False) if can.refuse and not can.turn_end else can for name, can in EVENTS.items()
}

DIALECT = GeminiDialect(
    Layout("llxprt", KINDS, root_variables=("LLXPRT_PROJECT_DIR", "GEMINI_PROJECT_DIR"), mcp=mcp_of),
    _EVENTS,
    json_with_block=False,
)
