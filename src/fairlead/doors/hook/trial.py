"""Runs the cases of a policy: each as one event, through the engine that would judge it."""

from __future__ import annotations

import os

from fairlead.doors.hook.systems import Systems
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolResult, call_named
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.policy.reading.cases import Case

_AFTER = (EventName.AFTER_TOOL, EventName.TOOL_FAILURE)


class Trial(Value):
    """A case and what came of it; `problem` is empty when it was as expected."""

    case: Case
    verdict: Verdict
    problem: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


def run_case(case: Case, systems: Systems, root: str) -> Trial:
    """`root` is the project that the case is judged in; its `cwd` is seen from there."""
    compiled = systems.compiled(root, case.agent)
    verdict = compiled.fire(event_of_case(case, root), environment=dict(os.environ))
    return Trial(case, verdict, difference(case, verdict))


def event_of_case(case: Case, root: str) -> Event:
    cwd = os.path.normpath(os.path.join(root, case.cwd))
    tool = call_named(case.tool, case.input) if case.tool else None
    return Event(
        case.event,
        native_name=str(case.event),
        agent=case.agent,
        session="test",
        root=root,
        cwd=cwd,
        tool=tool,
        result=ToolResult(case.input.get("output")) if case.event in _AFTER else None,
        prompt=case.prompt,
        payload=case.input if tool is None else {},
    )


def difference(case: Case, verdict: Verdict) -> str:
    """What is otherwise than expected; nothing if all is well. A breakdown is no decision."""
    breakdown = verdict.breakdown
    if case.broken:
        return "" if breakdown is not None else "expected a hook to break, and none did"
    if breakdown is not None:
        return f"a hook broke, so this is no decision: {breakdown.message}"
    expected, found = max(case.expect, Decision.ALLOW), max(verdict.decision, Decision.ALLOW)
    wanted = "pass" if expected is Decision.ALLOW else expected.word
    told = f"{verdict.decision.word} ({verdict.rule or verdict.hook or 'no hook objected'}): {verdict.reason}"
    if found != expected:
        return f"expected {wanted}, got {told}"
    if case.rule and case.rule != verdict.rule:
        return f"expected the rule {case.rule}, got {told}"
    if case.hook and case.hook != verdict.hook:
        return f"expected the hook {case.hook}, got {told}"
    if case.reason and case.reason not in verdict.reason:
        return f"expected {case.reason!r} in the reason, got {told}"
    return ""
