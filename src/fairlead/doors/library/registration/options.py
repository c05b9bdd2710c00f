"""What may be said about a hook besides its function. The names are those of the policy file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from fairlead.errors import RegistrationError
from fairlead.model.value import Value


class Options(Value):
    """Of a hook on tool calls."""

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


class StepOptions(Value):
    """Of a hook on steps. `matcher` looks at the state alone; `on_error` is what a broken hook means: stop,
    or ignore."""

    name: str = ""
    priority: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    matcher: object = None
    on_error: str = "stop"


Kind = TypeVar("Kind", bound=Value)

_FORMS: dict[str, tuple[tuple[type, ...], str, str]] = {
    "name": ((str,), "a text", "name='no-secrets'"),
    "priority": ((int,), "a whole number", "priority=100"),
    "type": ((str,), "a text", "type='safety'"),
    "on_error": ((str,), "a text", "on_error='block'"),
    "none": ((str,), "a text", "none='block'"),
    "timeout": ((int, float, type(None)), "a number of seconds", "timeout=5"),
}


def options_from(given: dict[str, Any]) -> Options:
    return checked_options(given, Options)


def checked_options(given: dict[str, Any], kind: type[Kind]) -> Kind:
    """Raises RegistrationError for an option that does not exist, or is not of its form."""
    for key, value in given.items():
        if key not in kind._fields:
            from fairlead.policy.reading.schema import suggestion

            known = ", ".join(kind._fields)
            raise RegistrationError(
                f"a hook has no option {key!r}",
                hint=suggestion(key, kind._fields, otherwise=f"known: {known}"),
            )
        types, form, example = _FORMS.get(key, ((object,), "", ""))
        if not isinstance(value, types) or (isinstance(value, bool) and key in _FORMS):
            raise RegistrationError(f"{key}={value!r:.60} is not {form}", hint=f"for example {example}")
    return kind(**given | {key: _names(key, given[key]) for key in ("before", "after") if key in given})


def _names(key: str, given: str | Iterable[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:
        if not isinstance(name, str):
            raise RegistrationError(
                f"{key}={name!r:.60} is not the name of a hook",
                hint=f"{key}='no-secrets', or a list of names",
            )
    return names
