"""Recorded calls judged again, by the policy of today or another, without touching anything.

Built-in hooks judge anew. Hooks that run code of their own are not run: what they said at the time counts
again, and where they said nothing the call cannot be decided.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum

from fairlead.assembly import Execution, build, policy_for
from fairlead.engine.system import HookSystem
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event import Event, Subagent
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.policy.places import Places

Record = Mapping[str, object]


class Change(StrEnum):
    SAME = "same"
    BLOCKED = "newly blocked"
    ASKED = "newly asked"
    ALLOWED = "newly allowed"
    OTHER_RULE = "by another rule"
    UNDECIDABLE = "undecidable"


class Replayed(Value):
    """One call, as it was decided and as it would be."""

    id: str
    change: Change
    was: Decision
    was_rule: str
    now: Decision
    now_rule: str
    would: str = ""
    """What audit would keep back of it now: the decision and the rule."""
    why: str = ""
    """Why it cannot be decided."""


class Replay:
    """Judges records by the policies under `places`, and those of `extra` folders besides, with the
    exceptions that `excused` names. Without `own_projects` what their projects say does not count: an extra
    folder stands in for it."""

    def __init__(
        self,
        places: Places,
        extra: Sequence[str] = (),
        *,
        excused: Sequence[str] = (),
        own_projects: bool = True,
    ) -> None:
        self._places = places
        self._extra = tuple(extra)
        self._own_projects = own_projects
        self._systems: dict[tuple[str, str], tuple[HookSystem, str]] = {}
        self._memory = _Memory()
        self._excused = tuple(excused)
        self._without = Replay(places) if extra or excused else None

    def judge(self, record: Record) -> Replayed:
        was, was_rule = recorded_decision(record)
        event = event_of(record)
        verdict, policy = self._decide(event, record)
        now, now_rule = verdict.decision, verdict.rule
        change = change_between(was, now, other_rule=was_rule != now_rule)
        unknown = self._memory.unknown
        why = ""
        if unknown and not now.stops:
            why = f"what {', '.join(sorted(unknown))} would say is not known: hooks with code are not run"
        elif change is not Change.SAME:
            why = self._doubt(record, event, policy, was)
        change = Change.UNDECIDABLE if why else change
        would = verdict.would
        kept = f"{would.decision.word} {would.rule or would.hook}" if would else ""
        return Replayed(str(record.get("id")), change, was, was_rule, now, now_rule, kept, why)

    def decision(self, record: Record) -> Decision:
        return self._decide(event_of(record), record)[0].decision

    def verdict_on(self, event: Event, record: Record) -> Verdict:
        """On another event, with what hooks that have code of their own said about the recorded one."""
        return self._decide(event, record)[0]

    def _decide(self, event: Event, record: Record) -> tuple[Verdict, str]:
        system, policy = self._system(event.root, event.agent)
        self._memory.recall(record)
        execute = Execution({}, excused=self._excused) if self._excused else None
        return system.fire(event, execute=execute), policy

    def _system(self, root: str, agent: str) -> tuple[HookSystem, str]:
        known = self._systems.get((root, agent))
        if known is None:
            policy = policy_for(self._places, root if self._own_projects else "", agent, self._extra)
            known = build(policy, instead=self._memory.instead), policy.hash
            self._systems[root, agent] = known
        return known

    def _doubt(self, record: Record, event: Event, policy: str, was: Decision) -> str:
        """Why a difference may not be the policy's doing."""
        said = (_mapping(outcome).get("decision") for outcome in _outcomes(record))
        if was < max((DECISION_WORDS.get(str(word), was) for word in said), default=was):
            return "a person had approved this one call, or the exception that let it through is gone"
        rule = str(_mapping(record.get("verdict")).get("rule"))
        if rule == "off":
            return "Fairlead was off"
        if rule == "mcp/pins":
            return "it rested on what an MCP server said of its tool at the time"
        if rule.startswith("sessions/"):
            return "it rested on what its session did before, and each call is judged by itself here"
        if record.get("redacted") or record.get("capped"):
            return "a part of the call was redacted or capped when it was recorded"
        if not os.path.isdir(event.root) or not os.path.isdir(event.cwd):
            return "the project's folder is not there any more"
        if any(_mapping(outcome).get("failure") for outcome in _outcomes(record)):
            return "a hook failed at the time"
        drifted = (
            policy == record.get("policy")
            if self._without is None
            else change_between(was, self._without.decision(record)) is not Change.SAME
        )
        return (
            "without a change of the policy it would be decided so, too: the disk has changed"
            if drifted
            else ""
        )


