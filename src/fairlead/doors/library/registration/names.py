"""Names of hooks, and the orders that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from fairlead.errors import RegistrationError
from fairlead.model.hook import Hook


def name_of(function: Any) -> str:
    name = getattr(function, "__name__", "") or type(function).__name__
    return "hook" if name == "<lambda>" else name


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


def check_order(hooks: Collection[Hook]) -> None:
    """Raises RegistrationError for a name in `before` or `after` that none of them has."""
    known = {hook.id for hook in hooks}
    for hook in hooks:
        for name in (*hook.before, *hook.after):
            if name not in known:
                from fairlead.policy.reading.schema import suggestion

                raise RegistrationError(
                    f"{hook.id!r} is ordered by {name!r}, which is no hook", hint=suggestion(name, known)
                )


def check_phases(hooks: Collection[Hook], phase_of: Callable[[Hook], str]) -> None:
    """Raises RegistrationError for a name in `before` or `after` of a hook that runs in another phase: such
    an order says nothing, and whoever wrote it believes that it does."""
    phases: dict[str, set[str]] = {}
    for hook in hooks:
        phases.setdefault(hook.id, set()).add(phase_of(hook))
    for hook in hooks:
        own = phase_of(hook)
        for name in (*hook.before, *hook.after):
            others = phases.get(name, {own})
            if own not in others:
                raise RegistrationError(
                    f"{hook.id!r} is ordered by {name!r}, which runs in another phase: "
                    f"{own} and {min(others)}",
                    hint="names order hooks of one phase; the place and the type of a hook decide its phase",
                )
