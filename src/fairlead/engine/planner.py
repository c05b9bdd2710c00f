"""Stage 3: which hooks look at this event, in which phase, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairlead.engine.order import ordered
from fairlead.model.event import Event
from fairlead.model.event_name import RESULT_EVENTS, EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import STRICT, Hook, HookType
from fairlead.model.matching.matcher import Anything, Names
from fairlead.model.plan import Batch, Plan

_GUARDS = frozenset({HookType.AUTHORIZATION, HookType.SAFETY})
_RESULT = frozenset({HookType.TRANSFORMATION, *_GUARDS})
_REMEMBERED = 512
"""How many tool names a planner remembers: an agent may invent names, and memory must stay flat."""


class Planner:
    """Orders the hooks once; afterwards a call costs what its matching hooks cost, however many do not."""

    def __init__(self, hooks: Sequence[Hook]) -> None:
        self._by_event: dict[EventName, tuple[Hook, ...]] = {}
        for event in {hook.event for hook in hooks}:
            enabled = [hook for hook in hooks if hook.event is event and hook.enabled]
            self._by_event[event] = ordered(enabled)
        self._candidates: dict[tuple[str, ...], tuple[Hook, ...]] = {}
        self._plans: dict[tuple[str, ...], Plan] = {}

    def plan(self, event: Event) -> Plan:
        tool = event.tool
        key = (event.name, "", "") if tool is None else (event.name, tool.name, tool.kind)
        known = self._plans.get(key)
        if known is not None:
            return known
        candidates = self._candidates_for(event)
        hooks = [_checked(hook, event) for hook in candidates]
        made = _phases(event.name, [hook for hook in hooks if hook is not None])
        by_name = (Anything,) if tool is None else (Anything, Names)
        if all(type(hook.matcher) in by_name for hook in candidates):
            return self._remembered(key, made.replace(by_name=True))
        return made

    def _remembered(self, key: tuple[str, ...], plan: Plan) -> Plan:
        """A plan that hangs on nothing but the tool's name is made once."""
        if len(self._plans) >= _REMEMBERED:
            self._plans = {}
        self._plans[key] = plan
        return plan

    def _candidates_for(self, event: Event) -> tuple[Hook, ...]:
        """The hooks that the tool's name does not rule out; other matchers are asked at each call."""
        hooks = self._by_event.get(event.name, ())
        if event.tool is None or not hooks:
            return hooks
        key = (event.name, event.tool.name, event.tool.kind)
        found = self._candidates.get(key)
        if found is None:
            found = tuple(hook for hook in hooks if not _ruled_out(hook, event))
            if len(self._candidates) >= _REMEMBERED:
                self._candidates = {}
            self._candidates[key] = found
        return found


def _ruled_out(hook: Hook, event: Event) -> bool:
    return type(hook.matcher) is Names and _checked(hook, event) is None


def _checked(hook: Hook, event: Event) -> Hook | None:
    """The hook if it matches; a matcher that raises leaves its hook in the plan as a broken one (law 2)."""
    if type(hook.matcher) is Anything:
        return hook
    try:
        return hook if hook.matcher.matches(event.tool, event) else None
    except Exception as error:  # noqa: BLE001 - a matcher may be foreign code: what it raises becomes data
        message = f"its matcher raised {type(error).__name__}: {error}"
        failure = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, message, {"hook": hook.id})
        return hook.replace(broken=failure)


def _phases(event: EventName, hooks: Sequence[Hook]) -> Plan:
    validate = [hook for hook in hooks if hook.type is HookType.VALIDATION]
    watchers = _watchers([hook for hook in hooks if hook.type is HookType.OBSERVABILITY])
    if event in RESULT_EVENTS:
        result = [hook for hook in reversed(hooks) if hook.type in _RESULT]
        return Plan(validate=_batches(validate), result=_as_declared(_batches(result)), observe=watchers)
    return Plan(
        validate=_batches(validate),
        transform=_batches(hook for hook in hooks if hook.type is HookType.TRANSFORMATION),
        guard=_batches(hook for hook in hooks if hook.type in _GUARDS),
        observe=watchers,
    )


def _as_declared(batches: Iterable[Batch]) -> tuple[Batch, ...]:
    """Results go through our hooks in the reverse order, and through those of a profile in theirs."""
    return tuple(
        batch if batch.hooks[0].run.profile == STRICT else Batch(batch.hooks[::-1]) for batch in batches
    )


def _watchers(hooks: Sequence[Hook]) -> tuple[Batch, ...]:
    """All at once, but for those of a profile, which have a way of their own."""
    ours = tuple(hook for hook in hooks if hook.run.profile == STRICT)
    others = _batches(hook for hook in hooks if hook.run.profile != STRICT)
    return (Batch(ours), *others) if ours else others


def _batches(hooks: Iterable[Hook]) -> tuple[Batch, ...]:
    """Neighbours that may run at once share a batch, and so do all of one profile and type."""
    batches: list[list[Hook]] = []
    profiles: dict[tuple[str, HookType, str], list[Hook]] = {}
    for hook in hooks:
        key = hook.run.profile, hook.type, hook.mode
        if key in profiles:
            profiles[key].append(hook)
        elif _at_once(hook) and batches and _at_once(batches[-1][-1]):
            batches[-1].append(hook)
        else:
            batches.append([hook])
            if hook.run.profile != STRICT:
                profiles[key] = batches[-1]
    return tuple(Batch(tuple(batch)) for batch in batches)


def _at_once(hook: Hook) -> bool:
    """A transformation always runs alone."""
    return hook.parallel and hook.type is not HookType.TRANSFORMATION and hook.run.profile == STRICT
