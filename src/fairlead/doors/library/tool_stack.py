"""Hooks around tool calls: add them, look at them, switch them, and send calls through."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Self, TypeVar

from fairlead.doors.library.decorators import marked_hooks
from fairlead.doors.library.explain import Explanation, explain, phase_of
from fairlead.doors.library.registration.hooks import AFTER, AROUND, BEFORE, awaits, hook_from
from fairlead.doors.library.registration.names import check_order, check_phases, settled_name
from fairlead.doors.library.registration.options import options_from
from fairlead.engine.middleware import Onion, drive, drive_async
from fairlead.engine.pass_through import careful_passage, pass_through, pass_through_async
from fairlead.engine.passage import AskHuman, Execute, Passage, Tell
from fairlead.errors import RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.event_name import EventName
from fairlead.model.fast_records import compile_records
from fairlead.model.hook import Hook, Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.model.verdict import Verdict

Function = TypeVar("Function", bound=Callable[..., Any])


class ToolStack:
    """What it holds may change while calls are under way: each call keeps the hooks that it began with."""

    def __init__(self, *hooks: object, ask: AskHuman | None = None, tell: Tell | None = None) -> None:
        """`hooks` are decorated functions or Hook values. `ask` puts a question to a human and gives True or
        False; without it, ask means block. `tell` gets each call with its verdict."""
        for kind in (ToolCall, Execution, Outcome):
            compile_records(kind)  # a process with a stack makes many of these
        self._lock = Lock()
        self._onion = Onion(())
        self._awaits = False
        self._unfinished: list[str] = []
        self.ask = ask
        self.tell = tell
        self.add(*hooks)

    def add(self, *hooks: object, numbered: bool = False) -> Self:
        """Hook values, or functions marked with `before_tool`, `after_tool` or `around_tool`.

        `numbered`: a name that is taken gets a number. Methods always do, since each object has its own.
        """
        for each in hooks:
            for hook in (each,) if isinstance(each, Hook) else marked_hooks(each):
                self._put(hook, derived=numbered or inspect.ismethod(each))
        return self

    def use(self, *policies: object, agent: str = "library", root: str = "") -> Self:
        """Whole policies: a HookSystem, another stack with the human that it asks, or what `add` takes."""
        from fairlead.doors.library.policy import adopt  # policies are read by much more than a stack needs

        for policy in policies:
            adopt(self, policy, agent=agent, root=root)
        return self

    def copy(self) -> ToolStack:
        """A stack of the same hooks that goes its own way from here."""
        made = ToolStack(ask=self.ask, tell=self.tell)
        made._unfinished = [*self._unfinished]
        made._replace(self._onion.hooks)
        return made

    def push(self, middleware: Any, **options: Any) -> Self:
        """A middleware around every call: a generator, a function of (call, state, next), or an object with
        such a `process`."""
        self._put(hook_from(middleware, AROUND, options_from(options)), derived=not options.get("name"))
        return self

    def before(self, matcher: object = None, **options: Any) -> Callable[[Function], Function]:
        """As `before_tool`, and registered here."""
        return self._registrar(BEFORE, matcher, options)

    def after(self, matcher: object = None, **options: Any) -> Callable[[Function], Function]:
        """As `after_tool`, and registered here."""
        return self._registrar(AFTER, matcher, options)

    def around(self, matcher: object = None, **options: Any) -> Callable[[Function], Function]:
        """As `around_tool`, and registered here."""
        return self._registrar(AROUND, matcher, options)

    def hooks(self) -> tuple[Hook, ...]:
        """In the order of registration, disabled ones included."""
        return self._onion.hooks

    def enable(self, name: str) -> None:
        self._switch(name, enabled=True)

    def disable(self, name: str) -> None:
        self._switch(name, enabled=False)

    def remove(self, name: str) -> None:
        with self._lock:
            self._known(name)
            self._replace([hook for hook in self._onion.hooks if hook.id != name])

    def check(self) -> None:
        """Raises RegistrationError for a name in `before` or `after` that no hook has, and for a decorator
        without its parentheses, which took the hook for a matcher."""
        if self._unfinished:
            raise RegistrationError(
                f"{min(self._unfinished)!r} was given as a matcher, and no hook came to it",
                hint="a decorator needs its parentheses: @stack.before()",
            )
        check_order(self.hooks())

    def explain(self, call: ToolCall, state: Any = None) -> Explanation:
        """Which hooks would look at this call, in which phase and order, and why the others would not."""
        return explain(self._onion, call, state)

    @property
    def awaits(self) -> bool:
        """Whether some hook needs an event loop."""
        return self._awaits

    def process(self, call: ToolCall, state: Any, execute: Execute, *, careful: bool = False) -> Any:
        """The result of `execute(call, state)`, unless a hook has another opinion of the call.

        `careful` also notices a hook that changes the input in place.
        """
        if self.tell is None:
            return pass_through(self._onion, call, state, execute, self.ask, careful)
        return drive(self._told(call, state, execute).run(call))

    async def process_async(
        self, call: ToolCall, state: Any, execute: Execute, *, careful: bool = False
    ) -> Any:
        """The same; hooks, `execute` and `ask` may be asynchronous, and need not be."""
        if self.tell is None:
            return await pass_through_async(self._onion, call, state, execute, self.ask, careful)
        return await drive_async(self._told(call, state, execute).run(call))

    def passage(self, call: ToolCall, state: Any, execute: Execute | None = None) -> Passage:
        """One call's way, with the state that its hooks leave. Without `execute` it goes in two halves, for
        hosts that run the tool themselves: see `frameworks.common`."""
        return self._told(call, state, execute or _not_ours)

    def _told(self, call: ToolCall, state: Any, execute: Execute) -> Passage:
        tell = None if self.tell is None else _surviving(self.tell)
        return careful_passage(self._onion, call, state, execute, self.ask, tell)

    def _registrar(
        self, place: str, matcher: object, options: dict[str, Any]
    ) -> Callable[[Function], Function]:
        waiting = getattr(matcher, "__name__", "") if inspect.isfunction(matcher) else ""
        if waiting:
            self._unfinished.append(waiting)

        def register(function: Function) -> Function:
            if waiting in self._unfinished:
                self._unfinished.remove(waiting)
            hook = hook_from(function, place, options_from({"matcher": matcher, **options}))
            self._put(hook, derived=not options.get("name"))
            return function

        return register

    def _put(self, hook: Hook, *, derived: bool = False) -> None:
        if hook.event not in _PLACES:
            raise RegistrationError(
                f"{hook.id!r} is a hook on {hook.event}, which no stack sees",
                hint="a stack runs hooks on BeforeTool and AfterTool",
            )
        with self._lock:
            hooks = self._onion.hooks
            named = settled_name(hook, (each.id for each in hooks), derived=derived)
            check_phases([*hooks, named], _order_phase)
            self._replace([*hooks, named])

    def _switch(self, name: str, *, enabled: bool) -> None:
        with self._lock:
            self._known(name)
            self._replace(
                [hook.replace(enabled=enabled) if hook.id == name else hook for hook in self._onion.hooks]
            )

    def _known(self, name: str) -> None:
        if all(hook.id != name for hook in self._onion.hooks):
            raise RegistrationError(f"there is no hook {name!r}", hint="hooks() lists them")

    def _replace(self, hooks: Sequence[Hook]) -> None:
        """One assignment, so that a call sees the old hooks or the new ones."""
        onion = Onion(hooks)
        self._awaits = any(awaits(hook) for hook in hooks if hook.enabled)
        self._onion = onion


_PLACES = (EventName.BEFORE_TOOL, EventName.AFTER_TOOL)


def _order_phase(hook: Hook) -> str:
    """Observers before and after the call are one phase to a reader, and two to an order."""
    phase = phase_of(hook)
    return phase if phase != "observe" else f"{phase} {hook.event}"


def _surviving(tell: Tell) -> Tell:
    """A record that cannot be written must not cost the result of a tool that has already run."""

    def told(call: ToolCall, verdict: Verdict) -> None:
        try:
            tell(call, verdict)
        except Exception as error:  # noqa: BLE001 - foreign code; said aloud, and no more
            warnings.warn(f"fairlead: a call was not recorded: {error!r}", RuntimeWarning, stacklevel=2)

    return told


def _not_ours(call: ToolCall, state: Any) -> Any:
    raise RegistrationError("this host runs the tool itself", hint="use passage().before() and after()")
