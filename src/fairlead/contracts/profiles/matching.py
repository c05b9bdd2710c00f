"""Which tools and triggers a matcher means to the originals."""

from __future__ import annotations

from fairlead.contracts.profiles.javascript import searches, trimmed


def matches_tool(matcher: str | None, tool: str | None) -> bool:
    """An unanchored regular expression; one that is invalid is compared as text."""
    wanted = trimmed(matcher or "")
    if wanted in ("", "*") or tool is None:
        return True
    found = searches(wanted, tool)
    return wanted == tool if found is None else found


def matches_trigger(matcher: str | None, trigger: str | None) -> bool:
    wanted = trimmed(matcher or "")
    return wanted in ("", "*") or trigger is None or wanted == trigger
