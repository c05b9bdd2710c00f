"""What this machine has taken up from its fleet, for `status` and its neighbours. Nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.cli.output import Session
from fairlead.errors import PolicyError
from fairlead.fleet.bundles.standing import State
from fairlead.fleet.bundles.store import store_of
from fairlead.fleet.enrolment import is_enrolled, read_enrolment
from fairlead.fleet.moments import write_moment


def fleet_facts(session: Session) -> Mapping[str, object] | None:
    """None where this machine belongs to no fleet, and nothing was taken up."""
    store = store_of(session.places)
    bundle = store.in_force()
    if bundle is None and not is_enrolled(session.places):
        return None
    try:
        enrolment = read_enrolment(session.places)
    except PolicyError as error:
        return {"state": "broken", "trouble": error.message, "fix": error.hint}
    group = enrolment.group if enrolment else bundle.manifest.group if bundle else ""
    standing = store.standing(group)
    contact = store.seen().contact
    damage, anchor = store.damage(), enrolment.roles if enrolment else None
    troubles = list(store.troubles(anchor))
    if enrolment is None:
        troubles.append(f"{session.places.user_enrolment} is missing: nobody takes up what is published")
    return {
        "machine": enrolment.machine if enrolment else None,
        "group": group,
        "version": bundle.manifest.version if bundle else None,
        "sha256": bundle.sha256 if bundle else None,
        "state": "damaged" if damage else str(standing.state),
        "since": write_moment(standing.since) if standing.since else None,
        "expires": write_moment(bundle.manifest.expires) if bundle else None,
        "contact": write_moment(contact) if contact else None,
        "damaged": list(damage),
        "troubles": troubles,
        "lost": store.lost(),
    }


def fleet_words(facts: Mapping[str, object] | None) -> list[str]:
    """One line, and a second for what is wrong."""
    if facts is None:
        return []
    if "trouble" in facts:
        return [f"fleet: {facts['trouble']}; {facts['fix']}"]
    state, since = facts["state"], facts["since"]
    if state == State.NONE and not facts["troubles"]:
        return [f"fleet: group {facts['group']}, nothing was taken up yet"]
    has = f"version {facts['version']}, {state}" if facts["version"] else "nothing is in force"
    line = f"fleet: group {facts['group']}, {has}"
    line += f" since {since}" if since and state != State.CURRENT else ""
    contact = facts["contact"]
    words = [f"{line}, last contact {contact}" if contact else f"{line}, never in contact"]
    damaged = facts["damaged"]
    if isinstance(damaged, list) and damaged:
        words.append(f"fleet: {damaged[0]} is not what was signed: the bundle has to be taken up again")
    troubles, lost = facts["troubles"], facts["lost"]
    words += [f"fleet: {each}" for each in (troubles if isinstance(troubles, list) else ())]
    return [*words, f"fleet: {lost}"] if lost else words


def is_well(facts: Mapping[str, object] | None) -> bool:
    """Stale and expired are told, and no fault of this machine's guard: the policy is in force."""
    return facts is None or (facts["state"] not in ("broken", "damaged") and not facts.get("troubles"))
