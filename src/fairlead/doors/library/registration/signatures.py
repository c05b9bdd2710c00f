"""How many arguments a function takes, and functions that take as many as they are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fairlead.errors import RegistrationError

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def arguments_of(target: Callable[..., Any]) -> int | None:
    """How many positional arguments it takes; None for any number, or when nobody can tell."""
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    return sum(1 for each in parameters if each.kind in _POSITIONAL and not _is_its_own(each))


def _is_its_own(parameter: inspect.Parameter) -> bool:
    """A default that the author keeps something in, as `lambda call, limit=limit: ...` does."""
    return parameter.default is not parameter.empty and parameter.name not in ("call", "state", "execution")


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


def _shortened_async(target: Callable[..., Any], taken: int) -> Callable[..., Any]:
    async def shortened(*given: Any) -> Any:
        return await target(*given[:taken])

    return shortened


def takes(target: Callable[..., Any], count: int) -> bool:
    """Whether it can be called with so many values; yes when nobody can tell."""
    try:
        inspect.signature(target).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def lacks_its_object(function: object) -> bool:
    """Whether it was written as a method, and comes without the object that it belongs to."""
    if not inspect.isfunction(function):
        return False
    first = next(iter(inspect.signature(function).parameters), "")
    return first in ("self", "cls")
