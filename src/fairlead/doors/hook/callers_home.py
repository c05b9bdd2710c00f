"""HOME of the process that calls: what `~` means to the shell that would run the command."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.policy.places import home_of_user


def with_callers_home(event: Event, environment: Mapping[str, str]) -> Event:
    """The event, and HOME where it names another folder than the user's home: then both readings count, and
    the variable can only make the guard stricter."""
    home = environment.get("HOME", "").rstrip("/")
    if not home.startswith("/") or "\0" in home or home == _users_home():
        return event
    return event.replace(home=home)


@lru_cache(maxsize=1)
def _users_home() -> str:
    try:
        return home_of_user().rstrip("/")
    except FairleadError:
        return ""
