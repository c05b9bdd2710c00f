"""Which hooks would look at a call, in which order, and why."""

from __future__ import annotations

from typing import Any

from fairlead.engine.middleware import Around, Onion
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType
from fairlead.model.matching.matcher import Anything, Matcher, Names
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value

PHASES = ("validate", "transform", "guard", "act", "result", "observe")


class Line(Value):
    """One hook and what the call means to it."""

    phase: str
    hook: str
    type: str
    priority: int
    matches: bool
    why: str


class Explanation(Value):
    """Prints as a table: hooks that would run, in order, then those that would not."""

    call: ToolCall
    lines: tuple[Line, ...]

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(line.hook for line in self.lines if line.matches)

    def __str__(self) -> str:
        rows = [(line.phase, line.hook, line.type, str(line.priority), _mark(line)) for line in self.lines]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:4]
        shown = ["  ".join([*map(str.ljust, row, widths), row[4]]) for row in rows]
        return "\n".join([f"{self.call.name} {dict(self.call.input)}", *shown])


def _mark(line: Line) -> str:
    return f"runs: {line.why}" if line.matches else f"does not run: {line.why}"


def explain(onion: Onion, call: ToolCall, state: Any) -> Explanation:
    placed = [(phase_of(hook), hook) for hook in onion.ordered]
    running: list[Line] = []
    resting: list[Line] = []
    for phase in PHASES:
        hooks = [hook for where, hook in placed if where == phase]
        for hook in reversed(hooks) if phase == "result" else hooks:
            line = _line(phase, hook, call, state)
            (running if line.matches else resting).append(line)
    disabled = [hook for hook in onion.hooks if not hook.enabled]
    resting += [_line(phase_of(hook), hook, call, state) for hook in disabled]
    return Explanation(call, (*running, *resting))


def phase_of(hook: Hook) -> str:
    if hook.type is HookType.OBSERVABILITY:
        return "observe"
    if hook.event is EventName.AFTER_TOOL:
        return "result"
    if isinstance(hook.run.target, Around):
        return "act"
    return {HookType.VALIDATION: "validate", HookType.TRANSFORMATION: "transform"}.get(hook.type, "guard")


def _line(phase: str, hook: Hook, call: ToolCall, state: Any) -> Line:
    matches, why = _matched(hook, call, state)
    return Line(phase, hook.id, str(hook.type), hook.priority, matches, why)


def _matched(hook: Hook, call: ToolCall, state: Any) -> tuple[bool, str]:
    if not hook.enabled:
        return False, "it is disabled"
    try:
        fits = hook.matcher.matches(call, state)
    except Exception as error:  # noqa: BLE001 - a matcher may be foreign code: its error is the explanation
        return True, f"its matcher raises {type(error).__name__}, so it answers {hook.on_error.word}"
    words = _words(hook.matcher)
    return fits, f"{words} fits" if fits else f"{words} does not fit"


def _words(matcher: Matcher) -> str:
    if isinstance(matcher, Anything):
        return "every call"
    if isinstance(matcher, Names):
        return " or ".join(repr(pattern.text) for pattern in matcher.patterns)
    return repr(matcher)
