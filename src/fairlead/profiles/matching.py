"""Which tools and triggers a matcher means to the originals."""

from __future__ import annotations

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.matching.agent_matcher import fits_gemini
from fairlead.model.matching.javascript_pattern import regular_expression, trimmed
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.profiles.form import native_words, told_tool

_TRIGGERED = (EventName.SESSION_START, EventName.SESSION_END, EventName.PRE_COMPRESS)


class OriginalMatcher(Value):
    """Tools by a JavaScript regular expression, sessions and compressions by their word; all else matches."""

    text: str
    profile: str

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if not isinstance(state, Event):
            return matches_tool(self.text, call.name if call else None)
        if call is not None:
            return matches_tool(self.text, told_tool(self.profile, state, call))
        if state.name not in _TRIGGERED:
            return True
        return matches_trigger(self.text, str(next(iter(native_words(state).values()), state.subject)))


def original_matcher(text: str, profile: str) -> OriginalMatcher:
    """Raises UnsupportedPatternError for what we cannot match: a guard that never matches guards nothing."""
    regular_expression(trimmed(text))
    return OriginalMatcher(text, profile)


def matches_tool(matcher: str | None, tool: str | None) -> bool:
    """An unanchored regular expression; one that is invalid is compared as text."""
    return tool is None or fits_gemini(matcher or "", tool)


def matches_trigger(matcher: str | None, trigger: str | None) -> bool:
    wanted = trimmed(matcher or "")
    return wanted in ("", "*") or trigger is None or wanted == trigger
