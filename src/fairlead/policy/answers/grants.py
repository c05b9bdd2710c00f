"""Exceptions that stay narrow: one rule, in one place, for a while or once, given by a human.

An exception may hold for one exact command alone, and for one session alone.

Each is a file of its own, so that giving, using up and taking back are single steps that cannot tear.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.excuse import ExactCommand
from fairlead.model.value import Value
from fairlead.policy.places import Places, write_private

FOLDER = "grants"
_GIVEN, _USED = ".json", ".used"
_SET_HERE = ("created", "used_by")


class Grant(Value):
    """`scope` is a folder, empty for everywhere; `until` is in epoch seconds, 0 for no end; `agent` is whose
    calls it holds for, empty for all, and `session` in which of its sessions. `command` is the one simple
    command that it holds for, run in the folder `cwd`; empty for all that the rule objects to."""

    id: str
    rule: str
    scope: str = ""
    until: float = 0.0
    once: bool = False
    created: float = 0.0
    used_by: str = ""
    """The request that used it up; the same request, tried again after a crash, may use it again."""
    agent: str = ""
    session: str = ""
    command: str = ""
    cwd: str = ""

    @property
    def excuse(self) -> str:
        """What the guards are told."""
        return ExactCommand(self.command, self.cwd).excuse_from(self.rule) if self.command else self.rule

    def covers(self, event: Event, *, now: float) -> bool:
        root, request = event.root, event.request
        if self.agent and self.agent != event.agent:
            return False
        if self.session and self.session != event.session:
            return False
        if self.until and now >= self.until:
            return False
        if self.used_by and self.used_by != request:
            return False
        return not self.scope or root == self.scope or root.startswith(self.scope.rstrip("/") + "/")


class Grants:
    """The exceptions of one user."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._folder = os.path.join(places.state, FOLDER)

    def give(self, rule: str, *, now: float, **bounds: str | float | bool) -> Grant:
        """With what it is bound to, by the names of a `Grant`. Callers ask `require_human` first."""
        from fairlead.policy.managed.forbidden import require_unlocked

        require_unlocked(self._places, rule)
        grant = Grant(os.urandom(4).hex(), rule, created=now, **bounds)  # type: ignore[arg-type]
        fields = {name: getattr(grant, name) for name in Grant._fields[1:] if name != "used_by"}
        write_private(self._path(grant.id, _GIVEN), json.dumps(fields).encode())
        return grant

    def give_planned(self, planned: Grant, *, now: float) -> Grant:
        """The same for an exception that was shown to the person before."""
        bounds = {name: getattr(planned, name) for name in Grant._fields[2:] if name not in _SET_HERE}
        return self.give(planned.rule, now=now, **bounds)

    def all(self) -> list[Grant]:
        """Every exception that was given and not taken back, oldest first."""
        if not os.access(self._folder, os.F_OK):
            return []
        names = os.listdir(self._folder)
        read = (self._read(name.removesuffix(_GIVEN)) for name in names if name.endswith(_GIVEN))
        return sorted((grant for grant in read if grant is not None), key=lambda grant: grant.created)

    def any(self) -> bool:
        """Whether any was ever given, as with hardly anybody: cheap to ask at every call."""
        return os.access(self._folder, os.F_OK)

    def covering(self, event: Event, *, now: float) -> list[Grant]:
        """Those that hold for a call."""
        if not os.access(self._folder, os.F_OK):
            return []  # as with nearly everybody
        return [grant for grant in self.all() if grant.covers(event, now=now)]

    def use(self, grants: Iterable[Grant], request: str) -> list[Grant]:
        """Uses up those that hold once. Of two calls that try it at the same time, one gets it."""
        return [grant for grant in grants if not grant.once or self._take(grant, request)]

    def revoke(self, grant_id: str) -> Grant:
        grant = self._read(grant_id)
        if grant is None:
            raise FairleadError(
                f"there is no exception {grant_id!r}", hint="`fairlead allow --list` shows them"
            )
        os.unlink(self._path(grant_id, _GIVEN))
        return grant

    def _take(self, grant: Grant, request: str) -> bool:
        try:
            descriptor = os.open(self._path(grant.id, _USED), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return self._user_of(grant.id) == request
        with os.fdopen(descriptor, "w") as file:
            file.write(request)
        return True

    def _user_of(self, grant_id: str) -> str:
        try:
            with open(self._path(grant_id, _USED), encoding="ascii") as file:
                return file.read(64) or "?"
        except (OSError, ValueError):
            return ""

    def _read(self, grant_id: str) -> Grant | None:
        """None for what is gone or cannot be read: an exception that nobody understands excepts nothing."""
        if not grant_id.isalnum():
            return None
        try:
            with open(self._path(grant_id, _GIVEN), "rb") as file:
                fields = json.loads(file.read(65536))
            return Grant(
                grant_id,
                str(fields["rule"]),
                str(fields["scope"]),
                float(fields["until"]),
                fields["once"] is True,
                float(fields["created"]),
                self._user_of(grant_id) if fields["once"] is True else "",
                *(str(fields.get(name, "")) for name in ("agent", "session", "command", "cwd")),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _path(self, grant_id: str, kind: str) -> str:
        return os.path.join(self._folder, grant_id + kind)
