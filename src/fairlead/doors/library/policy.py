"""The policy that guards coding agents, as hooks of a stack: the same files, packs, laws and journal."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fairlead.doors.library.decorators import marked_hooks
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.drivers.background import Background
from fairlead.engine.system import HookSystem
from fairlead.errors import JournalError, RegistrationError
from fairlead.model.answer import Block, Execution
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolResult
from fairlead.model.verdict import Verdict

if TYPE_CHECKING:
    from fairlead.engine.passage import Tell
    from fairlead.policy_system import PolicySystem

_KEPT = 1024
_INLINE = ("builtin", "call")
"""Ways to run a hook that answer in well under a millisecond, so that an event loop may wait for them."""


def load_system(
    *,
    root: str = "",
    home: str = "",
    policies: Sequence[str] = (),
    agent: str = "generic",
    journal: bool = True,
    observers: bool = True,
    live: bool = True,
) -> PolicySystem:
    """The system of the policy files that apply at `root`, the current folder if it is not given.

    As behind every door, each verdict is in the user's journal, observers run, and a changed file counts from
    the next event on; leave out what you do not want by its name. Close the system when done.
    """
    from fairlead.policy.places import find_places
    from fairlead.policy_system import PolicySystem

    places = find_places(home, environment=os.environ, hook_mode=False)
    folders = [os.path.abspath(folder) for folder in policies]
    return PolicySystem(
        places,
        os.path.abspath(root or os.getcwd()),
        agent=agent,
        policies=folders,
        journal=journal,
        observers=observers,
        live=live,
    )


def adopt(stack: ToolStack, policy: object, *, agent: str, root: str) -> None:
    """Everything that a policy is, into a stack; also whom it asks and tells, where it is a stack itself.

    Raises RegistrationError where both have somebody: one of them would be forgotten in silence.
    """
    if isinstance(policy, ToolStack):
        for role in ("ask", "tell"):
            own, other = getattr(stack, role), getattr(policy, role)
            if other is not None and own not in (None, other):
                raise RegistrationError(
                    f"both stacks have somebody to {role}", hint=f"give `{role}` to one of them"
                )
            setattr(stack, role, other if own is None else own)
    numbered = isinstance(policy, HookSystem) or inspect.ismethod(policy)
    stack.add(*hooks_of(policy, agent=agent, root=root), numbered=numbered)


def hooks_of(policy: object, *, agent: str = "library", root: str = "") -> tuple[Hook, ...]:
    """What a policy is for a stack: a HookSystem's two hooks, a Hook, those of a marked function or a stack.

    Raises RegistrationError for anything else: a guard that was given must not be missing in silence.
    """
    if isinstance(policy, Hook):
        return (policy,)
    if isinstance(policy, ToolStack):
        policy.check()
        return policy.hooks()
    if not isinstance(policy, HookSystem):
        return marked_hooks(policy)
    judge = _Judge(policy, _Events(agent, root or os.getcwd()))
    inline = all(hook.run.executor in _INLINE for hook in policy.get_all_hooks())
    return (
        _hook("policy", EventName.BEFORE_TOOL, judge.before if inline else judge.before_async),
        _hook("policy-result", EventName.AFTER_TOOL, judge.after if inline else judge.after_async),
    )


def _hook(name: str, event: EventName, function: Callable[..., Any]) -> Hook:
    return Hook(name, HookType.SAFETY, event, Run("call", function))


class _Judge:
    """A system in the place of two hooks. Observers run afterwards, in a thread of their own."""

    def __init__(self, system: HookSystem, events: _Events) -> None:
        self._system, self._events = system, events
        self._background = Background(_complain)
        self._rewritten: dict[str, dict[str, object]] = {}

    def before(self, call: ToolCall, state: object) -> Outcome | None:
        if self._is_own_rewrite(call):
            return None
        event = self._events.before(call)
        return self._said(call, self._observed(event, self._system.fire(event)))

    async def before_async(self, call: ToolCall, state: object) -> Outcome | None:
        if self._is_own_rewrite(call):
            return None
        event = self._events.before(call)
        return self._said(call, self._observed(event, await self._system.fire_async(event)))

    def after(self, result: Any, call: ToolCall, state: object) -> Any:
        event = self._events.after(call, result)
        return _result(self._observed(event, self._system.fire(event)))

    async def after_async(self, result: Any, call: ToolCall, state: object) -> Any:
        event = self._events.after(call, result)
        return _result(self._observed(event, await self._system.fire_async(event)))

    def _said(self, call: ToolCall, verdict: Verdict) -> Outcome | None:
        if verdict.updated_input is not None and call.id:
            if len(self._rewritten) >= _KEPT:
                self._rewritten.clear()
            self._rewritten[call.id] = dict(verdict.updated_input)
        return _outcome(verdict)

    def _is_own_rewrite(self, call: ToolCall) -> bool:
        """The stack shows guards what was rewritten. This guard rewrote it, and judged what it made of it."""
        return bool(call.id) and self._rewritten.pop(call.id, None) == call.input

    def _observed(self, event: Event, verdict: Verdict) -> Verdict:
        if not self._system.attends and self._system.plan(event).observe:
            self._background.do(lambda: self._system.run_observers(event, verdict))
        return verdict


def _complain(error: Exception) -> None:
    sys.stderr.write(f"fairlead: an observer failed: {type(error).__name__}: {error}\n")


class _Events:
    """Tool calls of a library as the events that a policy speaks of."""

    def __init__(self, agent: str, root: str) -> None:
        self.agent, self.root = agent, root
        self._session = f"{agent}-{os.urandom(6).hex()}"
        """Of its own: what one stack has fetched is nothing to another."""

    def before(self, call: ToolCall) -> Event:
        return Event(
            EventName.BEFORE_TOOL,
            native_name="before_tool",
            agent=self.agent,
            session=self._session,
            root=self.root,
            cwd=self.root,
            tool=call,
        )

    def after(self, call: ToolCall, result: Any) -> Event:
        outcome = ToolResult(result)
        if isinstance(result, Execution):
            outcome = ToolResult(result.output, ok=result.ok, error=result.error)
        name = EventName.AFTER_TOOL if outcome.ok else EventName.TOOL_FAILURE
        return self.before(call).replace(name=name, native_name="after_tool", result=outcome)


def _outcome(verdict: Verdict) -> Outcome | None:
    """None where the policy has no opinion, so that the fast way stays fast."""
    if not verdict.decision and verdict.updated_input is None:
        return None
    return Outcome(
        verdict.decision,
        verdict.reason,
        hook=verdict.hook,
        rule=verdict.rule,
        evidence=verdict.evidence,
        alternative=verdict.alternative,
        updated_input=verdict.updated_input,
        additional_context=verdict.additional_context,
    )


def _result(verdict: Verdict) -> Any:
    if verdict.decision.objects:
        return Block(verdict.reason)
    return None if verdict.updated_output is None else ToolResult(verdict.updated_output)


def journal_of(directory: str = "", *, agent: str = "library", root: str = "") -> Tell:
    """Writes each call with its verdict into a journal, redacted; into the user's own, if none is given."""
    from fairlead.journal.line import record_of
    from fairlead.journal.writer import JournalWriter
    from fairlead.model.verdict import Reply
    from fairlead.policy.places import find_places

    places = find_places(environment=os.environ, hook_mode=False)
    writer = JournalWriter(directory or os.path.join(places.state, "journal"))
    events = _Events(agent, root or os.getcwd())

    def tell(call: ToolCall, verdict: Verdict) -> None:
        try:
            writer.write(record_of(events.before(call), verdict, Reply(), policy="library"))
        except JournalError as error:
            sys.stderr.write(f"fairlead: {error}\n")  # the verdict stands; the next line records the gap

    return tell
