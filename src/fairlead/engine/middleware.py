"""The hooks of one tool call in this process, compiled once per tool: flat loops before and after, an onion.

No object is made for a hook without an opinion, and hooks that do not match a tool's name cost it nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from typing import Any

from fairlead.engine.order import ordered
from fairlead.errors import FairleadError
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType
from fairlead.model.matching.matcher import Anything, Matcher, Names
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.value import Value

Waits = Generator[Awaitable[Any], Any, Any]
"""Work that yields what must be awaited, and is sent what came of it. Most work never yields."""

Link = tuple[Callable[..., Any], Matcher | None, Hook]

_GUARDS = frozenset({HookType.AUTHORIZATION, HookType.SAFETY})
_REMEMBERED = 512
"""How many tool names an onion remembers: an agent may invent names, and memory must stay flat."""


class Around(Value):
    """A function that runs around the call. `yields`: it yields the call and is sent the result.

    `beside`, for a function that calls `next` and waits for it: what runs such a function beside an event
    loop, which must not wait.
    """

    function: Callable[..., Any]
    yields: bool
    beside: Callable[..., Awaitable[Any]] | None = None


class Waiting:
    """A function that waits for what it calls: called as it is where nothing awaits, else run `beside`."""

    __slots__ = ("_beside", "_here")

    def __init__(self, here: Callable[[], Any], beside: Callable[[], Awaitable[Any]]) -> None:
        self._here, self._beside = here, beside

    def run(self) -> Any:
        return self._here()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._beside().__await__()


class Chain:
    """The hooks that calls of one tool can meet, by phase, in order. Never changed once made."""

    __slots__ = (
        "after",
        "around",
        "early",
        "guard",
        "kind",
        "late",
        "observe",
        "plain",
        "transform",
        "validate",
        "watch",
    )

    def __init__(self, hooks: Sequence[Hook], kind: ToolKind) -> None:
        before = [hook for hook in hooks if hook.event is EventName.BEFORE_TOOL]
        called = [hook for hook in before if not isinstance(hook.run.target, Around)]
        after = [hook for hook in hooks if hook.event is EventName.AFTER_TOOL]
        self.validate = _links(hook for hook in called if hook.type is HookType.VALIDATION)
        self.transform = _links(hook for hook in called if hook.type is HookType.TRANSFORMATION)
        self.guard = _links(hook for hook in called if hook.type in _GUARDS)
        self.watch = _links(hook for hook in called if hook.type is HookType.OBSERVABILITY)
        self.around = _links(hook for hook in before if isinstance(hook.run.target, Around))
        self.after = _links(hook for hook in reversed(after) if hook.type is not HookType.OBSERVABILITY)
        self.observe = _links(hook for hook in after if hook.type is HookType.OBSERVABILITY)
        self.kind = kind
        self.early = bool(self.validate or self.transform)
        self.late = bool(self.after or self.watch or self.observe)
        self.plain = not (self.early or self.late or self.around or any(link[1] for link in self.guard))


def _links(hooks: Iterable[Hook]) -> tuple[Link, ...]:
    return tuple((_function(hook), _dynamic(hook.matcher), hook) for hook in hooks)


def _function(hook: Hook) -> Callable[..., Any]:
    target = hook.run.target
    function = target.function if isinstance(target, Around) else target
    assert callable(function)
    return function


def _dynamic(matcher: Matcher) -> Matcher | None:
    """None for a matcher that the tool's name has already answered."""
    return None if type(matcher) in (Anything, Names) else matcher


class Onion:
    """Hooks that are fixed for its lifetime. Safe to use from several threads and tasks."""

    def __init__(self, hooks: Sequence[Hook]) -> None:
        """Raises PolicyError for hooks that wait for each other."""
        self.hooks = tuple(hooks)
        self.ordered = ordered([hook for hook in hooks if hook.enabled])
        self.chains: dict[str, Chain] = {}

    def chain(self, call: ToolCall) -> Chain:
        """By name alone, since a tool keeps its kind; one that does not is compiled anew each time."""
        found = self.chains.get(call.name)
        if found is None or found.kind is not call.kind:
            if len(self.chains) >= _REMEMBERED:
                self.chains = {}
            possible = [hook for hook in self.ordered if _possible(hook, call)]
            found = self.chains[call.name] = Chain(possible, call.kind)
        return found


def _possible(hook: Hook, call: ToolCall) -> bool:
    """A matcher that breaks rules nothing out: its hook runs."""
    if type(hook.matcher) is not Names:
        return True
    try:
        return hook.matcher.matches(call, None)
    except FairleadError:
        return True


class NothingAwaitsError(Exception):
    """Something asynchronous was met where nothing awaits."""


def drive(work: Waits) -> Any:
    """Runs work to its end with ordinary calls; what would have to be awaited fails there."""
    try:
        wanted = work.send(None)
        while True:
            try:
                value = _here(wanted)
            except Exception as error:  # noqa: BLE001 - the work decides what an error means
                wanted = work.throw(error)
            else:
                wanted = work.send(value)
    except StopIteration as finished:
        return finished.value


def _here(wanted: Any) -> Any:
    if isinstance(wanted, Waiting):
        return wanted.run()
    close = getattr(wanted, "close", None)
    if close is not None:
        close()  # a coroutine that nobody awaits warns when it is collected
    raise NothingAwaitsError("it is asynchronous, and was called where nothing awaits")


async def drive_async(work: Waits) -> Any:
    """Runs the same work, and awaits what it yields."""
    try:
        wanted = work.send(None)
        while True:
            try:
                value = await wanted
            except Exception as error:  # noqa: BLE001 - the work decides what an error means
                wanted = work.throw(error)
            else:
                wanted = work.send(value)
    except StopIteration as finished:
        return finished.value
    finally:
        work.close()
