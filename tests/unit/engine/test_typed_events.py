"""The typed methods of the handler, one per event, and the guard of each input."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fairlead.engine import inputs
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode
from fairlead.model.hook import HookType, Outcome
from fairlead.model.processed import ProcessedHookResult
from fairlead.model.tool_call import ToolKind
from fairlead.testing import hook, system_of

AROUND = Surroundings("s1", "/project/sub", "/t.jsonl", root="/project", agent="mine")
READ = {"path": "a.txt"}

CALLS: list[tuple[EventName, Callable[[HookEventHandler], ProcessedHookResult], dict[str, object]]] = [
    (
        EventName.BEFORE_TOOL,
        lambda handler: handler.fire_before_tool("read", READ),
        {"tool_name": "read", "tool_input": READ},
    ),
    (
        EventName.AFTER_TOOL,
        lambda handler: handler.fire_after_tool("read", READ, {"text": "x"}),
        {"tool_name": "read", "tool_input": READ, "tool_response": {"text": "x"}},
    ),
    (EventName.BEFORE_AGENT, lambda handler: handler.fire_before_agent("do"), {"prompt": "do"}),
    (
        EventName.AFTER_AGENT,
        lambda handler: handler.fire_after_agent("do", "did"),
        {"prompt": "do", "prompt_response": "did", "stop_hook_active": False},
    ),
    (EventName.BEFORE_MODEL, lambda handler: handler.fire_before_model({"m": 1}), {"llm_request": {"m": 1}}),
    (
        EventName.AFTER_MODEL,
        lambda handler: handler.fire_after_model({"m": 1}, {"r": 2}),
        {"llm_request": {"m": 1}, "llm_response": {"r": 2}},
    ),
    (
        EventName.BEFORE_TOOL_SELECTION,
        lambda handler: handler.fire_before_tool_selection({"m": 1}),
        {"llm_request": {"m": 1}},
    ),
    (
        EventName.NOTIFICATION,
        lambda handler: handler.fire_notification("kind", "text", {"k": 1}),
        {"notification_type": "kind", "message": "text", "details": {"k": 1}},
    ),
    (
        EventName.SESSION_START,
        lambda handler: handler.fire_session_start("resume"),
        {"source": "resume"},
    ),
    (EventName.SESSION_END, lambda handler: handler.fire_session_end("logout"), {"reason": "logout"}),
    (EventName.PRE_COMPRESS, lambda handler: handler.fire_pre_compress("manual"), {"trigger": "manual"}),
]


def watched(name: EventName, outcome: Outcome | None = None) -> tuple[HookEventHandler, list[Event]]:
    """A handler, and the events that a hook on this name sees."""
    seen: list[Event] = []

    def see(event: Event, *_: object) -> Outcome | None:
        seen.append(event)
        return outcome

    return HookEventHandler(system_of([hook(see, event=name)]), AROUND), seen


@pytest.mark.parametrize(("name", "fire", "given"), CALLS, ids=[str(each[0]) for each in CALLS])
def test_each_method_fires_its_event_with_what_it_was_given(
    name: EventName, fire: Callable[[HookEventHandler], ProcessedHookResult], given: dict[str, object]
) -> None:
    handler, seen = watched(name, Outcome(system_message="heard"))
    assert fire(handler).system_message == "heard"
    (event,) = seen
    base = {
        "session_id": "s1",
        "cwd": "/project/sub",
        "hook_event_name": str(name),
        "timestamp": event.timestamp,
        "transcript_path": "/t.jsonl",
    }
    assert event.payload == {**given, **base}
    assert (event.name, event.native_name, event.agent, event.root) == (name, str(name), "mine", "/project")
    assert (event.prompt, event.model_request) == (given.get("prompt"), given.get("llm_request"))
    assert event.model_response == given.get("llm_response")
    assert (event.result and event.result.output) == given.get("tool_response")


def test_without_a_root_the_directory_is_the_root() -> None:
    handler, seen = watched(EventName.BEFORE_AGENT)
    handler._surroundings = Surroundings("s1", "/here")
    handler.fire_before_agent("x")
    assert (seen[0].root, seen[0].cwd) == ("/here", "/here")


def test_a_timestamp_is_in_utc_with_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairlead.engine.handler.time.time", lambda: 86_400.0625)
    handler, seen = watched(EventName.BEFORE_AGENT)
    handler.fire_before_agent("x")
    assert seen[0].timestamp == "1970-01-02T00:00:00.062Z"


@pytest.mark.parametrize(("response", "ok"), [({"text": "x"}, True), ({"error": "x"}, False)])
def test_a_response_with_an_error_is_a_failed_call(response: dict[str, object], ok: bool) -> None:
    handler, seen = watched(EventName.AFTER_TOOL)
    handler.fire_after_tool("read", READ, response)
    assert seen[0].result is not None
    assert seen[0].result.ok is ok


def test_a_tool_of_a_server_is_known_by_both_names() -> None:
    for name in (EventName.BEFORE_TOOL, EventName.AFTER_TOOL):
        handler, seen = watched(name)
        context = {"server_name": "files", "tool_name": "read"}
        if name is EventName.AFTER_TOOL:
            handler.fire_after_tool("f__read", READ, {}, mcp_context=context)
        else:
            handler.fire_before_tool("f__read", READ, mcp_context=context)
        tool = seen[0].tool
        assert tool is not None
        assert (tool.kind, tool.mcp_server, tool.mcp_tool) == (ToolKind.MCP, "files", "read")
        assert seen[0].payload["mcp_context"] == context


def test_a_server_without_the_name_of_its_tool_has_none() -> None:
    handler, seen = watched(EventName.BEFORE_TOOL)
    handler.fire_before_tool("f__read", READ, mcp_context={"server_name": "files"})
    assert seen[0].tool is not None
    assert (seen[0].tool.mcp_server, seen[0].tool.mcp_tool) == ("files", "")


@pytest.mark.parametrize("context", [{}, {"server_name": ""}, {"server_name": 1}])
def test_an_mcp_context_names_its_server(context: dict[str, object]) -> None:
    handler, seen = watched(EventName.BEFORE_TOOL)
    result = handler.fire_before_tool("f__read", READ, mcp_context=context)
    (failure,) = result.aggregated.errors
    assert failure.code is FailureCode.VALIDATION_FAILURE
    assert failure.message == "BeforeTool input missing required field: mcp_context.server_name"
    assert failure.details == {"eventName": "BeforeTool", "field": "mcp_context.server_name"}
    assert seen == []


@pytest.mark.parametrize(
    ("fire", "field"),
    [
        (lambda handler: handler.fire_session_start("sunrise"), "source"),
        (lambda handler: handler.fire_session_end("sunset"), "reason"),
        (lambda handler: handler.fire_pre_compress("noon"), "trigger"),
    ],
)
def test_a_word_that_nobody_knows_is_other_and_is_kept_beside_it(fire: Any, field: str) -> None:
    names = {"source": EventName.SESSION_START, "reason": EventName.SESSION_END}
    handler, seen = watched(names.get(field, EventName.PRE_COMPRESS))
    fire(handler)
    assert seen[0].payload[field] == "other"
    assert seen[0].payload[f"native_{field}"] in ("sunrise", "sunset", "noon")


def test_observers_run_once_the_verdict_is_known_on_a_loop_as_well() -> None:
    def refuse(*_: object) -> Outcome:
        return Outcome(Decision.BLOCK, "no")

    seen: list[str] = []

    def see(event: Event, *_: object) -> None:
        seen.append(str(event.name))

    system = system_of([hook(refuse), hook(see, type=HookType.OBSERVABILITY)])
    handler = HookEventHandler(system, AROUND)
    given = {"tool_name": "read", "tool_input": READ}
    for result in (
        handler.fire(EventName.BEFORE_TOOL, given),
        asyncio.run(handler.fire_async(EventName.BEFORE_TOOL, given)),
    ):
        assert result.aggregated.verdict.decision is Decision.BLOCK
    assert seen == ["BeforeTool", "BeforeTool"]
    system.attends = True
    handler.fire(EventName.BEFORE_TOOL, given)
    asyncio.run(handler.fire_async(EventName.BEFORE_TOOL, given))
    assert len(seen) == 2


GUARDS = {
    EventName.BEFORE_TOOL: inputs.validate_before_tool_input,
    EventName.AFTER_TOOL: inputs.validate_after_tool_input,
    EventName.BEFORE_AGENT: inputs.validate_before_agent_input,
    EventName.AFTER_AGENT: inputs.validate_after_agent_input,
    EventName.BEFORE_MODEL: inputs.validate_before_model_input,
    EventName.AFTER_MODEL: inputs.validate_after_model_input,
    EventName.BEFORE_TOOL_SELECTION: inputs.validate_before_tool_selection_input,
    EventName.NOTIFICATION: inputs.validate_notification_input,
    EventName.SESSION_START: inputs.validate_session_start_input,
    EventName.SESSION_END: inputs.validate_session_end_input,
    EventName.PRE_COMPRESS: inputs.validate_pre_compress_input,
}


@pytest.mark.parametrize(("name", "given"), [(each[0], each[2]) for each in CALLS])
def test_a_guard_takes_its_own_input_whole_and_no_other(name: EventName, given: dict[str, object]) -> None:
    assert GUARDS[name](given) is True
    assert GUARDS[name](None) is False
    for left_out in given:
        assert GUARDS[name]({key: value for key, value in given.items() if key != left_out}) is False
