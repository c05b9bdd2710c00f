"""For authors of hooks: events without an agent, a clock that stands still, a verdict without a policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairlead.contracts.returned_value import ReturnedValue
from fairlead.drivers.asynchronous import drive as drive_async
from fairlead.drivers.sync import drive
from fairlead.engine.system import HookSystem, Parts
from fairlead.executors.python_call import PythonCall
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Verdict


class FakeClock:
    """Time that moves only when told to."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.time = now

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += seconds


class MemorySink:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.records: list[Mapping[str, object]] = []

    def write(self, record: Mapping[str, object]) -> None:
        self.records.append(record)


def shell_event(command: str, **fields: Any) -> Event:
    """An agent is about to run a command in the project /project."""
    return tool_event("Bash", {"command": command}, kind=ToolKind.SHELL, **fields)


def tool_event(
    name: str, tool_input: Mapping[str, object], *, kind: ToolKind = ToolKind.OTHER, **fields: Any
) -> Event:
    """An agent is about to use a tool."""
    tool = ToolCall(name, tool_input, kind)
    given = {"session": "s1", "root": "/project", "cwd": "/project", "native_name": "PreToolUse"} | fields
    return Event(EventName.BEFORE_TOOL, tool=tool, **given)


def result_event(name: str, tool_input: Mapping[str, object], output: object, **fields: Any) -> Event:
    """A tool has answered."""
    given = {"session": "s1", "root": "/project", "cwd": "/project", "native_name": "PostToolUse"} | fields
    return Event(EventName.AFTER_TOOL, tool=ToolCall(name, tool_input), result=ToolResult(output), **given)


def hook(
    function: Callable[[Event, Mapping[str, object], Sequence[Outcome]], object],
    *,
    id: str = "",
    type: HookType = HookType.SAFETY,
    event: EventName = EventName.BEFORE_TOOL,
    **fields: Any,
) -> Hook:
    """A hook that calls `function(event, config, previous)`."""
    return Hook(id or function.__name__, type, event, Run("call", function), **fields)


def system_of(hooks: Sequence[Hook], *, clock: FakeClock | None = None, **options: Any) -> HookSystem:
    """A system of Python hooks, without policy, journal or processes."""
    parts = Parts(
        execute=PythonCall().run,
        read=ReturnedValue().read,
        clock=clock or FakeClock(),
        drive=drive,
        drive_async=drive_async,
        sinks=options.pop("sinks", ()),
    )
    return HookSystem(hooks, parts, **options)


def judge(hooks: Sequence[Hook], event: Event) -> Verdict:
    """What these hooks together say of the event."""
    return system_of(hooks).fire(event)
