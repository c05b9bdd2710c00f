"""Calls of the journal as lines: one where the screen is wide, two where it is not."""

from __future__ import annotations

import click

from fairlead.doors.cli.output import painted
from fairlead.doors.cli.presentation.screen import UNBOUNDED, screen_width
from fairlead.doors.cli.presentation.words import ago, milliseconds, printable, shown_decision
from fairlead.doors.cli.presentation.wrapping import cells, cut, padded
from fairlead.model.event_name import EventName
from fairlead.store.reader import Call

SHORT_ID = 8
_ONE_LINE = 110
"""Columns from which on a call takes one line."""
_WHAT = 16
_LEAST_SUMMARY = 24
_OF_A_TOOL = {
    EventName.BEFORE_TOOL: "",
    EventName.AFTER_TOOL: "result",
    EventName.TOOL_FAILURE: "failure",
    EventName.TOOL_PERMISSION: "permission",
    EventName.TOOL_DENIED: "denied",
}
"""What happened to the tool that a line names."""


def call_lines(call: Call, now: float, *, width: int | None = None) -> list[str]:
    """When, what was decided, who asked what, which rule, how long it took, and the call's id."""
    room = screen_width() if width is None else width
    return _one_line(call, now, room) if room == UNBOUNDED or room >= _ONE_LINE else _two(call, now, room)


def what_happened(call: Call) -> str:
    """The tool and what became of it; the event, where there is no tool."""
    word = _OF_A_TOOL.get(EventName(call.event)) if call.event in _EVENTS else None
    if not call.tool:
        return call.event
    return f"{call.tool} {call.event if word is None else word}".strip()


_EVENTS = frozenset(map(str, EventName))


def _one_line(call: Call, now: float, room: int) -> list[str]:
    head = f"{_head(call, now)} {_agent(call):<8} {what_happened(call):<{_WHAT}} "
    tail = f"  {milliseconds(call.milliseconds):>9}  {call.id[-SHORT_ID:]}"
    rule = _rule(call)
    shown = f"  {click.style(rule, bold=True)}" if rule else ""
    text = printable(call.summary)
    if room == UNBOUNDED:
        return [f"{head}{text}{shown}{tail}"]
    space = max(room - cells(head + shown + tail), _LEAST_SUMMARY)
    return [f"{head}{padded(cut(text, space), space)}{shown}{tail}"]


def _two(call: Call, now: float, room: int) -> list[str]:
    head = _head(call, now)
    space = room - cells(head) - SHORT_ID - 2
    who, what, summary = printable(_agent(call)), printable(what_happened(call)), printable(call.summary)
    beside = cells(f"{who} {what}") <= space
    told = f"{who} {what}" if beside else cut(who, space)
    first = f"{head} {padded(told, space)} {call.id[-SHORT_ID:]}"
    indent = " " * 5
    below = summary if beside else f"{what}  {summary}".rstrip()
    further = [cut(below, room - len(indent)), click.style(_rule(call), bold=True)]
    return [first, *(f"{indent}{text}" for text in further if click.unstyle(text))]


def _head(call: Call, now: float) -> str:
    decision = painted(call.decision, f"{shown_decision(call.decision):<7}")
    return f"{ago(call.ts, now):>4} {decision} {_marks(call):<2}"


def _agent(call: Call) -> str:
    return f"{call.agent} [{call.subagent[:8]}]" if call.subagent else call.agent


def _marks(call: Call) -> str:
    marks = (
        ("!", call.failures),
        ("~", call.degraded),
        ("2", call.attempts > 1),
        ("c", call.canary),
        ("w", call.would),
    )
    return "".join(mark for mark, shown in marks if shown)


def _rule(call: Call) -> str:
    return printable(f"would {call.would} {call.would_rule}" if call.would else call.rule)
