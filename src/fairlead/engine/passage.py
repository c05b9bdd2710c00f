"""One tool call's passage through an onion: law 1 for hooks that live in this process."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from fairlead.engine.aggregator import aggregate
from fairlead.engine.answers import as_execution, outcome_of, raised, rewritten
from fairlead.engine.around import NOTHING_YET, Layer
from fairlead.engine.in_place import CHANGED_IN_PLACE, copied_input
from fairlead.engine.interpreter import broken_outcome
from fairlead.engine.middleware import Link, Onion, Waits
from fairlead.engine.runner import ROUNDS
from fairlead.model.answer import Answer, Execution, State
from fairlead.model.decision import Decision
from fairlead.model.hook import Hook, HookType, Outcome
from fairlead.model.tool_call import ToolCall, ToolResult
from fairlead.model.verdict import Verdict

Execute = Callable[[ToolCall, Any], Any]
AskHuman = Callable[[ToolCall, str], Any]
Tell = Callable[[ToolCall, Verdict], None]

_NO_YES = (HookType.VALIDATION, HookType.TRANSFORMATION)


class Passage:
    """`said` holds the outcomes of hooks that had an opinion; with `tell`, of all that ran."""

    __slots__ = (
        "approved",
        "ask",
        "copy",
        "execute",
        "onion",
        "passing",
        "refused",
        "result",
        "rounds",
        "said",
        "state",
        "stopped",
        "tell",
    )

    def __init__(
        self,
        onion: Onion,
        state: Any,
        execute: Execute,
        *,
        ask: AskHuman | None = None,
        tell: Tell | None = None,
        copy: dict[str, object] | None = None,
    ) -> None:
        """`ask` puts a question to a human and gives True or False; without it, ask means block.

        `tell` gets the verdict of the call; only then are hooks timed. With a `copy` of the input, a hook
        that changes the input in place is noticed; no guard would see that.
        """
        self.onion, self.state, self.execute, self.ask, self.tell = onion, state, execute, ask, tell
        self.said: list[Outcome] = []
        self.stopped = False
        self.rounds = 0
        self.result: Any = None
        self.approved: ToolCall | None = None
        self.refused: Execution | None = None
        self.copy = copy
        self.passing: list[BaseException] = []

    def run(self, call: ToolCall, *, begun: tuple[int, object] | None = None) -> Waits:
        """The result of the call: what `execute` gave, or an Execution that says why it did not run.

        `begun`: guards up to this place have already been called, and the one there gave this answer.
        """
        refusal = yield from self.before(call, begun=begun)
        approved = self.approved
        assert approved is not None
        chain = self.onion.chain(approved)
        if refusal is not None:
            result = refusal
        elif chain.around:
            result = yield from self._inward(chain.around, 0, approved)
        else:
            result = yield from self._act(approved)
        return (yield from self.after(result, ran=refusal is None))

    def before(self, call: ToolCall, *, begun: tuple[int, object] | None = None) -> Waits:
        """Everything before the call: None when `approved` may run, else the Execution that refuses it."""
        if self.onion.chain(call).early:
            call = yield from self._prepared(call)
        if not self.stopped:
            call = yield from self._guarded(call, begun)
        self.approved = call
        return (yield from self._refusal(call)) if self.said else None

    def after(self, result: Any, *, ran: bool = True) -> Waits:
        """Everything after the call: the result as it is handed on. What was refused only gets observers."""
        assert self.approved is not None
        if self.onion.chain(self.approved).late:
            result = yield from self._afterwards(result, ran=ran and self.refused is None)
        if self.tell is not None:
            self.tell(self.approved, aggregate(self.said))
        return result

    # before: validation, transformation, guards

    def _prepared(self, call: ToolCall) -> Waits:
        chain = self.onion.chain(call)
        yield from self._walk(chain.validate, call)
        if self.stopped:
            return call
        changed = yield from self._walk(chain.transform, call)
        if changed is not call and not self.stopped:
            yield from self._walk(self.onion.chain(changed).validate, changed)
        return changed

    def _guarded(self, call: ToolCall, begun: tuple[int, object] | None = None) -> Waits:
        """Guards see the final call: what one of them rewrites goes through validation and guards again."""
        for _ in range(ROUNDS):
            guards = self.onion.chain(call).guard
            if begun is None:
                changed = yield from self._walk(guards, call)
            else:
                changed = yield from self._resumed(guards, call, *begun)
                begun = None
            if self.stopped or changed is call or changed == call:
                return changed
            call = changed
            self._withdraw_approvals()
            yield from self._walk(self.onion.chain(call).validate, call)
            if self.stopped:
                return call
        self._block("engine/unsettled-rewrite", f"the call was still being rewritten after {ROUNDS} rounds")
        return call

    def _resumed(self, links: tuple[Link, ...], call: ToolCall, place: int, answer: object) -> Waits:
        hook = links[place][2]
        try:
            if hasattr(answer, "__await__"):
                answer = yield answer
        except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
            answer = error
        if answer is not None and answer is not call:
            call = self._take(hook, call, answer, 0.0)
        return call if self.stopped else (yield from self._walk(links[place + 1 :], call))

    def _walk(self, links: tuple[Link, ...], call: ToolCall) -> Waits:
        state, timed, started = self.state, self.tell is not None, 0.0
        for function, matcher, hook in links:
            if timed:
                started = perf_counter()
            try:
                if matcher is not None and not matcher.matches(call, state):
                    continue
                answer = function(call, state)
                if answer is None and not timed:
                    continue
                if hasattr(answer, "__await__"):
                    answer = yield answer
            except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
                answer = error
            if answer is call or answer is None:
                if timed:
                    self._note(hook, Outcome(), started)
                continue
            call, state = self._take(hook, call, answer, started), self.state
            if self.stopped:
                break
        return call

    def _take(self, hook: Hook, call: ToolCall, answer: object, started: float) -> ToolCall:
        """What a hook said before the call, and the call as it is after that."""
        if isinstance(answer, State):
            self.state, answer = answer, Outcome()
        if isinstance(answer, Outcome) and answer.updated_input is not None:
            self._note(hook, answer, started)
            return self._changed(call.replace(input=answer.updated_input))
        if isinstance(answer, ToolCall):
            if hook.type is HookType.VALIDATION:
                answer = TypeError(
                    "a validation hook cannot rewrite the call; its type must be 'transformation'"
                )
            else:
                self._note(hook, Outcome(updated_input=answer.input), started)
                return self._changed(rewritten(call, answer))
        if isinstance(answer, (Execution, ToolResult)):
            self.result = answer
            answer = Outcome(reason="gave the result itself")
        self._note(hook, outcome_of(hook, answer), started)
        return call

    def _changed(self, call: ToolCall) -> ToolCall:
        if self.copy is not None:
            self.copy = copied_input(call.input)
        return call

    def _note(self, hook: Hook, outcome: Outcome, started: float) -> None:
        decision = outcome.decision
        if decision is Decision.APPROVE and hook.type in _NO_YES:
            decision = Decision.ALLOW
        spent = (perf_counter() - started) * 1000 if started else 0.0
        self.said.append(
            outcome.replace(
                decision=decision, hook=outcome.hook or hook.id, type=hook.type, milliseconds=spent
            )
        )
        self.stopped = self.stopped or decision.stops

    def _block(self, rule: str, reason: str) -> None:
        self.said.append(Outcome(Decision.BLOCK, reason, hook="engine", type=HookType.VALIDATION, rule=rule))
        self.stopped = True

    def _withdraw_approvals(self) -> None:
        """A yes to the call as it was says nothing about the call as it is; a no stays a no."""
        for index, outcome in enumerate(self.said):
            if outcome.decision in (Decision.ALLOW, Decision.APPROVE):
                self.said[index] = outcome.replace(decision=Decision.CONTINUE)

    def _refusal(self, call: ToolCall) -> Waits:
        """Why the call may not run; None when it may. A human who agrees lifts an ask, and nothing more."""
        verdict = aggregate(self.said)
        if self.refused is not None and self.refused.decision >= verdict.decision:
            return self.refused
        if verdict.decision is Decision.ASK:
            agreed = yield from self._asked(call, verdict.reason)
            if agreed is True:
                self.said = [
                    each.replace(decision=Decision.ALLOW) if each.decision is Decision.ASK else each
                    for each in self.said
                ]
                return None
            return self._refuse(call, verdict.decision, f"{verdict.reason} ({agreed})", verdict.hook)
        if not verdict.decision.objects:
            return None
        return self._refuse(call, verdict.decision, verdict.reason or "no reason was given", verdict.hook)

    def _refuse(self, call: ToolCall, decision: Decision, reason: str, hook: str) -> Execution:
        """From here on nothing runs the call, and no hook takes the refusal back (law 4)."""
        self.refused = Execution(call, None, ok=False, error=reason, decision=decision, hook=hook)
        return self.refused

    def _meant(self, answer: Any) -> Outcome:
        """What a hook's result decides: an execution that refuses is a refusal, unless it is an older one."""
        if self.refused is None and isinstance(answer, Execution) and answer.blocked:
            return Outcome(answer.decision, answer.error)
        return Outcome()

    def _standing(self, result: Any) -> Any:
        """A result that no hook can make better than it is: once refused, a refusal, if need be reworded."""
        refuses = isinstance(result, Execution) and result.blocked and not result.ok
        if refuses and (self.refused is None or result.decision >= self.refused.decision):
            self.refused = result
        return result if self.refused is None else self.refused

    def _asked(self, call: ToolCall, reason: str) -> Waits:
        """True, or the words for why not."""
        if self.ask is None:
            return "there is nobody to ask here"
        try:
            answer = self.ask(call, reason)
            if hasattr(answer, "__await__"):
                answer = yield answer
        except Exception as error:  # noqa: BLE001 - a question that breaks is not a yes
            return f"the question could not be put: {type(error).__name__}: {error}"
        return True if answer is True else "a human said no"

    # around, and the call itself

    def _act(self, call: ToolCall) -> Waits:
        """Runs the tool on what the guards have seen, and on nothing else."""
        if self.refused is not None:
            return self.refused
        if call is not self.approved and call != self.approved:
            refusal = yield from self._checked_again(call)
            if refusal is not None:
                return refusal
            call = self.approved or call
        if self.copy is not None and dict(call.input) != self.copy:
            self._block("engine/changed-in-place", CHANGED_IN_PLACE)
            return (yield from self._refusal(call))
        if self.result is not None:
            return as_execution(call, self.result)
        result = self.execute(call, self.state)
        if hasattr(result, "__await__"):
            result = yield result
        return self._standing(result)

    def _checked_again(self, call: ToolCall) -> Waits:
        self.rounds += 1
        self._changed(call)
        self._withdraw_approvals()
        if self.rounds >= ROUNDS:
            self._block("engine/unsettled-rewrite", f"the call was rewritten {ROUNDS} times after its guards")
            return (yield from self._refusal(call))
        yield from self._walk(self.onion.chain(call).validate, call)
        if not self.stopped:
            call = yield from self._guarded(call)
        self.approved = call
        return (yield from self._refusal(call))

    def _inward(self, links: tuple[Link, ...], level: int, call: ToolCall) -> Waits:
        if level == len(links):
            return (yield from self._act(call))
        function, matcher, hook = links[level]

        def inner(wanted: ToolCall, state: Any) -> Waits:
            self.state = self.state if state is None else state
            return self._inward(links, level + 1, rewritten(call, wanted))

        layer, started = Layer(hook, inner, self.passing), perf_counter()
        try:
            if matcher is not None and not matcher.matches(call, self.state):
                return (yield from layer.inward(call))
            answer = yield from layer.through(function, call, self.state)
        except Exception as error:
            if any(error is each for each in self.passing):
                raise
            answer = error
        if isinstance(answer, (Answer, Exception)):
            return self._standing((yield from self._objected(layer, answer, call, started)))
        if isinstance(answer, State):
            self.state, answer = answer, layer.result
        if self.tell is not None:
            self._note(hook, self._meant(answer), started)
        return self._standing(as_execution(call, answer))

    def _objected(self, layer: Layer, answer: Answer | Exception, call: ToolCall, started: float) -> Waits:
        """An around-hook that decided or broke: its word counts as any other's, even after the tool ran."""
        self._note(layer.hook, outcome_of(layer.hook, answer), started)
        refusal = yield from self._refusal(call)
        if refusal is not None:
            return refusal
        if layer.result is not NOTHING_YET:
            return layer.result
        return (yield from layer.inward(call))

    # after

    def _afterwards(self, result: Any, *, ran: bool) -> Waits:
        """Hooks on the result, the one with the highest priority last; then those that only watch."""
        call = self.approved
        assert call is not None
        chain = self.onion.chain(call)
        for function, matcher, hook in chain.after if ran else ():
            result = yield from self._after(function, matcher, hook, result)
            if self.refused is not None:
                break
        for function, matcher, hook in chain.watch:
            yield from self._watched(function, matcher, hook, (call, self.state))
        for function, matcher, hook in chain.observe:
            yield from self._watched(function, matcher, hook, (result, call, self.state))
        return result

    def _after(self, function: Any, matcher: Any, hook: Hook, result: Any) -> Waits:
        call, started = self.approved, perf_counter() if self.tell is not None else 0.0
        assert call is not None
        try:
            if matcher is not None and not matcher.matches(call, self.state):
                return result
            answer = function(result, call, self.state)
            if hasattr(answer, "__await__"):
                answer = yield answer
        except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
            answer = error
        if isinstance(answer, State):
            self.state, answer = answer, None
        if answer is None or answer is result or isinstance(answer, (Execution, ToolResult)):
            if self.tell is not None:
                self._note(hook, self._meant(answer), started)
            return result if answer is None else self._standing(as_execution(call, answer, like=result))
        outcome = outcome_of(hook, answer)
        self._note(hook, outcome, started)
        if not outcome.decision.objects:
            return result
        return self._refuse(call, outcome.decision, outcome.reason, hook.id)

    def _watched(self, function: Any, matcher: Any, hook: Hook, given: tuple[Any, ...]) -> Waits:
        """Whatever an observer says or raises changes nothing."""
        started, answer = perf_counter(), None
        try:
            if matcher is not None and not matcher.matches(self.approved, self.state):
                return
            answer = function(*given)
            if hasattr(answer, "__await__"):
                yield answer
        except Exception as error:  # noqa: BLE001 - recorded, and no more
            if self.tell is not None:
                self._note(hook, broken_outcome(hook, raised(hook, error)), started)
            return
        if self.tell is not None:
            self._note(hook, Outcome(), started)
