"""What this machine has from its fleet: whether it is whole, how old it is, and which files are gone."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.fleet_standing import fleet_facts, fleet_words
from fairlead.doors.cli.output import Session
from fairlead.fleet.bundles.standing import State

_FIX = "fairlead fleet check"


def look_at_fleet(session: Session) -> Iterator[Finding]:
    """Quiet on a machine that belongs to none."""
    facts = fleet_facts(session)
    if facts is None:
        return
    if "trouble" in facts:
        yield bad("fleet", str(facts["trouble"]), fix=str(facts["fix"] or "fairlead fleet enrol"))
        return
    words = [line.removeprefix("fleet: ") for line in fleet_words(facts)]
    troubles, lost = facts["troubles"], str(facts["lost"])
    for trouble in troubles if isinstance(troubles, list) else ():
        yield bad("fleet", str(trouble), fix=_FIX)
    if facts["damaged"]:
        yield bad("fleet", words[1], fix=_FIX)
    if lost:
        yield note("fleet", lost, fix="fairlead fleet status")
    if facts["state"] in (State.STALE, State.EXPIRED, State.NONE):
        yield note("fleet", words[0], why="what was taken up stays in force", fix=_FIX)
    elif not troubles and not facts["damaged"]:
        yield Finding("fleet", words[0])
