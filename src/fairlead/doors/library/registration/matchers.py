"""What an author gives as a matcher, refused when it is registered if it could never be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairlead.doors.library.registration.signatures import arguments_of, takes
from fairlead.errors import RegistrationError
from fairlead.model.matching.matcher import ANYTHING, AllOf, AnyOf, Matcher, Not, Predicate, matcher_from


def tool_matcher(given: object, name: str) -> Matcher:
    """Raises RegistrationError for a function that does not take (call, state)."""
    matcher = matcher_from(given)
    _check(matcher, name)
    return matcher


def _check(matcher: Matcher, name: str) -> None:
    if isinstance(matcher, (AnyOf, AllOf)):
        for each in matcher.matchers:
            _check(each, name)
    elif isinstance(matcher, Not):
        _check(matcher.matcher, name)
    else:
        asked: Callable[..., Any] = (
            matcher.function if isinstance(matcher, Predicate) else matcher.matches  # its own `matches`
        )
        if not takes(asked, 2):
            raise RegistrationError(
                f"the matcher of {name!r} cannot be asked with (call, state)",
                hint="write it as `lambda call, state: ...`",
            )


class _StateMatcher:
    """A predicate over the state alone."""

    def __init__(self, function: Callable[[Any], bool]) -> None:
        self._function = function

    def matches(self, call: object, state: object, /) -> bool:
        return bool(self._function(state))


def state_matcher(given: object, name: str) -> Matcher:
    """Raises RegistrationError for what cannot look at a state: a step has no tool to match."""
    if given is None or given in ("", "*"):
        return ANYTHING
    if callable(given) and not hasattr(given, "matches") and arguments_of(given) == 1:
        return _StateMatcher(given)
    if callable(given) or hasattr(given, "matches"):
        return tool_matcher(given, name)
    raise RegistrationError("a step has no tool to match", hint="give a function of the state")
