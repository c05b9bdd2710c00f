"""Hooks on the steps of an agent: before and after each, and a vote on whether there is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairlead.doors.library.registration import (
    arguments_of,
    check_order,
    checked_options,
    fitted,
    name_of,
    settled_name,
)
from fairlead.doors.library.state import AgentState
from fairlead.engine.middleware import Waits
from fairlead.engine.order import ordered
from fairlead.errors import RegistrationError
from fairlead.model.answer import Answer
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Run
from fairlead.model.matcher import Matcher, matcher_from
from fairlead.model.value import Value

BEFORE_STEP, AFTER_STEP, SHOULD_CONTINUE = "before_step", "after_step", "should_continue"
BEFORE_MODEL, AFTER_MODEL = "before_model", "after_model"
_EVENTS = {
    BEFORE_STEP: EventName.BEFORE_AGENT,
    AFTER_STEP: EventName.AFTER_AGENT,
    SHOULD_CONTINUE: EventName.OTHER,
    BEFORE_MODEL: EventName.BEFORE_MODEL,
    AFTER_MODEL: EventName.AFTER_MODEL,
}
_EXPECTED = {BEFORE_MODEL: ("request", "state"), AFTER_MODEL: ("reply", "state")}
"""What hooks get; those of a step get the state alone."""


class StepOptions(Value):
    """What may be said about a step's hook. `matcher` looks at the state alone; `on_error` is what a broken
    hook means: stop, or ignore."""

    name: str = ""
    priority: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    matcher: object = None
    on_error: str = "stop"


class StepStack:
    """Hooks by the point that they belong to, in order. After-hooks run in reverse, as around a call."""

    def __init__(self) -> None:
        self._hooks: dict[str, tuple[Hook, ...]] = dict.fromkeys(_EVENTS, ())

    def add(self, point: str, function: Callable[..., Any], **options: Any) -> None:
        """Raises RegistrationError for what cannot work."""
        present = self._hooks[point]
        hook = _hook(point, function, checked_options(options, StepOptions))
        named = settled_name(hook, (each.id for each in present), derived=not options.get("name"))
        self._hooks[point] = ordered([*present, named])

    def check(self) -> None:
        """Raises RegistrationError for a name in `before` or `after` that no hook of the same point has."""
        for hooks in self._hooks.values():
            check_order(hooks)

    def hooks(self) -> tuple[Hook, ...]:
        return tuple(hook for hooks in self._hooks.values() for hook in hooks)

    def has(self, point: str) -> bool:
        return bool(self._hooks[point])

    def run(self, point: str, state: AgentState, subject: Any = None) -> Waits:
        """(state, subject) after every hook of the point. `subject` is the model's request or reply.

        A hook returns None (nothing changes), a state, a subject of the type that it got, or Block or Halt,
        which end the agent.
        """
        hooks = self._hooks[point]
        for hook in reversed(hooks) if point in (AFTER_STEP, AFTER_MODEL) else hooks:
            try:
                answer = yield from _called(hook, state, subject)
            except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
                state = _broken(hook, state, f"{type(error).__name__}: {error}")
                continue
            if isinstance(answer, AgentState):
                state = answer
            elif subject is not None and isinstance(answer, type(subject)):
                subject = answer
            elif isinstance(answer, Answer) and answer.decision.stops:
                state = state.stopped(answer.reason or f"{hook.id} said no")
            elif answer is not None:
                state = _broken(hook, state, f"it returned {answer!r:.60}, which is no state")
        return state, subject

    def votes(self, state: AgentState) -> Waits:
        """Whether there is another step: any False ends the agent, and so does a vote that breaks."""
        for hook in self._hooks[SHOULD_CONTINUE]:
            try:
                answer = yield from _called(hook, state, None)
            except Exception as error:  # noqa: BLE001 - as above
                state = _broken(hook, state, f"{type(error).__name__}: {error}")
                continue
            if answer is False:
                state = state.stopped(f"{hook.id} voted to stop")
            elif answer not in (None, True):
                state = _broken(hook, state, f"it returned {answer!r:.60}, which is no vote")
        return state


def _hook(point: str, function: Any, options: StepOptions) -> Hook:
    if not callable(function):
        raise RegistrationError(f"a {type(function).__name__} cannot be a hook", hint="give a function")
    if options.on_error not in ("stop", "ignore"):
        raise RegistrationError(f"on_error={options.on_error!r} is not known", hint="stop or ignore")
    name = options.name or name_of(function)
    expected = _EXPECTED.get(point, ("state",))
    return Hook(
        name,
        HookType.TRANSFORMATION,
        _EVENTS[point],
        Run("call", fitted(function, len(expected), name, expected=f"it gets ({', '.join(expected)})")),
        matcher=_state_matcher(options.matcher),
        priority=options.priority,
        before=options.before,
        after=options.after,
        on_error=Decision.BLOCK if options.on_error == "stop" else Decision.ALLOW,
    )


def _called(hook: Hook, state: AgentState, subject: Any) -> Waits:
    if not hook.matcher.matches(None, state):
        return None
    function: Any = hook.run.target
    answer = function(state) if subject is None else function(subject, state)
    if hasattr(answer, "__await__"):
        answer = yield answer
    return answer


def _broken(hook: Hook, state: AgentState, message: str) -> AgentState:
    """Nothing fails open in silence: a step hook that breaks ends the agent, unless it said otherwise."""
    if hook.on_error is Decision.ALLOW:
        return state
    return state.stopped(f"the hook {hook.id!r} could not answer: {message}")


class _StateMatcher:
    """A predicate over the state alone."""

    def __init__(self, function: Callable[[Any], bool]) -> None:
        self._function = function

    def matches(self, call: object, state: object, /) -> bool:
        return bool(self._function(state))


def _state_matcher(given: object) -> Matcher:
    if callable(given) and arguments_of(given) == 1:
        return _StateMatcher(given)
    if isinstance(given, str) and given not in ("", "*"):
        raise RegistrationError("a step has no tool to match", hint="give a function of the state")
    return matcher_from(given)
