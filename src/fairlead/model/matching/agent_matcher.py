"""Matchers as the agents read them that they were written for: `{claude: "mcp__.*"}`, `{gemini: "read_.*"}`.

The name is asked about under which that agent knows the tool: its own name, and for the tools of others the
name of what it has for the same.
"""

from __future__ import annotations

import re

from fairlead.errors import RegistrationError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook_input import CLAUDE_AGENTS, GEMINI_AGENTS
from fairlead.model.matching.javascript_pattern import (
    UnsupportedPatternError,
    regular_expression,
    searches,
    trimmed,
)
from fairlead.model.tool_call import CANONICAL_NAMES, GEMINI_NAMES, ToolCall
from fairlead.model.value import Value

_EVERYTHING = ("", "*")
_LISTED = re.compile(r"[A-Za-z0-9_\- ,|]*")
_TRIGGERED = (EventName.SESSION_START, EventName.SESSION_END, EventName.PRE_COMPRESS)


class ClaudeMatcher(Value):
    """A list of names where the text has only the signs of one, else a JavaScript regular expression."""

    text: str

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if call is None:
            subject = str(getattr(state, "subject", ""))
            return not subject or fits_claude(self.text, subject)
        return fits_claude(self.text, _claude_name(call, state))


class GeminiMatcher(Value):
    """A JavaScript regular expression for tools; sessions and compressions are named word for word."""

    text: str

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if call is not None:
            return fits_gemini(self.text, _gemini_name(call, state))
        subject = str(getattr(state, "subject", ""))
        word = getattr(state, "name", None) in _TRIGGERED
        return not word or not subject or trimmed(self.text) in (*_EVERYTHING, subject)


def agent_matcher(agent: str, text: object) -> ClaudeMatcher | GeminiMatcher:
    """Raises RegistrationError for what that agent could not match with, or we could not."""
    if not isinstance(text, str):
        raise RegistrationError(f"the matcher of {agent} is a text", hint=f'{{{agent}: "mcp__.*"}}')
    try:
        valid = text in _EVERYTHING or (agent == "claude" and _is_listed(text))
        valid = valid or regular_expression(trimmed(text)) is not None
    except UnsupportedPatternError as error:
        raise RegistrationError(str(error), hint="write a /regular expression/ or a glob instead") from error
    if not valid and agent == "claude":
        raise RegistrationError(
            f"{text!r} is no regular expression, and Claude Code never matches it", hint="mend it"
        )
    return ClaudeMatcher(text) if agent == "claude" else GeminiMatcher(text)


def fits_claude(text: str, subject: str) -> bool:
    """As Claude Code reads `matcher`."""
    if text in _EVERYTHING:
        return True
    if _is_listed(text):
        return subject in [word.strip() for word in re.split(r"[|,]", text)]
    return bool(searches(text, subject))


def fits_gemini(text: str, subject: str) -> bool:
    """As Gemini CLI reads `matcher`: one that is no regular expression is compared as text."""
    wanted = trimmed(text)
    if wanted in _EVERYTHING:
        return True
    found = searches(wanted, subject)
    return wanted == subject if found is None else found


def _is_listed(text: str) -> bool:
    return _LISTED.fullmatch(text) is not None


def _claude_name(call: ToolCall, state: object) -> str:
    if isinstance(state, Event) and state.agent in CLAUDE_AGENTS:
        return call.name
    if call.mcp_server:
        return f"mcp__{call.mcp_server}__{call.mcp_tool}"
    return CANONICAL_NAMES.get(call.kind, call.name)


def _gemini_name(call: ToolCall, state: object) -> str:
    if isinstance(state, Event) and state.agent in GEMINI_AGENTS:
        return call.name
    if call.mcp_server:
        return f"mcp_{call.mcp_server}_{call.mcp_tool}"
    return GEMINI_NAMES.get(call.kind, call.name)
