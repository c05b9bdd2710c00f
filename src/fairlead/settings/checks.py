"""What is wrong in an agent's hook file, ours or anybody's: most agents drop such hooks without a word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fairlead.errors import SettingsError
from fairlead.model.event_name import EventName, event_named
from fairlead.settings.formats.json_edit import MARK
from fairlead.settings.formats.json_text import parse
from fairlead.settings.kimi_hooks import problems_in_hooks

_TYPES = {
    "claude": ("command", "http", "mcp_tool", "prompt", "agent"),
    "codex": ("command", "mcp_tool", "prompt", "agent"),
    "qwen": ("command", "http", "prompt", "function"),
}
_PLAIN = ("claude", "codex")
"""Agents that were seen to drop a file for a comment in it, or for a comma before a closing bracket."""
_ALL_OR_NONE = ("factory", "auggie")
"""Agents that were seen to drop every hook of a file for one that has no command."""
_PREFERENCES = ("hooksDisabled", "showHookOutput")
"""What Droid keeps beside the events."""
_MILLISECONDS = ("gemini", "llxprt", "auggie")


def problems_in(agent: str, path: str, content: bytes) -> list[str]:
    """One line for each; empty for a file that is sound, or that is no JSON of groups of handlers."""
    if agent == "kimi":
        return [f"{path}: {problem}" for problem in problems_in_hooks(content)]
    if agent not in (*_GROUPED, "cursor", "windsurf") or not path.endswith(".json") or not content.strip():
        return []
    try:
        document = parse(content.decode("utf-8")).value
    except (SettingsError, UnicodeDecodeError) as error:
        return [f"{path}: {error}"]
    if not isinstance(document, dict):
        return [f"{path}: the document is not an object"]
    found = [
        *_not_plain(agent, content),
        *_switched_off(document),
        *(_at_top(agent, document) if _has_events_at_top(agent, path) else ()),
        *_in_events(agent, document.get("hooks")),
    ]
    return [f"{path}: {problem}" for problem in found]


def _has_events_at_top(agent: str, path: str) -> bool:
    return agent == "factory" and path.endswith("/hooks.json")


def _at_top(agent: str, document: dict[str, object]) -> Iterator[str]:
    """Droid's `hooks.json` is the object that `hooks` is in its other file."""
    if document.get("hooksDisabled") is True:
        yield "hooksDisabled is true: no hook runs"
    hooks = document.get("hooks")
    if isinstance(hooks, dict) and any(MARK not in str(groups) for groups in hooks.values()):
        yield "hooks is not read here: the events belong at the top of this file"
    events = {name: groups for name, groups in document.items() if event_named(name) is not EventName.OTHER}
    yield from _in_events(agent, events)


def _not_plain(agent: str, content: bytes) -> Iterator[str]:
    """What is read here, and by some agents, but is no JSON."""
    if agent not in _PLAIN:
        return
    try:
        json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        yield f"{where}: a comment or a comma too many: {agent} reads plain JSON and drops the whole file"


def _switched_off(document: dict[str, object]) -> Iterator[str]:
    if document.get("disableAllHooks") is True:
        yield "disableAllHooks is true: no hook runs"
    hooks, tools, config = document.get("hooks"), document.get("tools"), document.get("hooksConfig")
    if isinstance(hooks, dict) and hooks.get("hooksDisabled") is True:
        yield "hooks.hooksDisabled is true: no hook runs"
    if isinstance(tools, dict) and tools.get("enableHooks") is False:
        yield "tools.enableHooks is false: no hook runs"
    if isinstance(config, dict) and config.get("enabled") is False:
        yield "hooksConfig.enabled is false: no hook runs"


def _in_events(agent: str, events: object) -> Iterator[str]:
    if events is None:
        return
    if not isinstance(events, dict):
        yield "hooks is not an object"
        return
    for event, groups in events.items():
        if event in _PREFERENCES:
            continue
        if not isinstance(groups, list):
            yield f"hooks.{event} is not a list"
            continue
        for index, group in enumerate(groups):
            yield from _in_group(agent, f"hooks.{event}[{index}]", group)


def _in_group(agent: str, where: str, group: object) -> Iterator[str]:
    if not isinstance(group, dict):
        yield f"{where} is not an object"
        return
    matcher = group.get("matcher")
    if matcher is not None and not isinstance(matcher, str):
        yield f"{where}.matcher is not a text: the hook never fires"
    elif matcher and not _compiles(matcher):
        yield f"{where}.matcher {matcher!r} is no regular expression: the hook never fires"
    if agent not in _GROUPED:
        yield from _in_handler(agent, where, group)
        return
    handlers = group.get("hooks")
    if not isinstance(handlers, list):
        yield f"{where} has no list of hooks in it: it never fires"
        return
    for index, handler in enumerate(handlers):
        if isinstance(handler, dict):
            yield from _in_handler(agent, f"{where}.hooks[{index}]", handler)
        else:
            yield f"{where}.hooks[{index}] is not an object"


_GROUPED = frozenset({"claude", "codex", "gemini", "llxprt", "qwen", "factory", "auggie"})


def _in_handler(agent: str, where: str, handler: dict[str, object]) -> Iterator[str]:
    kind, timeout = handler.get("type", "command"), handler.get("timeout")
    known = _TYPES.get(agent, ("command", "http", "prompt", "agent", "mcp_tool", "function"))
    if kind not in known:
        yield f"{where}.type {kind!r} is not one that {agent} knows: hooks of this event may be dropped"
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float)):
        yield f"{where}.timeout is not a number: hooks of this event may be dropped"
    elif isinstance(timeout, int | float) and agent in _MILLISECONDS and 0 < timeout < 1000:
        yield f"{where}.timeout is {timeout} milliseconds: too short to answer, and then the tool runs"
    if agent in _ALL_OR_NONE and kind == "command" and not isinstance(handler.get("command"), str):
        yield f"{where} has no command: {agent} drops every hook of the file for it"
    if agent == "claude" and handler.get("onFailure", "block") not in ("block", "continue"):
        yield f"{where}.onFailure is neither `block` nor `continue`: the hook is dropped"


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return pattern in ("*",) or pattern.startswith("mcp:")
    return True
