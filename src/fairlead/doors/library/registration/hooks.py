"""A function, or an object with `process`, as a hook on tool calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fairlead.doors.library.registration.matchers import tool_matcher
from fairlead.doors.library.registration.names import name_of
from fairlead.doors.library.registration.options import Options
from fairlead.doors.library.registration.signatures import arguments_of, fitted, lacks_its_object
from fairlead.engine.middleware import Around
from fairlead.errors import RegistrationError
from fairlead.model.answer import Block
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Run

BEFORE, AFTER, AROUND = "before", "after", "around"
_ARGUMENTS = {BEFORE: 2, AFTER: 3, AROUND: 2}
_DEFAULT_TYPES = {
    BEFORE: HookType.SAFETY,
    AFTER: HookType.TRANSFORMATION,
    AROUND: HookType.SAFETY,
}
_ON_ERROR = ("block", "ask", "allow")


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
        Run("call", _around(adapted, target) if place == AROUND else adapted),
        matcher=tool_matcher(options.matcher, name),
        priority=options.priority,
        before=options.before,
        after=options.after,
        timeout=options.timeout or 0.0,
        on_error=_on_error(options.on_error, name),
    )


def _around(function: Callable[..., Any], target: Callable[..., Any]) -> Around:
    yields = inspect.isgeneratorfunction(target)
    if yields or inspect.iscoroutinefunction(target):
        return Around(function, yields)
    return Around(function, False, _beside_a_loop)


async def _beside_a_loop(*given: Any) -> Any:
    from fairlead.doors.library.threads import around_in_thread  # asyncio, which a program may not need

    return await around_in_thread(*given)


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


def _check(target: Callable[..., Any], name: str, place: str, options: Options) -> None:
    if lacks_its_object(target):
        raise RegistrationError(
            f"{name!r} is a method without its object", hint=f"give the bound method, as in guards.{name}"
        )
    if inspect.isasyncgenfunction(target):
        raise RegistrationError(
            f"{name!r} is an asynchronous generator", hint="write a plain generator: it serves sync and async"
        )
    awaited, yields = inspect.iscoroutinefunction(target), inspect.isgeneratorfunction(target)
    if place == AROUND and not (awaited or yields or arguments_of(target) in (3, None)):
        raise RegistrationError(
            f"{name!r} cannot run around a call: it neither yields the call nor takes `next`",
            hint="write a generator (`result = yield call`), or a function of (call, state, next)",
        )
    if place != AROUND and yields:
        raise RegistrationError(f"{name!r} is a generator", hint="register it as an around-hook")
    if options.timeout is not None and not awaited:
        raise RegistrationError(
            f"{name!r} is not asynchronous, so nothing can end it after {options.timeout:g} s",
            hint="make it `async def`, or leave out the timeout",
        )
    if options.timeout is not None and not options.timeout > 0:
        raise RegistrationError(f"the timeout of {name!r} must be above 0", hint="timeout=5")
    if options.none not in ("pass", "block"):
        raise RegistrationError(f"none={options.none!r} is not known", hint="none='pass' or none='block'")
    if place == AROUND and options.none == "block":
        raise RegistrationError(
            f"none='block' means nothing for {name!r}, which runs around a call",
            hint="an around-hook that returns nothing keeps the result",
        )


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
    wanted = _ARGUMENTS[place]
    if place == AROUND and not inspect.isgeneratorfunction(target):
        wanted = 3
    if place == AROUND and inspect.iscoroutinefunction(target) and arguments_of(target) == 2:
        return _without_state(target)
    return fitted(target, wanted, name, expected=_EXPECTED[place])


_EXPECTED = {
    BEFORE: "it gets (call, state)",
    AFTER: "it gets (execution, call, state)",
    AROUND: "a generator gets (call, state), any other function (call, state, next)",
}


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
