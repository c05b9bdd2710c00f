"""Who is calling, from the payload: Cursor, Copilot and VS Code also run the hooks in Claude's settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from fairlead.dialects.agent_registry import canonical_agent, dialect_named
from fairlead.dialects.payloads.payload_fields import Payload, read_object, text
from fairlead.errors import PayloadError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.interfaces import Dialect

_MARKS = (
    b'"agent_action_name"',
    b'"cursor_version"',
    b'"turn_id"',
    b'"toolCall"',
    b'"sessionId"',
    b'"clineVersion"',
    b'"workspace_roots"',
    b'"BeforeTool',
    b'"AfterTool"',
    b'"tool_call_id"',
    b'"timestamp"',
)
"""A payload without any of these is its installer's: it need not be parsed here, and then again."""

_OWN: Mapping[str, tuple[bytes, ...]] = {
    "codex": (b'"turn_id"',),
    "gemini": (b'"timestamp"', b'"BeforeTool', b'"AfterTool"'),
    "llxprt": (b'"timestamp"', b'"BeforeTool', b'"AfterTool"'),
    "qwen": (b'"timestamp"', b'"tool_call_id"'),
    "copilot": (b'"sessionId"',),
    "cursor": (b'"cursor_version"', b'"workspace_roots"'),
    "windsurf": (b'"agent_action_name"', b'"timestamp"'),
    "cline": (b'"clineVersion"', b'"timestamp"'),
    "auggie": (b'"workspace_roots"',),
    "kimi": (b'"tool_call_id"',),
    "antigravity": (b'"toolCall"',),
}
"""Marks that an agent's own payloads carry: they tell nothing new about it.

Copilot and VS Code read the same folder of hooks, and both stamp the time, so theirs are always looked at.
"""

_GEMINI_EVENTS = (
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
)
_FACTORY_MODES = ("off", "spec", "auto-low", "auto-medium", "auto-high")
_UNSURE = ("", "generic")


def dialect_for(
    agent: str, payload: bytes, environment: Mapping[str, str], *, roots: Sequence[str] = ()
) -> Dialect:
    """The dialect that the payload is written in, whoever's settings started the hook.

    Only of an agent that we do not know, the policy `roots` are asked whether a plugin speaks for it.
    """
    try:
        said = canonical_agent(agent)
    except UsageError:
        foreign = _foreign(agent, roots)
        if foreign is not None:
            return foreign
        said = "generic"
    found = caller(payload, said=said, environment=environment)
    if found == "gemini" and "FAIRLEAD_COUNTERSIGN" in environment:
        from fairlead.dialects.agents.gemini_family.countersigned import DIALECT

        return DIALECT
    return dialect_named(found)


def _foreign(agent: str, roots: Sequence[str]) -> Dialect | None:
    """The dialect of a plugin, if the policy under one of these roots names it; None else."""
    from fairlead.policy.named_plugins import named_plugins

    if agent not in named_plugins(roots, "dialects"):
        return None
    from fairlead.dialects.third_party_dialect import ThirdPartyDialect

    return ThirdPartyDialect(agent)


def caller(raw: bytes, *, said: str, environment: Mapping[str, str]) -> str:
    """The agent whose payload this is. `said` is the one on the command line: it holds unless the payload
    clearly is another's. What cannot be parsed stays with `said`, whose dialect will say what is wrong."""
    if said not in _UNSURE and not _marks_of_others(said).search(raw):
        return said
    try:
        payload = read_object(raw)
    except PayloadError:
        return said or "generic"
    found = _by_payload(payload, said, environment)
    if found:
        return found
    return said if said not in _UNSURE else _by_environment(payload, environment)


@cache
def _marks_of_others(agent: str) -> re.Pattern[bytes]:
    return re.compile(b"|".join(mark for mark in _MARKS if mark not in _OWN.get(agent, ())))


def _by_payload(payload: Payload, said: str, environment: Mapping[str, str]) -> str:
    for agent, fields in _FIELDS:
        if all(field in payload for field in fields):
            return agent
    if text(payload, "hook_event_name") in _GEMINI_EVENTS:
        if said in ("gemini", "llxprt"):
            return said
        return "llxprt" if "LLXPRT_PROJECT_DIR" in environment else "gemini"
    if said in (*_UNSURE, "claude", "copilot", "vscode"):
        return _reader_of_claude_settings(payload)
    return ""


_FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("windsurf", ("agent_action_name",)),
    ("cursor", ("cursor_version",)),
    ("codex", ("turn_id", "model", "hook_event_name")),
    ("antigravity", ("toolCall", "conversationId")),
    ("cline", ("clineVersion",)),
    ("copilot", ("sessionId", "cwd", "timestamp")),
    ("auggie", ("workspace_roots", "conversation_id")),
    ("qwen", ("tool_call_id", "tool_use_id")),
)
"""In this order: Cursor's payload has workspace roots too."""


def _reader_of_claude_settings(payload: Payload) -> str:
    """Claude stamps no time on a payload. Copilot does, and gives no transcript but at the end of a turn."""
    if "timestamp" not in payload or "permission_mode" in payload or "hook_event_name" not in payload:
        return ""
    if "transcript_path" not in payload or "stop_reason" in payload:
        return "copilot"
    return "vscode"


_VARIABLES = (
    ("cursor", "CURSOR_VERSION"),
    ("auggie", "AUGMENT_HOOK_EVENT"),
    ("factory", "FACTORY_PROJECT_DIR"),
    ("gemini", "GEMINI_SESSION_ID"),
)


def _by_environment(payload: Payload, environment: Mapping[str, str]) -> str:
    """CLAUDE_PROJECT_DIR says nothing: four agents set it."""
    if text(payload, "permission_mode") in _FACTORY_MODES:
        return "factory"
    if environment.get("AI_AGENT", "").startswith("claude-code"):
        return "claude"
    return next((agent for agent, variable in _VARIABLES if environment.get(variable)), "generic")
