"""Whose journals a machine forwards: the user's own, or those of all users where root has enrolled it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.places import Places

_BELOW_HOME = ".local/state/fairlead/journal"


class UserJournal(Value):
    folder: str
    user: str
    home: str
    owner: int | None = None
    """Whose files alone are read there, where somebody else reads them: names may lead anywhere."""


def journals_of(places: Places) -> list[UserJournal]:
    """A folder that is not its user's own, or that others can write to, is nobody's journal."""
    if places.fleet == places.system_fleet and os.geteuid() == 0:
        found = list(_of_everybody())
    else:
        home = here.home_of_user()
        found = [UserJournal(os.path.join(places.state, "journal"), here.name_of_user(), home)]
    return found


def _of_everybody() -> Iterator[UserJournal]:
    seen: set[str] = set()
    for name, uid, _, home in here.accounts():
        folder = os.path.join(home, _BELOW_HOME)
        if home.startswith("/") and folder not in seen and _is_owned(folder, uid):
            seen.add(folder)
            yield UserJournal(folder, name, home, uid)


def _is_owned(folder: str, uid: int) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == uid and not found.st_mode & 0o022
