"""The engine as its doors hold it: hooks in, events through, verdicts out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from threading import Lock

from fairlead.engine.finisher import failed, finish
from fairlead.engine.interpreter import interpret
from fairlead.engine.planner import Planner
from fairlead.engine.recorder import failure_record, hook_record, refusal_record, summary_record, tell
from fairlead.engine.runner import Course, run_batch
from fairlead.engine.translator import Translator, Untouched
from fairlead.engine.validator import validate
from fairlead.errors import RegistrationError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import NOTHING, Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.plan import Plan, Step
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from fairlead.engine.runner import Steps
    from fairlead.interfaces import Clock, Sink
else:
    Protocol = object

Execute = Callable[[Hook, Event, Sequence[Outcome]], Capture]
Read = Callable[[Hook, Event, Capture], Outcome]
FOREVER = 3600.0

# A member of an enumeration is found by a search, which is too slow for what every event passes.
_VALIDATION, _TRANSLATION, _PLANNING = Stage.VALIDATION, Stage.TRANSLATION, Stage.PLANNING
_EXECUTION, _AGGREGATION = Stage.EXECUTION, Stage.AGGREGATION
_CONTINUE = Decision.CONTINUE


class Driver(Protocol):
    """Runs the steps of the engine with ordinary calls."""

    def __call__(self, steps: Steps[Verdict], execute: Execute, /) -> Verdict: ...


class AsyncDriver(Protocol):
    """Runs the same steps on an event loop."""

    def __call__(self, steps: Steps[Verdict], execute: Execute, /) -> Awaitable[Verdict]: ...


class Parts(Value):
    """What a system is made of besides its hooks; `assembly` chooses them."""

    execute: Execute
    read: Read
    clock: Clock
    drive: Driver
    drive_async: AsyncDriver
    translator: Translator = Untouched()
    sinks: tuple[Sink, ...] = ()


class Arrangement(Value):
    """Where the hooks of a system come from: its configuration, and what was done by hand since."""

    configured: tuple[Hook, ...]
    added: tuple[Hook, ...] = ()
    switched: Mapping[str, bool] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind

    def hooks(self) -> tuple[Hook, ...]:
        every = (*self.configured, *self.added)
        return tuple(hook.replace(enabled=self.switched.get(hook.id, hook.enabled)) for hook in every)


class HookSystem:
    """Judges events by its hooks. Hooks may be switched, added and reloaded while events are in flight."""

    attends = False
    """Whether it runs the observers itself, once a verdict is known."""

    def __init__(
        self,
        hooks: Sequence[Hook],
        parts: Parts,
        *,
        defaults: Mapping[EventName, Decision] | None = None,
        policy: str = "",
        audit: bool = False,
    ) -> None:
        """Under `audit`, defaults are only written down; each hook has a mode of its own."""
        self._parts = parts
        self._audit = audit
        self._defaults = defaults or {}
        self._policy = policy
        self._changing = Lock()
        self._arrange(Arrangement(tuple(hooks)))

    def get_all_hooks(self) -> tuple[Hook, ...]:
        """Disabled ones too."""
        return self._hooks

    def set_hook_enabled(self, hook_id: str, enabled: bool) -> None:
        """Seen by the next event, and kept through reloads; events in flight keep the plan that they have."""
        with self._changing:
            if all(hook.id != hook_id for hook in self._hooks):
                raise RegistrationError(
                    f"there is no hook {hook_id!r}", hint="get_all_hooks() lists them, disabled ones too"
                )
            switched = {**self._arrangement.switched, hook_id: enabled}
            self._arrange(self._arrangement.replace(switched=switched))

    def add_hook(self, hook: Hook) -> None:
        """One more, for the lifetime of this system: a reload leaves it in place."""
        with self._changing:
            if any((each.event, each.id) == (hook.event, hook.id) for each in self._hooks):
                message = f"{hook.event} has a hook {hook.id!r} already"
                raise RegistrationError(message, hint="give it another id")
            self._arrange(self._arrangement.replace(added=(*self._arrangement.added, hook)))

    def remove_hook(self, hook_id: str) -> None:
        """Takes away what `add_hook` added; a configured hook can only be switched off."""
        with self._changing:
            kept = tuple(hook for hook in self._arrangement.added if hook.id != hook_id)
            if kept == self._arrangement.added:
                raise RegistrationError(
                    f"no hook {hook_id!r} was added", hint="set_hook_enabled(id, False) switches one off"
                )
            self._arrange(self._arrangement.replace(added=kept))

    def reload(
        self,
        hooks: Sequence[Hook],
        *,
        defaults: Mapping[EventName, Decision] | None = None,
        policy: str | None = None,
        audit: bool | None = None,
    ) -> None:
        """Other configured hooks. What was added or switched by hand stays so."""
        with self._changing:
            self._arrange(self._arrangement.replace(configured=tuple(hooks)))
            self._defaults = self._defaults if defaults is None else defaults
            self._policy = self._policy if policy is None else policy
            self._audit = self._audit if audit is None else audit

    def _arrange(self, arrangement: Arrangement) -> None:
        """The plan is made before anything is put in place: no event sees half of a change, or a bad one."""
        hooks = arrangement.hooks()
        planner = Planner(hooks)
        self._arrangement, self._hooks, self._planner = arrangement, hooks, planner

    def add_sink(self, sink: Sink) -> None:
        """One more who is told what each hook and event came to."""
        self._parts = self._parts.replace(sinks=(*self._parts.sinks, sink))

    def remove_sink(self, sink: Sink) -> None:
        """Ends what `add_sink` began; one that is not there is no harm."""
        self._parts = self._parts.replace(sinks=tuple(each for each in self._parts.sinks if each is not sink))

    def refuse(self, event: Event, failure: Failure) -> Verdict:
        """The verdict on an event that is none: no hook sees it, and the sinks are told."""
        verdict = failed(event, failure, policy=self._policy)
        _tell(self._parts.sinks, event, verdict)
        return verdict

    def report(self, failure: Failure) -> None:
        """Tells the sinks of something that broke before there was an event."""
        tell(self._parts.sinks, refusal_record(failure))

    def plan(self, event: Event) -> Plan:
        return self._planner.plan(event)

    def fire(self, event: Event, *, seconds: float = FOREVER, execute: Execute | None = None) -> Verdict:
        """The verdict on an event, within the given time; `execute` stands in for the system's own."""
        return self._parts.drive(self.steps(event, seconds=seconds), execute or self._parts.execute)

    async def fire_async(
        self, event: Event, *, seconds: float = FOREVER, execute: Execute | None = None
    ) -> Verdict:
        steps = self.steps(event, seconds=seconds)
        return await self._parts.drive_async(steps, execute or self._parts.execute)

    def steps(self, event: Event, *, seconds: float = FOREVER) -> Steps[Verdict]:
        """Every stage up to the verdict. Whatever breaks becomes a failure that names its stage."""
        parts, planner, monotonic = self._parts, self._planner, self._parts.clock.monotonic
        started = monotonic()
        stage = _VALIDATION
        try:
            if (invalid := validate(event)) is not None:
                raise _StageError(invalid)
            stage = _TRANSLATION
            seen = event if event.model_request is None else parts.translator.to_hooks(event)
            stage = _PLANNING
            course = Course(seen, planner.plan(seen), partial(_planned_again, planner))
            stage = _EXECUTION
            for batch in course.batches():
                left = started + seconds - monotonic()
                if left > batch.simple_above:
                    (capture,) = yield Step(batch.hooks, course.event, course.outcomes)
                    course.take(interpret(batch.hooks[0], course.event, capture, parts.read))
                else:
                    outcomes = yield from run_batch(batch, course.event, course.outcomes, parts.read, left)
                    for outcome in outcomes:
                        course.take(outcome)
                if course.stopped:
                    break
            stage = _TRANSLATION
            given, final = event.model_request, course.event
            model = NOTHING if given is None else parts.translator.to_caller(event, seen, final)
            stage = _AGGREGATION
            default = self._defaults.get(event.name, _CONTINUE)
            spent = (monotonic() - started) * 1000
            verdict = finish(
                seen,
                course,
                default=default,
                policy=self._policy,
                model=model,
                spent=spent,
                audit=self._audit,
            )
        except Exception as error:  # noqa: BLE001 - the one catch-all: no call may end without an answer
            failure, spent = _broken(stage, event, error), (monotonic() - started) * 1000
            verdict = failed(event, failure, policy=self._policy, spent=spent)
        if parts.sinks:
            _tell(parts.sinks, event, verdict)
        return verdict

    def observe(self, event: Event, verdict: Verdict) -> Steps[Verdict]:
        """The last phase, for after the answer has left: the same verdict with the observers' outcomes."""
        outcomes: list[Outcome] = []
        try:
            batches = self._planner.plan(event).observe
        except Exception:  # noqa: BLE001 - the verdict has this failure: it was planned in the same way
            batches = ()
        for batch in batches:
            outcomes += yield from run_batch(batch, event, verdict.outcomes, self._parts.read, FOREVER)
        return verdict.replace(outcomes=tuple(outcomes))

    def run_observers(
        self, event: Event, verdict: Verdict, *, execute: Execute | None = None
    ) -> tuple[Outcome, ...]:
        """Runs the observers of an event that has its verdict. What they say changes nothing."""
        return self._parts.drive(self.observe(event, verdict), execute or self._parts.execute).outcomes

    async def run_observers_async(
        self, event: Event, verdict: Verdict, *, execute: Execute | None = None
    ) -> tuple[Outcome, ...]:
        steps = self.observe(event, verdict)
        return (await self._parts.drive_async(steps, execute or self._parts.execute)).outcomes


