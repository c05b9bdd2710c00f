"""A caller that nobody knows: Claude's field names if it has them, an exit code for an answer."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude import CALLS, KINDS
from fairlead.dialects.agents.exit_codes.exit_code_answers import say_plainly
from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_layout import Layout

__all__ = ["CALLS", "DIALECT", "KINDS"]

DIALECT = ComposedDialect(
    Layout(
        "generic",
        KINDS,
        event=("hook_event_name", "event", "hookName"),
        session=("session_id", "sessionId", "conversation_id"),
        tool=("tool_name", "toolName", "tool"),
        input=("tool_input", "toolInput", "toolArgs", "input", "args"),
        call=("tool_use_id", "tool_call_id", "call_id"),
        result=("tool_response", "tool_output", "result", "output"),
        roots=("project_root", "workspace_roots"),
    ),
    {"PreToolUse": Can(), "PostToolUse": Can(), "UserPromptSubmit": Can(), "Stop": Can(turn_end=True)},
    say_plainly,
)
