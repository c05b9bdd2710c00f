"""What an author registers becomes a hook, or an error that says why it cannot work."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from fairlead.engine.middleware import Around
from fairlead.errors import RegistrationError
from fairlead.model.answer import Block
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Run
from fairlead.model.matcher import matcher_from
from fairlead.model.value import Value

BEFORE, AFTER, AROUND = "before", "after", "around"
_ARGUMENTS = {BEFORE: 2, AFTER: 3, AROUND: 2}
_DEFAULT_TYPES = {
    BEFORE: HookType.SAFETY,
    AFTER: HookType.TRANSFORMATION,
    AROUND: HookType.SAFETY,
}
_ON_ERROR = ("block", "ask", "allow")


class Options(Value):
    """What may be said about a hook besides its function. The names are those of the policy file."""

    name: str = ""
    matcher: object = None
    priority: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    type: str = ""
    on_error: str = "block"
    timeout: float | None = None
    none: str = "pass"
    """What a hook that returns nothing means: `pass`, or `block`."""


Kind = TypeVar("Kind", bound=Value)


def options_from(given: dict[str, Any]) -> Options:
    return checked_options(given, Options)


def checked_options(given: dict[str, Any], kind: type[Kind]) -> Kind:
    """Raises RegistrationError for an option that does not exist."""
    for key in given:
        if key not in kind._fields:
            from fairlead.policy.schema import suggestion

            known = ", ".join(kind._fields)
            raise RegistrationError(
                f"a hook has no option {key!r}",
                hint=suggestion(key, kind._fields, otherwise=f"known: {known}"),
            )
    return kind(**given | {key: _names(given[key]) for key in ("before", "after") if key in given})


def check_order(hooks: Iterable[Hook]) -> None:
    """Raises RegistrationError for a name in `before` or `after` that none of them has."""
    known = {hook.id for hook in hooks}
    for hook in hooks:
        for name in (*hook.before, *hook.after):
            if name not in known:
                from fairlead.policy.schema import suggestion

                raise RegistrationError(
                    f"{hook.id!r} is ordered by {name!r}, which is no hook", hint=suggestion(name, known)
                )


def settled_name(hook: Hook, taken: Iterable[str], *, derived: bool) -> Hook:
    """With a name of its own: one that was derived gets a number, one that was given is an error."""
    names = set(taken)
    if hook.id in names and not derived:
        raise RegistrationError(f"two hooks are named {hook.id!r}", hint="give one of them name='...'")
    number, free = 1, hook.id
    while free in names:
        number += 1
        free = f"{hook.id}-{number}"
    return hook if free == hook.id else hook.replace(id=free)


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def hook_from(function: Any, place: str, options: Options) -> Hook:
    """The hook that `function` is when it runs before, after or around a call."""
    target = _method(function)
    name = options.name or name_of(function)
    _check(target, name, place, options)
    adapted = _timed(_adapted(target, place, name), target, options.timeout)
    if options.none == "block":
        adapted = _strict(adapted, name, awaits=inspect.iscoroutinefunction(target))
    return Hook(
        name,
        _type(options.type, place, name),
        EventName.AFTER_TOOL if place == AFTER else EventName.BEFORE_TOOL,
        Run("call", Around(adapted, inspect.isgeneratorfunction(target)) if place == AROUND else adapted),
        matcher=matcher_from(options.matcher),
        priority=options.priority,
        before=options.before,
        after=options.after,
        timeout=options.timeout or 0.0,
        on_error=_on_error(options.on_error, name),
    )


def awaits(hook: Hook) -> bool:
    """Whether running this hook needs an event loop."""
    target = hook.run.target
    return inspect.iscoroutinefunction(target.function if isinstance(target, Around) else target)


def _method(function: Any) -> Callable[..., Any]:
    """What runs: a function, an object's `process` as the seed writes it, or its `__call__`."""
    target: Callable[..., Any] | None = getattr(function, "process", None)
    if target is None or inspect.isroutine(function):
        target = function
    if not callable(target):
        raise RegistrationError(
            f"a {type(function).__name__} cannot be a hook",
            hint="give a function, or an object with process()",
        )
    called = getattr(target, "__call__", None)  # noqa: B004 - the method itself, to see whether it awaits
    return called if inspect.ismethod(called) else target


def name_of(function: Any) -> str:
    name = getattr(function, "__name__", "") or type(function).__name__
    return "hook" if name == "<lambda>" else name