def _tell(sinks: Sequence[Sink], event: Event, verdict: Verdict) -> None:
    for outcome in verdict.outcomes:
        tell(sinks, hook_record(event, outcome))
    for failure in verdict.failures:
        tell(sinks, failure_record(event, failure))
    tell(sinks, summary_record(event, verdict))


class _StageError(Exception):
    """A stage that broke and says so itself."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def _planned_again(planner: Planner, event: Event) -> Plan:
    """A call that was rewritten is planned in the middle of running it, which is planning all the same."""
    try:
        return planner.plan(event)
    except Exception as error:
        raise _StageError(_broken(Stage.PLANNING, event, error)) from error


_CODES = {
    Stage.VALIDATION: FailureCode.VALIDATION_FAILURE,
    Stage.TRANSLATION: FailureCode.TRANSLATION_FAILURE,
    Stage.PLANNING: FailureCode.PLANNING_FAILURE,
    Stage.EXECUTION: FailureCode.EXECUTION_FAILURE,
    Stage.AGGREGATION: FailureCode.AGGREGATION_FAILURE,
}


def _broken(stage: Stage, event: Event, error: Exception) -> Failure:
    if isinstance(error, _StageError):
        return error.failure
    message = f"{stage} of {event.name} broke: {type(error).__name__}: {error}"
    return Failure(stage, _CODES[stage], message, {"eventName": str(event.name)})
