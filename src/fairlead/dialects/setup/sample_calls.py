"""A call as an agent would send it, made from what its module says about its calls."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agent_registry import Voice, dialect_named, module_of
from fairlead.dialects.payloads.call_templates import sent, slots_of
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.model.digest import sha256_hex
from fairlead.model.event_name import EventName, event_named


def gate_of(dialect: Voice) -> str:
    """The agent's first event before a tool."""
    return next(event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL)


def calls_of(agent: str) -> tuple[SentCall, ...]:
    calls: tuple[SentCall, ...] = module_of(agent).CALLS
    return calls


def shell_call(agent: str, command: str, *, cwd: str, session: str) -> tuple[str, Mapping[str, object]]:
    """The event and the payload of a call that would run `command`. No two sessions have a call in common."""
    call = next(call for call in calls_of(agent) if "command" in slots_of(call))
    values = {
        "command": command,
        "cwd": cwd,
        "session": session,
        "call": f"{session}-{sha256_hex(command.encode())[:8]}",
    }
    return next(sent(call, gate_of(dialect_named(agent)), values))