def _check(target: Callable[..., Any], name: str, place: str, options: Options) -> None:
    if inspect.isasyncgenfunction(target):
        raise RegistrationError(
            f"{name!r} is an asynchronous generator", hint="write a plain generator: it serves sync and async"
        )
    awaited = inspect.iscoroutinefunction(target)
    if place == AROUND and not (awaited or inspect.isgeneratorfunction(target)):
        raise RegistrationError(
            f"{name!r} cannot run around a call as a plain function",
            hint="write a generator (`result = yield call`), or `async def` with `next`",
        )
    if place != AROUND and inspect.isgeneratorfunction(target):
        raise RegistrationError(f"{name!r} is a generator", hint="register it as an around-hook")
    if options.timeout is not None and not awaited:
        raise RegistrationError(
            f"{name!r} is not asynchronous, so nothing can end it after {options.timeout:g} s",
            hint="make it `async def`, or leave out the timeout",
        )
    if options.timeout is not None and options.timeout <= 0:
        raise RegistrationError(f"the timeout of {name!r} must be above 0", hint="timeout=5")
    if options.none not in ("pass", "block"):
        raise RegistrationError(f"none={options.none!r} is not known", hint="none='pass' or none='block'")


def _type(given: str, place: str, name: str) -> HookType:
    if not given:
        return _DEFAULT_TYPES[place]
    try:
        return HookType(given)
    except ValueError:
        known = ", ".join(HookType)
        raise RegistrationError(f"{name!r} cannot have the type {given!r}", hint=f"one of: {known}") from None


def _on_error(given: str, name: str) -> Decision:
    if given not in _ON_ERROR:
        raise RegistrationError(
            f"on_error of {name!r} cannot be {given!r}", hint=f"one of: {', '.join(_ON_ERROR)}"
        )
    return DECISION_WORDS[given]


def _adapted(target: Callable[..., Any], place: str, name: str) -> Callable[..., Any]:
    """With the arguments that the engine gives: a hook may leave out those at the end."""
    wanted = 3 if place == AROUND and inspect.iscoroutinefunction(target) else _ARGUMENTS[place]
    if wanted == 3 and place == AROUND and arguments_of(target) == 2:
        return _without_state(target)
    return fitted(target, wanted, name, expected=_EXPECTED[place])


def fitted(target: Callable[..., Any], wanted: int, name: str, *, expected: str) -> Callable[..., Any]:
    """A function of as many arguments as it is given, whichever of the last ones it leaves out."""
    taken = arguments_of(target)
    if taken is None or taken == wanted:
        return target
    if not 0 < taken < wanted:
        raise RegistrationError(f"{name!r} takes {taken} arguments", hint=expected)
    if inspect.iscoroutinefunction(target):
        return _shortened_async(target, taken)
    return lambda *given: target(*given[:taken])


_EXPECTED = {
    BEFORE: "it gets (call, state)",
    AFTER: "it gets (execution, call, state)",
    AROUND: "a generator gets (call, state), an `async def` (call, state, next)",
}


def arguments_of(target: Callable[..., Any]) -> int | None:
    """How many positional arguments it takes; None for any number, or when nobody can tell."""
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    return sum(1 for each in parameters if each.kind in _POSITIONAL and not _is_its_own(each))


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _is_its_own(parameter: inspect.Parameter) -> bool:
    """A default that the author keeps something in, as `lambda call, limit=limit: ...` does."""
    return parameter.default is not parameter.empty and parameter.name not in ("call", "state", "execution")


def _shortened_async(target: Callable[..., Any], taken: int) -> Callable[..., Any]:
    async def shortened(*given: Any) -> Any:
        return await target(*given[:taken])

    return shortened


def _without_state(target: Callable[..., Any]) -> Callable[..., Any]:
    async def shortened(call: Any, state: Any, inner: Any) -> Any:
        return await target(call, inner)

    return shortened


def _timed(function: Callable[..., Any], target: Any, seconds: float | None) -> Callable[..., Any]:
    if seconds is None:
        return function

    async def timed(*given: Any) -> Any:
        import asyncio

        try:
            async with asyncio.timeout(seconds) as limit:  # in this task, so that context variables stay
                return await function(*given)
        except TimeoutError:
            if not limit.expired():
                raise
            raise TimeoutError(f"no answer within {seconds:g} s") from None

    return timed


def _strict(function: Callable[..., Any], name: str, *, awaits: bool) -> Callable[..., Any]:
    """The seed's reading: to return nothing is to block."""
    refusal = Block(f"blocked by {name}")
    if awaits:

        async def strict_async(*given: Any) -> Any:
            answer = await function(*given)
            return refusal if answer is None else answer

        return strict_async

    def strict(*given: Any) -> Any:
        answer = function(*given)
        return refusal if answer is None else answer

    return strict