class _Memory:
    """What hooks with code of their own said about the call that is judged."""

    def __init__(self) -> None:
        self._said: dict[str, Outcome] = {}
        self.unknown: set[str] = set()

    def recall(self, record: Record) -> None:
        self.unknown = set()
        self._said = {}
        for outcome in map(_mapping, _outcomes(record)):
            decision = DECISION_WORDS.get(str(outcome.get("decision")), Decision.CONTINUE)
            rewritten = outcome.get("updated_input")
            self._said[str(outcome.get("hook"))] = Outcome(
                decision,
                str(outcome.get("reason") or ""),
                rule=str(outcome.get("rule") or ""),
                updated_input=rewritten if isinstance(rewritten, Mapping) else None,
            )

    def instead(self, hook: Hook) -> Hook:
        if hook.run.executor == "builtin":
            return hook
        return hook.replace(run=Run("call", lambda *_: self._say(hook.id)))

    def _say(self, hook: str) -> Outcome | None:
        said = self._said.get(hook)
        if said is None:
            self.unknown.add(hook)
        return said


def change_between(was: Decision, now: Decision, *, other_rule: bool = False) -> Change:
    before, after = max(was, Decision.ALLOW), max(now, Decision.ALLOW)  # both mean: no objection
    if before == after:
        return Change.OTHER_RULE if other_rule and after.objects else Change.SAME
    if after < before:
        return Change.ALLOWED
    return Change.BLOCKED if after.stops else Change.ASKED if after is Decision.ASK else Change.ALLOWED


def recorded_decision(record: Record) -> tuple[Decision, str]:
    verdict = _mapping(record.get("verdict"))
    word = str(verdict.get("decision"))
    return DECISION_WORDS.get(word, Decision.CONTINUE), str(verdict.get("rule") or "")


def kept_back_of(record: Record) -> tuple[Decision, str] | None:
    """What a rule in audit would have said, and which; None where nothing was kept back."""
    would = _mapping(_mapping(record.get("verdict")).get("would"))
    decision = DECISION_WORDS.get(str(would.get("decision")), Decision.CONTINUE)
    return (decision, str(would.get("rule") or "")) if decision.objects else None


def event_of(record: Record) -> Event:
    """The event that a journal line tells of, as far as it was recorded."""
    facts = _mapping(record.get("facts"))
    tool, result, subagent = (_mapping(facts.get(key)) for key in ("tool", "result", "subagent"))
    attended = facts.get("attended")
    return Event(
        _name(record.get("event")),
        native_name=_text(record.get("native_event")),
        agent=_text(record.get("agent")),
        session=_text(record.get("session")),
        root=_text(record.get("root")),
        cwd=_text(facts.get("cwd")),
        tool=_tool(tool) if tool else None,
        result=ToolResult(result.get("output"), bool(result.get("ok")), _text(result.get("error")))
        if result
        else None,
        prompt=_text(facts.get("prompt")) if "prompt" in facts else None,
        model_request=_mapping(facts.get("model_request")) or None,
        model_response=_mapping(facts.get("model_response")) or None,
        permission_mode=_text(facts.get("permission_mode")),
        attended=attended if isinstance(attended, bool) else None,
        subagent=Subagent(_text(subagent.get("id")), _text(subagent.get("type"))) if subagent else None,
        payload=_mapping(facts.get("more")),
        request=_text(record.get("request")),
        agent_version=_text(facts.get("agent_version")),
        turn=_text(facts.get("turn")),
    )


def _tool(tool: Mapping[str, object]) -> ToolCall:
    kind = _text(tool.get("kind"))
    return ToolCall(
        _text(tool.get("name")),
        _mapping(tool.get("input")),
        ToolKind(kind) if kind in list(ToolKind) else ToolKind.OTHER,
        _text(tool.get("call")),
        _text(tool.get("mcp_server")),
        _text(tool.get("mcp_tool")),
    )


def _name(word: object) -> EventName:
    return EventName(str(word)) if word in list(EventName) else EventName.OTHER


def _outcomes(record: Record) -> Sequence[object]:
    outcomes = record.get("outcomes")
    return outcomes if isinstance(outcomes, list) else ()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
