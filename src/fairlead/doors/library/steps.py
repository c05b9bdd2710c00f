"""Hooks on the steps of an agent: before and after each, and a vote on whether there is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairlead.doors.library.registration.matchers import state_matcher
from fairlead.doors.library.registration.names import check_order, check_phases, name_of, settled_name
from fairlead.doors.library.registration.options import StepOptions, checked_options
from fairlead.doors.library.registration.signatures import fitted, lacks_its_object
from fairlead.doors.library.state import AgentState
from fairlead.engine.middleware import Waits
from fairlead.engine.order import ordered
from fairlead.errors import RegistrationError
from fairlead.model.answer import Answer
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Run

BEFORE_STEP, AFTER_STEP, SHOULD_CONTINUE = "before_step", "after_step", "should_continue"
BEFORE_MODEL, AFTER_MODEL = "before_model", "after_model"
_EVENTS = {
    BEFORE_STEP: EventName.BEFORE_AGENT,
    AFTER_STEP: EventName.AFTER_AGENT,
    SHOULD_CONTINUE: EventName.OTHER,
    BEFORE_MODEL: EventName.BEFORE_MODEL,
    AFTER_MODEL: EventName.AFTER_MODEL,
}
_POINTS = {event: point for point, event in _EVENTS.items()}
_EXPECTED = {BEFORE_MODEL: ("request", "state"), AFTER_MODEL: ("reply", "state")}
"""What hooks get; those of a step get the state alone."""


class StepStack:
    """Hooks by the point that they belong to, in order. After-hooks run in reverse, as around a call."""

    def __init__(self) -> None:
        self._hooks: dict[str, tuple[Hook, ...]] = dict.fromkeys(_EVENTS, ())

    def add(self, point: str, function: Callable[..., Any], **options: Any) -> None:
        """Raises RegistrationError for what cannot work."""
        present = self._hooks[point]
        hook = _hook(point, function, checked_options(options, StepOptions))
        named = settled_name(hook, (each.id for each in present), derived=not options.get("name"))
        check_phases([*self.hooks(), named], lambda each: _POINTS[each.event])
        self._hooks[point] = ordered([*present, named])

    def copy(self) -> StepStack:
        """A stack of the same hooks that goes its own way from here."""
        made = StepStack()
        made._hooks = dict(self._hooks)
        return made

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
        which end the agent. The first that ends it is the last that runs, and no state that a hook returns
        takes a stop back.
        """
        hooks, stop = self._hooks[point], state.stop
        for hook in reversed(hooks) if point in (AFTER_STEP, AFTER_MODEL) else hooks:
            answer = yield from _asked(hook, state, subject)
            if isinstance(answer, AgentState):
                state = state.changed_to(answer)
            elif subject is not None and isinstance(answer, type(subject)):
                subject = answer
            elif isinstance(answer, Answer) and answer.decision.stops:
                return state.stopped(answer.reason or f"{hook.id} said no"), subject
            elif answer is not None and hook.on_error is not Decision.ALLOW:
                return state.stopped(_broken(hook, answer, "state")), subject
            if state.stop != stop:
                break
        return state, subject

    def votes(self, state: AgentState) -> Waits:
        """Whether there is another step: any False ends the agent, and so does a vote that breaks."""
        for hook in self._hooks[SHOULD_CONTINUE]:
            answer = yield from _asked(hook, state, None)
            if answer is False:
                state = state.stopped(f"{hook.id} voted to stop")
            elif answer is not None and answer is not True and hook.on_error is not Decision.ALLOW:
                state = state.stopped(_broken(hook, answer, "vote"))
            if state.stop:
                break
        return state


def _hook(point: str, function: Any, options: StepOptions) -> Hook:
    if not callable(function):
        raise RegistrationError(f"a {type(function).__name__} cannot be a hook", hint="give a function")
    if lacks_its_object(function):
        raise RegistrationError(
            f"{name_of(function)!r} is a method without its object", hint="give the bound method"
        )
    if options.on_error not in ("stop", "ignore"):
        raise RegistrationError(f"on_error={options.on_error!r} is not known", hint="stop or ignore")
    name = options.name or name_of(function)
    expected = _EXPECTED.get(point, ("state",))
    return Hook(
        name,
        HookType.TRANSFORMATION,
        _EVENTS[point],
        Run("call", fitted(function, len(expected), name, expected=f"it gets ({', '.join(expected)})")),
        matcher=state_matcher(options.matcher, name),
        priority=options.priority,
        before=options.before,
        after=options.after,
        on_error=Decision.BLOCK if options.on_error == "stop" else Decision.ALLOW,
    )


def _asked(hook: Hook, state: AgentState, subject: Any) -> Waits:
    """What the hook answers or raises; None where it does not match."""
    try:
        if not hook.matcher.matches(None, state):
            return None
        function: Any = hook.run.target
        answer = function(state) if subject is None else function(subject, state)
        if hasattr(answer, "__await__"):
            answer = yield answer
    except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
        return error
    return answer


def _broken(hook: Hook, answer: object, wanted: str) -> str:
    """Nothing fails open in silence: a step hook that breaks ends the agent, unless it said otherwise."""
    said = f"it returned {answer!r:.60}, which is no {wanted}"
    if isinstance(answer, Exception):
        said = f"{type(answer).__name__}: {answer}"
    return f"the hook {hook.id!r} could not answer: {said}"
