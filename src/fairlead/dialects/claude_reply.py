"""Claude Code: what it understands, event by event.

A deny is said three times: in JSON, on stderr and by exit code 2. A line of noise before the JSON then no
longer opens the gate. "No objection" is silence: `allow` would answer the permission prompt for the person.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from fairlead.dialects import wording
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.value import Value
from fairlead.model.verdict import Reply, Verdict


class Objection(Enum):
    """How an event takes a no."""

    PERMISSION = auto()
    """hookSpecificOutput.permissionDecision; the only way that can also ask."""
    REQUEST = auto()
    """hookSpecificOutput.decision.behavior; exit code 2 is ignored."""
    BLOCK = auto()
    """decision: block."""
    GO_ON = auto()
    """decision: block makes the agent work on; to end it takes continue: false."""
    EXIT = auto()
    """Exit code 2 alone."""
    ACTION = auto()
    """hookSpecificOutput.action: decline."""
    DISPLAY = auto()
    """Nothing can be refused, but other words can be shown."""
    NOTICE = auto()
    """Too late to refuse: exit code 2 shows the reason to the user."""
    NONE = auto()
    """Nobody reads the answer."""


class Manners(Value):
    """What one event takes. `extras` are fields of hookSpecificOutput with the types that Claude wants."""

    objection: Objection
    context: bool = False
    rewrite: bool = False
    output: str = ""
    extras: tuple[tuple[str, type], ...] = ()


_O = Objection
_NONE = Manners(_O.NONE)
_MANNERS: dict[str, Manners] = {
    "PreToolUse": Manners(_O.PERMISSION, context=True, rewrite=True),
    "PermissionRequest": Manners(_O.REQUEST, rewrite=True, extras=(("updatedPermissions", list),)),
    "PermissionDenied": Manners(_O.NONE, extras=(("retry", bool),)),
    "PostToolUse": Manners(
        _O.BLOCK, context=True, output="updatedToolOutput", extras=(("classifierContext", str),)
    ),
    "PostToolUseFailure": Manners(_O.BLOCK, context=True),
    "PostToolBatch": Manners(_O.BLOCK, context=True),
    "UserPromptSubmit": Manners(
        _O.BLOCK, context=True, extras=(("sessionTitle", str), ("suppressOriginalPrompt", bool))
    ),
    "UserPromptExpansion": Manners(_O.BLOCK, context=True),
    "SessionStart": Manners(
        _O.NOTICE,
        context=True,
        extras=(
            ("initialUserMessage", str),
            ("sessionTitle", str),
            ("watchPaths", list),
            ("reloadSkills", bool),
        ),
    ),
    "Setup": Manners(_O.NOTICE, context=True),
    "SessionEnd": Manners(_O.NOTICE),
    "Stop": Manners(_O.GO_ON, context=True),
    "StopFailure": _NONE,
    "SubagentStart": Manners(_O.NOTICE, context=True),
    "SubagentStop": Manners(_O.GO_ON),
    "PreCompact": Manners(_O.BLOCK),
    "PostCompact": Manners(_O.NOTICE),
    "PreModelSwitch": Manners(_O.PERMISSION),
    "PostModelSwitch": Manners(_O.NOTICE, context=True),
    "Notification": Manners(_O.NONE, context=True),
    "TeammateIdle": Manners(_O.GO_ON),
    "TaskCreated": Manners(_O.BLOCK),
    "TaskCompleted": Manners(_O.GO_ON),
    "Elicitation": Manners(_O.ACTION, extras=(("content", dict),)),
    "ElicitationResult": Manners(_O.ACTION, extras=(("content", dict),)),
    "ConfigChange": Manners(_O.BLOCK),
    "CwdChanged": Manners(_O.NOTICE, extras=(("watchPaths", list),)),
    "DirectoryAdded": _NONE,
    "FileChanged": Manners(_O.NOTICE, extras=(("watchPaths", list),)),
    "InstructionsLoaded": _NONE,
    "WorktreeCreate": Manners(_O.EXIT),
    "WorktreeRemove": _NONE,
    "MessageDisplay": Manners(_O.DISPLAY, output="displayContent"),
}
EVENTS = tuple(_MANNERS)
"""Every event that Claude Code knows."""


def render(event: Event, verdict: Verdict) -> Reply:
    return _Answer(event, verdict).reply()


def last_resort(native_event: str) -> Reply:
    event = event_named(native_event)
    if event not in GATING:
        return Reply()
    refused = Verdict(Decision.BLOCK, wording.NO_ANSWER, gating=True)
    return render(Event(event, native_event, "claude"), refused)


def _manners(event: Event) -> Manners:
    """By name; by meaning where the name is spelled otherwise; a plain block for what nobody knows."""
    known = _MANNERS.get(event.native_name)
    if known is not None:
        return known
    alike = (manners for name, manners in _MANNERS.items() if event_named(name) is event.name)
    return next(alike, Manners(_O.BLOCK))


class _Answer:
    """One answer while it is put together: `top` and `specific` become the JSON."""

    def __init__(self, event: Event, verdict: Verdict) -> None:
        self.event = event
        self.verdict = verdict
        self.manners = _manners(event)
        self.top: dict[str, object] = {}
        self.specific: dict[str, object] = {}
        self.exit_code = 0
        self.stderr = ""
        self.degraded: list[str] = []

    def reply(self) -> Reply:
        self._say_common()
        self._say_decision()
        if self.specific:
            self.top["hookSpecificOutput"] = {"hookEventName": self.event.native_name, **self.specific}
        return wording.reply(
            self.top, exit_code=self.exit_code, stderr=self.stderr, degraded="; ".join(self.degraded)
        )

    def _say_common(self) -> None:
        verdict = self.verdict
        if verdict.system_message:
            self.top["systemMessage"] = wording.shortened(verdict.system_message)
        if verdict.suppress_output:
            self.top["suppressOutput"] = True
        if verdict.additional_context:
            self._say_context(verdict.additional_context)
        if verdict.updated_input is not None:
            self._say_rewrite(verdict.updated_input)
        if verdict.updated_output is not None:
            self._say_output(verdict.updated_output)
        for key, type_ in self.manners.extras:
            if isinstance(verdict.extra.get(key), type_):
                self.specific[key] = verdict.extra[key]

    def _say_context(self, context: str) -> None:
        if not self.manners.context:
            self.degraded.append(f"context dropped: {self.event.native_name} takes none")
        elif self.event.native_name == "Stop" and self.event.payload.get("stop_hook_active") is True:
            # Context on Stop makes the agent go on; once is help, each time is a loop.
            self.degraded.append("context dropped: the agent already went on for a stop hook")
        else:
            self.specific["additionalContext"] = wording.shortened(context)

    def _say_rewrite(self, updated: Mapping[str, object]) -> None:
        if not self.manners.rewrite:
            self.degraded.append(f"rewrite dropped: {self.event.native_name} takes none")
        elif self.manners.objection is not _O.REQUEST:
            self.specific["updatedInput"] = dict(updated)
        elif self.verdict.decision is not Decision.APPROVE:
            self.degraded.append("rewrite dropped: here only an approval carries it")

    def _say_output(self, output: object) -> None:
        if not self.manners.output:
            self.degraded.append(f"output not replaced: {self.event.native_name} cannot")
            return
        self.specific[self.manners.output] = output

    def _say_decision(self) -> None:
        verdict, halts = self.verdict, self.verdict.decision is Decision.HALT or self.verdict.stop
        if halts:
            self.top["continue"] = False
            self.top["stopReason"] = wording.halting(verdict)
            if self.manners.objection is not _O.GO_ON:
                self._refuse(wording.refusal(verdict))
        elif verdict.decision is Decision.BLOCK:
            self._refuse(wording.refusal(verdict))
        elif verdict.decision is Decision.ASK:
            self._ask()
        elif verdict.decision is Decision.APPROVE:
            self._approve()

    def _ask(self) -> None:
        if self.manners.objection is _O.PERMISSION and self.event.attended:
            self.specific["permissionDecision"] = "ask"
            self.specific["permissionDecisionReason"] = wording.question(self.verdict)
        elif self.manners.objection is _O.REQUEST:
            self.degraded.append("ask left to the agent's own prompt")
        elif self.manners.objection is _O.GO_ON:
            self.degraded.append("ask became a message: the turn is the person's in any case")
            self.top["systemMessage"] = wording.question(self.verdict)
        else:
            self.degraded.append("ask became block")
            self._refuse(wording.unasked(self.verdict))

    def _approve(self) -> None:
        if self.manners.objection is _O.PERMISSION:
            self.specific["permissionDecision"] = "allow"
            if self.verdict.reason:
                self.specific["permissionDecisionReason"] = wording.shortened(self.verdict.reason)
        elif self.manners.objection is _O.REQUEST:
            decision: dict[str, object] = {"behavior": "allow"}
            if self.verdict.updated_input is not None:
                decision["updatedInput"] = dict(self.verdict.updated_input)
            if "updatedPermissions" in self.specific:
                decision["updatedPermissions"] = self.specific.pop("updatedPermissions")
            self.specific["decision"] = decision

    def _refuse(self, reason: str) -> None:
        self.exit_code, self.stderr = 2, reason
        match self.manners.objection:
            case _O.PERMISSION:
                self.specific["permissionDecision"] = "deny"
                self.specific["permissionDecisionReason"] = reason
                self.specific.pop("updatedInput", None)
            case _O.REQUEST:
                decision: dict[str, object] = {"behavior": "deny", "message": reason}
                if "continue" in self.top:
                    decision["interrupt"] = True
                self.specific = {"decision": decision}
                self.exit_code = 0  # exit code 2 is a hook that broke, to this event
            case _O.GO_ON:
                self.stderr = wording.not_done(self.verdict)
                self.top["decision"], self.top["reason"] = "block", self.stderr
            case _O.BLOCK:
                self.top["decision"], self.top["reason"] = "block", reason
                self._withhold()
            case _O.ACTION:
                self.specific = {"action": "decline"}
            case _O.DISPLAY:
                self.specific.setdefault("displayContent", wording.withheld(self.verdict))
                self.exit_code, self.stderr = 0, ""
            case _O.NOTICE:
                self.degraded.append(f"block became a notice: {self.event.native_name} cannot be refused")
            case _O.NONE:
                self.exit_code, self.stderr = 0, ""
                self.degraded.append(f"block not said: {self.event.native_name} cannot be refused")

    def _withhold(self) -> None:
        """`decision: block` alone tells the model why, and still shows it the output."""
        result = self.event.result
        if self.manners.output and result is not None and self.manners.output not in self.specific:
            self.specific[self.manners.output] = blanked(result.output, wording.withheld(self.verdict))


_TEXT_FIELDS = ("stdout", "content", "text", "output", "result", "originalFile", "oldString", "newString")
_DROPPED_FIELDS = ("stderr",)


def blanked(output: object, words: str) -> object:
    """The same shape with other words: Claude ignores a replacement of another shape."""
    if isinstance(output, str):
        return words
    if isinstance(output, list):
        return [blanked(item, words) for item in output]
    if not isinstance(output, Mapping):
        return output
    return {key: _blanked_field(str(key), value, words) for key, value in output.items()}


def _blanked_field(key: str, value: object, words: str) -> object:
    if isinstance(value, str):
        if key in _DROPPED_FIELDS:
            return ""
        return words if key in _TEXT_FIELDS else value
    return blanked(value, words)
