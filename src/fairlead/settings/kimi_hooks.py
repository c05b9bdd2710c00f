"""What is wrong in the hooks of Kimi's config.toml: for one wrong entry it drops all of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

_KEYS = frozenset({"event", "command", "matcher", "timeout"})
_LONGEST = 600
EVENTS = frozenset(
    {
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "PermissionResult",
        "UserPromptSubmit",
        "UserPromptQueued",
        "TurnStarted",
        "Stop",
        "StopFailure",
        "Interrupt",
        "SessionStart",
        "SessionEnd",
        "SessionHeartbeat",
        "SubagentStart",
        "SubagentStop",
        "TaskStarted",
        "PreCompact",
        "PostCompact",
        "Notification",
    }
)


def problems_in_hooks(content: bytes) -> list[str]:
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"not TOML, so that Kimi reads none of it, and says nothing: {error}"]
    hooks = document.get("hooks", [])
    if not isinstance(hooks, list):
        return ["hooks is not a list of tables: Kimi drops all hooks"]
    return [
        f"hooks[{index}] {problem}: Kimi drops all hooks for it"
        for index, entry in enumerate(hooks)
        for problem in _in_entry(entry)
    ]


def _in_entry(entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield "is not a table"
        return
    event, timeout = entry.get("event"), entry.get("timeout", 1)
    if not isinstance(event, str) or event not in EVENTS:
        yield f"has the event {event!r}, which it does not know"
    if not isinstance(entry.get("command"), str) or not entry["command"]:
        yield "has no command"
    if not isinstance(entry.get("matcher", ""), str):
        yield "has a matcher that is not a text"
    if isinstance(timeout, bool) or not isinstance(timeout, int) or not 1 <= timeout <= _LONGEST:
        yield f"has the timeout {timeout!r}, which is not between 1 and {_LONGEST}"
    for key in sorted(entry.keys() - _KEYS):
        yield f"has the key {key!r}, which it does not know"
