"""The examples of a policy's own rules, tried as its tests. Nothing of them runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, call_named
from fairlead.packs.own_rules.apply_rule import apply_rule
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import Problem

_SHOULD = {"stops": True, "passes": False}


def examples_that_fail(entry: Entry, root: str) -> Iterator[Problem]:
    """A problem for each that turns out otherwise than its rule says."""
    rule = entry.config["rule"]
    assert isinstance(rule, Mapping)
    for key, stopped in _SHOULD.items():
        for example in rule.get(key) or ():
            call = _call(example)
            if call is None:
                message = f"{example!r} is no example"
                yield entry.problem(key, message, hint="a command, or {tool: Write, input: {...}}")
            elif _is_stopped(entry, call, root) is not stopped:
                what = "does not stop" if stopped else "stops"
                message = f"the rule {entry.id!r} {what} its example {_shown(call)!r}"
                yield entry.problem(key, message, hint="mend the rule or the example")


def _is_stopped(entry: Entry, call: ToolCall, root: str) -> bool:
    rule = entry.config["rule"]
    agents = rule.get("agent") if isinstance(rule, Mapping) else None
    agent = str(agents[0] if isinstance(agents, list) and agents else agents or "generic")
    event = Event(EventName.BEFORE_TOOL, agent=agent, session="check", root=root, cwd=root, tool=call)
    try:
        return apply_rule(event, entry.config, ()) is not None
    except FairleadError:
        return True  # a rule that breaks blocks; what is wrong with it is found elsewhere


def _call(example: object) -> ToolCall | None:
    if isinstance(example, str):
        return call_named("Bash", {"command": example})
    if isinstance(example, Mapping) and isinstance(example.get("input", {}), Mapping) and "tool" in example:
        return call_named(str(example["tool"]), example.get("input", {}))
    return None


def _shown(call: ToolCall) -> str:
    return str(call.input.get("command") or f"{call.name} {dict(call.input)}")
