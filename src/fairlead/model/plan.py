"""The hooks that will look at one event, in order, in phases."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.model.event import Event
from fairlead.model.hook import STRICT, Hook, Outcome
from fairlead.model.value import Value, derived


def _simple_above(batch: Batch) -> float:
    if len(batch.hooks) == 1:
        (hook,) = batch.hooks
        if hook.broken is None and hook.run.profile == STRICT:
            return 0.0 if hook.run.executor == "builtin" else max(0.0, hook.timeout)
    return float("inf")


class Batch(Value):
    """Hooks that run at once; a hook of a pipeline is a batch of its own."""

    hooks: tuple[Hook, ...]
    simple_above: float = derived(_simple_above)
    """With more seconds left than this it is one hook that runs as it is, which nearly every batch is. A
    built-in runs in this process, where no timeout could end it."""


class Plan(Value):
    """The phases in the order in which they run. Between guard and result lies the tool itself, which is the
    caller's, unless the engine owns the call."""

    validate: tuple[Batch, ...] = ()
    transform: tuple[Batch, ...] = ()
    guard: tuple[Batch, ...] = ()
    result: tuple[Batch, ...] = ()
    observe: tuple[Batch, ...] = ()
    by_name: bool = False
    """Whether it hangs on nothing but the names of the event and the tool, which no hook can change."""

    @property
    def hooks(self) -> tuple[Hook, ...]:
        phases = (self.validate, self.transform, self.guard, self.result, self.observe)
        return tuple(hook for phase in phases for batch in phase for hook in batch.hooks)


class Step(Value):
    """What the engine asks of its driver: run these hooks on this event, and send back their captures."""

    hooks: tuple[Hook, ...]
    event: Event
    previous: Sequence[Outcome] = ()
