"""What the next hook of a sequence sees after those before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairlead.profiles.javascript import spread, text_of
from fairlead.profiles.profile import Profile

Record = dict[str, Any]


def next_input(profile: Profile, event: str, given: Record, previous: Iterable[tuple[Any, int]]) -> Record:
    """`previous` are the outputs and exit codes so far; one that failed changes nothing, a deny does."""
    seen = dict(given)
    for output, exit_code in previous:
        specific = output.get("hookSpecificOutput") if isinstance(output, dict) else None
        if exit_code == 0 and isinstance(specific, dict):
            seen |= _change(profile, event, seen, specific)
    return seen


def _change(profile: Profile, event: str, seen: Record, specific: Record) -> Record:
    context = specific.get("additionalContext")
    if event == "BeforeAgent" and isinstance(context, str) and "prompt" in seen:
        return {"prompt": f"{text_of(seen['prompt'])}\n\n{context}"}
    key = {"BeforeTool": "tool_input", "BeforeModel": "llm_request"}.get(event)
    if key is None or key not in seen:
        return {}
    rewrite = specific.get(key)
    if key == "tool_input" and not isinstance(rewrite, dict) and not profile.spreads_anything:
        return {}
    return {key: {**spread(seen[key]), **spread(rewrite)}}
