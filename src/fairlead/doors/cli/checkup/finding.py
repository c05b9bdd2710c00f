"""One thing that was looked at: how it is, why, and what mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from fairlead.errors import FairleadError
from fairlead.model.value import Value

Repair = Callable[[], None]


class Level(StrEnum):
    OK = "ok"
    UNPROVED = "not proved"
    """No fault was seen, but the agent itself has shown nothing."""
    NOTE = "note"
    """Works as it should, and is not what everybody expects."""
    BAD = "bad"
    """Leaves an agent unguarded or stuck, or would."""


class Finding(Value):
    """`id` names the check; `what` and `why` are words for people; `repair` is safe to do unasked."""

    id: str
    what: str
    level: Level = Level.OK
    why: str = ""
    fix: str = ""
    agent: str = ""
    repair: Repair | None = None

    @property
    def ok(self) -> bool:
        """Whether it is no fault."""
        return self.level is not Level.BAD

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "ok": self.ok and self.level is not Level.UNPROVED,
            "level": str(self.level),
            "agent": self.agent,
            "what": self.what,
            "why": self.why,
            "fix": self.fix,
            "mendable": self.repair is not None,
        }


def bad(id: str, what: str, *, why: str = "", fix: str, repair: Repair | None = None) -> Finding:
    return Finding(id, what, Level.BAD, why, fix, repair=repair)


def note(id: str, what: str, *, why: str = "", fix: str = "") -> Finding:
    return Finding(id, what, Level.NOTE, why, fix)


def unproved(id: str, why: str) -> Finding:
    return Finding(id, f"not proved: {why}", Level.UNPROVED)


def guarded(id: str, look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What a look found. One that breaks is a finding too, and keeps no other from being made."""
    found: list[Finding] = []
    try:
        for finding in look():
            found.append(finding)
    except FairleadError as error:
        found.append(bad(id, error.message, fix=error.hint or "fairlead doctor"))
    except OSError as error:
        found.append(bad(id, f"this could not be looked at: {error}", fix=f"ls -ld {error.filename or '.'}"))
    return found
