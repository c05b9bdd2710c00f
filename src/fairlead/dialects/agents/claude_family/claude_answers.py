"""Answers of the agents that took over Claude Code's hooks, each with its own gaps.

A deny is said three times: in JSON, on stderr and by exit code 2. A line of noise before the JSON then no
longer opens the gate. "No objection" is silence: `allow` would answer the permission prompt for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import Act, Can, Intent, intend
from fairlead.dialects.payloads.payload_layout import Layout, read_event
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.value import Value
from fairlead.model.verdict import Reply, Verdict


class Way(Enum):
    """How an event takes a no."""

    PERMISSION = auto()
    """hookSpecificOutput.permissionDecision."""
    REQUEST = auto()
    """hookSpecificOutput.decision.behavior; exit code 2 is ignored."""
    BLOCK = auto()
    """decision: block."""
    INNER_BLOCK = auto()
    """hookSpecificOutput.decision: block."""
    EXIT = auto()
    """Exit code 2 and stderr alone."""
    ACTION = auto()
    """hookSpecificOutput.action: decline."""
    DISPLAY = auto()
    """Nothing can be refused, but other words can be shown."""
    CONTEXT = auto()
    """A no is ignored; the reason is given as context."""
    NOTICE = auto()
    """Too late to refuse: exit code 2 shows the reason to the user."""
    NONE = auto()
    """Nobody reads the answer."""


class Manners(Value):
    """How one event is spoken. `extras` are fields of hookSpecificOutput with the types that are wanted."""

    way: Way
    can: Can
    output: str = ""
    """The field that replaces the result; `reason` where only the reason of a block can."""
    extras: tuple[tuple[str, type], ...] = ()
    exit_code: int = 2
    """That of a no; 0 where the agent reads no answer beside another one."""


Adjust = Callable[[Event, Verdict, Can], Can]


class Family(Value):
    """One member: its events, and where it is stricter than Claude."""

    agent: str
    events: Mapping[str, Manners]
    unknown: Manners = Manners(Way.BLOCK, Can(halt=True, message=True))
    suppress: bool = True
    rewrite_needs_allow: bool = False
    neutral: bytes = b""
    """What "no opinion" is, where it is not silence."""
    adjust: Adjust | None = None
    """What an event can take, where that depends on the one call."""

    def manners(self, event: Event) -> Manners:
        """By name; by meaning where the name is spelled otherwise."""
        known = self.events.get(event.native_name)
        if known is not None:
            return known
        alike = (manners for name, manners in self.events.items() if event_named(name) is event.name)
        return next(alike, self.unknown)


class ClaudeFamilyDialect:
    """A dialect made of two tables: where the agent puts things, and what its events take."""

    def __init__(self, layout: Layout, family: Family) -> None:
        self.name = layout.agent
        self.events = tuple(family.events)
        self._layout = layout
        self._family = family
        self._silence = Reply(stdout=family.neutral)

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(self._layout, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        if verdict.decision <= Decision.ALLOW and verdict.is_silent:
            return self._silence
        family = self._family
        manners = family.events.get(event.native_name) or family.manners(event)
        can = family.adjust(event, verdict, manners.can) if family.adjust is not None else manners.can
        return _Answer(family, manners, event, verdict, intend(event, verdict, can)).reply()

    def last_resort(self, native_event: str) -> Reply:
        event = event_named(native_event)
        if event not in GATING:
            return Reply(stdout=self._family.neutral)
        return self.render(Event(event, native_event, self.name), answer_words.unanswered())

    def abilities(self, native_event: str) -> Can:
        return self._family.manners(Event(event_named(native_event), native_event)).can


class _Answer:
    """One answer while it is put together: `top` and `specific` become the JSON."""

    def __init__(
        self, family: Family, manners: Manners, event: Event, verdict: Verdict, intent: Intent
    ) -> None:
        self.family = family
        self.manners = manners
        self.event = event
        self.verdict = verdict
        self.intent = intent
        self.top: dict[str, object] = {}
        self.specific: dict[str, object] = {}
        self.exit_code = 0
        self.stderr = ""
        self.notes = intent.degraded

    def reply(self) -> Reply:
        self._say_common()
        if self.intent.act is Act.REFUSE:
            self._refuse(self.intent.words)
        else:
            self._let_go_on()
        if self.manners.way is Way.NOTICE and self.verdict.decision >= Decision.BLOCK:
            self.exit_code, self.stderr = 2, answer_words.refusal(self.verdict)
        if self.specific:
            self.top["hookSpecificOutput"] = {"hookEventName": self.event.native_name, **self.specific}
        if not self.top and not self.exit_code:
            return Reply(stdout=self.family.neutral, degraded="; ".join(self.notes))
        return answer_words.reply(
            self.top, exit_code=self.exit_code, stderr=self.stderr, degraded="; ".join(self.notes)
        )

    def _say_common(self) -> None:
        intent, verdict = self.intent, self.verdict
        if intent.halt:
            self.top["continue"], self.top["stopReason"] = False, intent.halt
        if intent.message:
            self.top["systemMessage"] = intent.message
        if verdict.suppress_output and self.family.suppress:
            self.top["suppressOutput"] = True
        if intent.context:
            self.specific["additionalContext"] = intent.context
        if intent.input is not None and self.manners.way is not Way.REQUEST:
            self.specific["updatedInput"] = dict(intent.input)
        if intent.output is not None:
            self._replace(intent.output)
        for key, type_ in self.manners.extras:
            if isinstance(verdict.extra.get(key), type_):
                self.specific[key] = verdict.extra[key]

    def _replace(self, output: object) -> None:
        if self.manners.output == "reason":
            self.top["decision"], self.top["reason"] = "block", answer_words.as_text(output)
        else:
            self.specific[self.manners.output] = output

    def _let_go_on(self) -> None:
        """As far as anyone agrees."""
        match self.intent.act:
            case Act.ASK:
                self._permit("ask", self.intent.words)
            case Act.APPROVE:
                self._approve()
            case Act.PASS:
                if "updatedInput" in self.specific and self.family.rewrite_needs_allow:
                    self._permit("allow", "")

    def _permit(self, word: str, reason: str) -> None:
        self.specific["permissionDecision"] = word
        if reason:
            self.specific["permissionDecisionReason"] = reason

    def _approve(self) -> None:
        if self.manners.way is Way.PERMISSION:
            self._permit("allow", answer_words.shortened(self.verdict.reason))
        elif self.manners.way is Way.REQUEST:
            decision: dict[str, object] = {"behavior": "allow"}
            if self.intent.input is not None:
                decision["updatedInput"] = dict(self.intent.input)
            if "updatedPermissions" in self.specific:
                decision["updatedPermissions"] = self.specific.pop("updatedPermissions")
            self.specific["decision"] = decision

    def _refuse(self, reason: str) -> None:
        self.exit_code, self.stderr = self.manners.exit_code, reason
        match self.manners.way:
            case Way.PERMISSION:
                self._permit("deny", reason)
            case Way.REQUEST:
                decision: dict[str, object] = {"behavior": "deny", "message": reason}
                if self.intent.halt:
                    decision["interrupt"] = True
                self.specific = {"decision": decision}
                self.exit_code = 0  # exit code 2 is a hook that broke, to this event
            case Way.BLOCK:
                self.top["decision"], self.top["reason"] = "block", reason
                self._withhold()
            case Way.INNER_BLOCK:
                self.specific["decision"], self.specific["reason"] = "block", reason
            case Way.ACTION:
                self.specific = {"action": "decline"}
            case Way.DISPLAY:
                self.specific.setdefault(self.manners.output, answer_words.withheld(self.verdict))
                self.exit_code, self.stderr = 0, ""
            case Way.CONTEXT:
                self.notes += ("block became context",)
                self.specific["additionalContext"] = reason
                self.exit_code, self.stderr = 0, ""

    def _withhold(self) -> None:
        """`decision: block` alone tells the model why, and still shows it the output."""
        result, field = self.event.result, self.manners.output
        if field and field != "reason" and result is not None and field not in self.specific:
            self.specific[field] = answer_words.blanked(result.output, answer_words.withheld(self.verdict))
