"""Marks a function as a hook where it is written; a stack that it is added to does the rest.

    @before_tool("bash", priority=100)
    def no_rm(call, state):
        if "rm -rf" in call.input["command"]:
            return Block("not here")

The function stays what it was, so a test can call it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fairlead.doors.library.registration.hooks import AFTER, AROUND, BEFORE, hook_from
from fairlead.doors.library.registration.names import name_of
from fairlead.doors.library.registration.options import Options, options_from
from fairlead.doors.library.registration.signatures import lacks_its_object
from fairlead.errors import RegistrationError
from fairlead.model.hook import Hook
from fairlead.model.value import Value

Function = TypeVar("Function", bound=Callable[..., Any])
MARK = "__fairlead_hooks__"


class Mark(Value):
    """What a decorator says. The hook is made where the function is added: a method has its object there."""

    place: str
    options: Options


def before_tool(matcher: object = None, **options: Any) -> Callable[[Function], Function]:
    """Runs before calls that match. It is a guard unless `type` says otherwise, so it may run again when the
    call changes. It returns None, a changed ToolCall, Block, Ask, Approve, Halt, or a ToolResult."""
    return _marker(BEFORE, matcher, options)


def after_tool(matcher: object = None, **options: Any) -> Callable[[Function], Function]:
    """Runs on the execution of calls that match; the highest priority last. It returns None, a changed
    Execution, a ToolResult, or Block to withhold the result."""
    return _marker(AFTER, matcher, options)


def around_tool(matcher: object = None, **options: Any) -> Callable[[Function], Function]:
    """Runs around calls that match: a generator that yields the call and gets the result, or a function,
    also an `async def`, of (call, state, next). A call that it changes goes through the guards again."""
    return _marker(AROUND, matcher, options)


def _marker(place: str, matcher: object, options: dict[str, Any]) -> Callable[[Function], Function]:
    given = Mark(place, options_from({"matcher": matcher, **options}))

    def mark(function: Function) -> Function:
        if not lacks_its_object(function):
            hook_from(function, place, given.options)  # what cannot work is refused where it is written
        try:
            setattr(function, MARK, (*_marks(function), given))
        except AttributeError:
            raise RegistrationError(
                f"{name_of(function)!r} cannot be marked here", hint="decorate it where it is written"
            ) from None
        return function

    mark.__name__ = getattr(matcher, "__name__", mark.__name__)  # whoever forgot the parentheses is named
    return mark


def _marks(function: object) -> tuple[Mark, ...]:
    found: tuple[Mark, ...] = getattr(function, MARK, ())
    return found


def marked_hooks(function: object) -> tuple[Hook, ...]:
    """Raises RegistrationError for what is not marked: no hook may be missing in silence."""
    found = _marks(function)
    if not found:
        raise RegistrationError(
            f"{getattr(function, '__name__', function)!r} is not marked as a hook",
            hint="decorate it with @before_tool(), @after_tool() or @around_tool(), with the parentheses",
        )
    return tuple(hook_from(function, mark.place, mark.options) for mark in found)
