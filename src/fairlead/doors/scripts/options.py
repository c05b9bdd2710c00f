"""How a hook's implementations run, as the caller says it, and what their exit codes come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.doors.scripts.running import Options
from fairlead.errors import RegistrationError
from fairlead.policy.reading.schema import suggestion

EXIT_POLICIES = ("last", "worst", "first-failure")
_LEAST = {"timeout": 0.001, "grace": 0, "retries": 0, "limit": 0}


def changed(options: Options, given: Mapping[str, Any]) -> Options:
    """Raises RegistrationError for an option that does not exist, or cannot be."""
    for name, value in given.items():
        if name not in Options._fields:
            known = ", ".join(Options._fields)
            raise RegistrationError(
                f"hooks have no option {name!r}",
                hint=suggestion(name, Options._fields, otherwise=f"known: {known}"),
            )
        if name in _LEAST and value is not None and not (_is_number(value) and value >= _LEAST[name]):
            raise RegistrationError(f"{name} cannot be {value!r}", hint=f"at least {_LEAST[name]:g}")
    if given.get("exit_policy", "last") not in EXIT_POLICIES:
        raise RegistrationError(
            f"{given['exit_policy']!r} is not an exit policy", hint=f"known: {', '.join(EXIT_POLICIES)}"
        )
    return options.replace(**given)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def folded(codes: Sequence[int], policy: str) -> int:
    if policy == "worst":
        return max(codes, default=0)
    if policy == "first-failure":
        return next((code for code in codes if code != 0), 0)
    return codes[-1] if codes else 0
