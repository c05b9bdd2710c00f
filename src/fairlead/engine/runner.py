"""Stage 4: one event's way through the phases, as a generator of steps.

Nothing is run here: each step is handed to a driver, which sends back what running its hooks gave.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

from fairlead.engine.interpreter import Read, audited, broken_outcome, interpret
from fairlead.engine.validator import validate
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import AUDIT, STRICT, Capture, Hook, HookType, Outcome, Run
from fairlead.model.plan import Batch, Plan, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Result = TypeVar("Result")
    Steps = Generator[Step, Sequence[Capture], Result]

ROUNDS = 3
"""How often guards look at a call that keeps being rewritten before it is blocked (law 1)."""


_TO_END = 5.0
"""Seconds that a hook may take to be ended after its timeout."""


class Course:
    """The state of one event on its way: what it looks like by now, and what has been said of it."""

    def __init__(self, event: Event, plan: Plan, replan: Callable[[Event], Plan]) -> None:
        self.event = event
        self.outcomes: list[Outcome] = []
        self.stopped = False
        self.silent = True
        """Whether nothing that was said reaches a verdict but the fact that somebody was asked."""
        self.guarded = bool(plan.validate or plan.guard or plan.result)
        self._plan = plan
        self._replan = replan

    def batches(self) -> Iterator[Batch]:
        """Each when it is due: what one says is taken before the next is asked for, and none is once the
        course has `stopped`."""
        plan, given = self._plan, self.event
        yield from plan.validate
        if plan.transform:
            yield from plan.transform
            if self.event is not given and self.event != given:
                yield from self._validation()
                if self.stopped:
                    return
        for _ in range(ROUNDS):
            seen = self.event
            yield from (plan if plan.by_name else self._replan(seen)).guard
            if self.event is seen or self.event == seen:
                break
            # Guards see the final call: what a guard rewrites goes through validation and guards again.
            self._withdraw_approvals()
            yield from self._validation()
            if self.stopped:
                return
        else:
            reason = f"the call was still being rewritten after {ROUNDS} rounds of guards"
            self._block("engine/unsettled-rewrite", reason)
            return
        yield from plan.result

    def _validation(self) -> Sequence[Batch]:
        """For a call that was rewritten."""
        failure = validate(self.event)
        if failure is None:
            return self._replan(self.event).validate
        reason = f"a hook rewrote the call into a broken one: {failure.message}"
        self._block("engine/invalid-rewrite", reason)
        return ()

    def take(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if outcome.says_nothing():
            return  # by far the most common answer
        self.silent = False
        self._heed(outcome)

    def _heed(self, outcome: Outcome) -> None:
        if outcome.decision.stops:
            self.stopped = True
            if outcome.extra:
                self._take_model(_answer_only(outcome.extra))
            return
        if outcome.updated_input is not None and self.event.tool is not None:
            self.event = self.event.replace(tool=self.event.tool.replace(input=outcome.updated_input))
        if outcome.updated_output is not None and self.event.result is not None:
            self.event = self.event.replace(result=self.event.result.replace(output=outcome.updated_output))
        if outcome.extra:
            self._take_model(outcome.extra)

    def _take_model(self, extra: Mapping[str, object]) -> None:
        """What a hook says of the model call replaces the fields that it names, and leaves the others; of the
        options too."""
        request, response = extra.get("llm_request"), extra.get("llm_response")
        if isinstance(request, Mapping) and self.event.model_request is not None:
            self.event = self.event.replace(model_request=_patched(self.event.model_request, request))
        if isinstance(response, Mapping) and self.event.model_request is not None:
            before = self.event.model_response or {}
            self.event = self.event.replace(model_response={**before, **response})

    def _withdraw_approvals(self) -> None:
        """A yes to the call as it was says nothing about the call as it is; a no stays a no."""
        for index, outcome in enumerate(self.outcomes):
            if outcome.decision in (Decision.ALLOW, Decision.APPROVE):
                self.outcomes[index] = outcome.replace(decision=Decision.CONTINUE)

    def _block(self, rule: str, reason: str) -> None:
        self.take(Outcome(Decision.BLOCK, reason, hook="engine", type=HookType.VALIDATION, rule=rule))


def _patched(request: Mapping[str, object], change: Mapping[str, object]) -> dict[str, object]:
    patched = {**request, **change}
    before, after = request.get("options"), change.get("options")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        options = {**before, **after}
        patched["options"] = {name: value for name, value in options.items() if value is not None}
    return patched


def _answer_only(extra: Mapping[str, object]) -> Mapping[str, object]:
    """A hook that blocks a model call may answer in the model's place; it can rewrite nothing any more."""
    return {key: value for key, value in extra.items() if key == "llm_response"}


def run_batch(
    batch: Batch, event: Event, previous: Sequence[Outcome], read: Read, left: float
) -> Steps[Sequence[Outcome]]:
    """One step for the hooks that can run in the time that is left; the others answer without running."""
    hooks = batch.hooks
    able = tuple(hook for hook in hooks if hook.broken is None and left > 0)
    captures = iter((yield from _captures(able, event, previous, left)) if able else ())
    return [
        interpret(hook, event, next(captures), read)
        if hook.broken is None and left > 0
        else _without_running(hook)
        for hook in hooks
    ]


def _without_running(hook: Hook) -> Outcome:
    said = broken_outcome(hook, hook.broken or _too_late(hook))
    return said if hook.mode != AUDIT else audited(said)


def _captures(
    hooks: tuple[Hook, ...], event: Event, previous: Sequence[Outcome], left: float
) -> Steps[Sequence[Capture]]:
    """What running each of them gave. Those of a profile are run as one, and come back as one."""
    if hooks[0].run.profile == STRICT:
        return (yield Step(tuple(_bounded(hook, left) for hook in hooks), event, previous))
    (whole,) = yield Step((_bounded(_as_one(hooks), left),), event, previous)
    each = whole.value
    return each if isinstance(each, tuple) and len(each) == len(hooks) else [whole] * len(hooks)


def _as_one(hooks: tuple[Hook, ...]) -> Hook:
    first = hooks[0]
    return first.replace(
        id="+".join(hook.id for hook in hooks),
        run=Run("profile", hooks, profile=first.run.profile),
        timeout=sum(hook.timeout + _TO_END for hook in hooks),
    )


def _bounded(hook: Hook, left: float) -> Hook:
    """A built-in runs in this process, where no timeout could end it."""
    in_time = hook.timeout <= left or hook.run.executor == "builtin"
    return hook if in_time else hook.replace(timeout=left)


def _too_late(hook: Hook) -> Failure:
    message = "the time for this call was used up before it could run"
    return Failure(Stage.EXECUTION, FailureCode.TIMEOUT, message, {"hook": hook.id})
