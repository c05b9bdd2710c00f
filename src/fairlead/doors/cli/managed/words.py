"""What those who manage the machine decided, in words."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.policy.answers.grants import Grants
from fairlead.policy.managed.rules import EVERYTHING, Managed
from fairlead.policy.places import Places


def managed_words(managed: Managed, places: Places) -> Iterator[str]:
    """A line for each decision; and for each exception of this user that has no effect for it."""
    if not managed:
        return
    files = ", ".join(managed.paths)
    if managed.forbid:
        yield f"managed: {files}: forbidden to everybody here: {', '.join(sorted(managed.forbid))}"
    if managed.lock:
        what = "everything" if EVERYTHING in managed.lock else ", ".join(managed.lock)
        yield f"managed: {files}: locked, to be tightened and never loosened: {what}"
    for glass in managed.break_glass:
        whom = f"for {', '.join(glass.people)}" if glass.people else "for every user"
        codes = f"{len(glass.codes)} codes to break glass {whom}, {glass.minutes} minutes each"
        yield f"managed: {files}: {codes}"
    for grant in Grants(places).all():
        if managed.forbids("allow") or managed.covers_exception(grant.rule):
            yield f"managed: the exception {grant.id} from {grant.rule} does not count"


def managed_json(managed: Managed) -> dict[str, object] | None:
    """None where nobody manages anything."""
    if not managed:
        return None
    glass = [
        {"codes": len(each.codes), "minutes": each.minutes, "people": list(each.people)}
        for each in managed.break_glass
    ]
    return {
        "files": list(managed.paths),
        "forbid": sorted(managed.forbid),
        "lock": list(managed.lock),
        "break_glass": glass,
    }
