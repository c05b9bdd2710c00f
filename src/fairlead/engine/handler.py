"""One typed method per event, for callers that own the events: agents, services, the message bus.

Each builds the event, so that a caller's input cannot choose its own session, directory or event name.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fairlead.engine.system import HookSystem
from fairlead.engine.validator import unknown_event, validate_input
from fairlead.model.event import Event
from fairlead.model.event_input import KNOWN_WORDS, CompressTrigger, SessionEndReason, SessionStartSource
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure
from fairlead.model.processed import ProcessedHookResult, processed
from fairlead.model.tool_call import ToolKind, ToolResult, call_named
from fairlead.model.value import Value

Input = Mapping[str, Any]
_KNOWN: Mapping[str, EventName] = {name: name for name in EventName}
"""Callers without types give texts: the word of an event is the event, and any other is a failure."""


class Surroundings(Value):
    """Where events happen: what every hook gets besides the event's own input."""

    session_id: str
    cwd: str
    transcript_path: str = ""
    root: str = ""
    agent: str = "library"


class HookEventHandler:
    """One method for each event, which checks the input, fires it and gives one result."""

    def __init__(self, system: HookSystem, surroundings: Surroundings) -> None:
        self._system = system
        self._surroundings = surroundings

    def fire_before_tool(
        self, tool_name: str, tool_input: Input, *, mcp_context: Input | None = None
    ) -> ProcessedHookResult:
        given = {"tool_name": tool_name, "tool_input": tool_input}
        return self.fire(EventName.BEFORE_TOOL, _with(given, mcp_context=mcp_context))

    def fire_after_tool(
        self, tool_name: str, tool_input: Input, tool_response: Input, *, mcp_context: Input | None = None
    ) -> ProcessedHookResult:
        given = {"tool_name": tool_name, "tool_input": tool_input, "tool_response": tool_response}
        return self.fire(EventName.AFTER_TOOL, _with(given, mcp_context=mcp_context))

    def fire_before_agent(self, prompt: str) -> ProcessedHookResult:
        return self.fire(EventName.BEFORE_AGENT, {"prompt": prompt})

    def fire_after_agent(
        self, prompt: str, prompt_response: str, *, stop_hook_active: bool = False
    ) -> ProcessedHookResult:
        given = {"prompt": prompt, "prompt_response": prompt_response, "stop_hook_active": stop_hook_active}
        return self.fire(EventName.AFTER_AGENT, given)

    def fire_before_model(self, llm_request: Input) -> ProcessedHookResult:
        return self.fire(EventName.BEFORE_MODEL, {"llm_request": llm_request})

    def fire_after_model(self, llm_request: Input, llm_response: Input) -> ProcessedHookResult:
        return self.fire(EventName.AFTER_MODEL, {"llm_request": llm_request, "llm_response": llm_response})

    def fire_before_tool_selection(self, llm_request: Input) -> ProcessedHookResult:
        return self.fire(EventName.BEFORE_TOOL_SELECTION, {"llm_request": llm_request})

    def fire_notification(self, notification_type: str, message: str, details: Input) -> ProcessedHookResult:
        given = {"notification_type": notification_type, "message": message, "details": details}
        return self.fire(EventName.NOTIFICATION, given)

    def fire_session_start(self, source: SessionStartSource | str) -> ProcessedHookResult:
        return self.fire(EventName.SESSION_START, {"source": source})

    def fire_session_end(self, reason: SessionEndReason | str) -> ProcessedHookResult:
        return self.fire(EventName.SESSION_END, {"reason": reason})

    def fire_pre_compress(self, trigger: CompressTrigger | str) -> ProcessedHookResult:
        return self.fire(EventName.PRE_COMPRESS, {"trigger": trigger})

    def fire(self, name: EventName, given: object) -> ProcessedHookResult:
        """Any event by its input: validated, built, judged. A failure is a result, never an exception; a name
        that no event has is one, and blocks."""
        event, failure = self._event(name, given)
        if failure is not None:
            return processed(self._system.refuse(event, failure))
        verdict = self._system.fire(event)
        if not self._system.attends:
            self._system.run_observers(event, verdict)
        return processed(verdict)

    async def fire_async(self, name: EventName, given: object) -> ProcessedHookResult:
        event, failure = self._event(name, given)
        if failure is not None:
            return processed(self._system.refuse(event, failure))
        verdict = await self._system.fire_async(event)
        if not self._system.attends:
            await self._system.run_observers_async(event, verdict)
        return processed(verdict)

    def report(self, failure: Failure) -> None:
        """Tells the system's sinks of a request that named no event."""
        self._system.report(failure)

    def _event(self, name: EventName, given: object) -> tuple[Event, Failure | None]:
        around, known = self._surroundings, _KNOWN.get(name) if isinstance(name, str) else None
        event = Event(
            known or EventName.OTHER,
            native_name=str(name),
            agent=around.agent,
            session=around.session_id,
            root=around.root or around.cwd,
            cwd=around.cwd,
            transcript_path=around.transcript_path,
            timestamp=_timestamp(time.time()),
        )
        failure = validate_input(known, given) if known else unknown_event(name)
        return (
            (event, failure) if failure or not isinstance(given, Mapping) else (_filled(event, given), None)
        )


def _filled(event: Event, given: Input) -> Event:
    """The event with its input. What the input says of the base fields is overruled by the event."""
    given = _with_known_words(event.name, given)
    tool = None
    if "tool_name" in given:
        context = given.get("mcp_context") or {}
        server = str(context.get("server_name", ""))
        tool = call_named(given["tool_name"], given["tool_input"])
        if server:
            tool = tool.replace(
                kind=ToolKind.MCP, mcp_server=server, mcp_tool=str(context.get("tool_name", ""))
            )
    response = given.get("tool_response")
    return event.replace(
        tool=tool,
        result=None if response is None else ToolResult(response, ok=not response.get("error")),
        prompt=given.get("prompt"),
        model_request=given.get("llm_request"),
        model_response=given.get("llm_response"),
        payload={**given, **_base_fields(event)},
    )


def _base_fields(event: Event) -> dict[str, str]:
    return {
        "session_id": event.session,
        "cwd": event.cwd,
        "hook_event_name": str(event.name),
        "timestamp": event.timestamp,
        "transcript_path": event.transcript_path,
    }


def _with_known_words(name: EventName, given: Input) -> Input:
    if name not in KNOWN_WORDS:
        return given
    field, words = KNOWN_WORDS[name]
    word = str(given[field])
    if word in words.__members__.values():
        return {**given, field: word}
    return {**given, field: "other", f"native_{field}": word}


def _with(given: dict[str, Any], **optional: object) -> dict[str, Any]:
    return given | {name: value for name, value in optional.items() if value is not None}


def _timestamp(now: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
    return f"{whole}.{int(now % 1 * 1000):03d}Z"
