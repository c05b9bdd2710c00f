"""This machine as one of a fleet: its enrolment, its store, and an agent for them."""

from __future__ import annotations

from fairlead.doors.fleet.agent import SPREAD, Agent, Told
from fairlead.doors.fleet.trial_home import policy_problems
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.store import store_of
from fairlead.fleet.enrolment import Enrolment, read_enrolment
from fairlead.policy.places import Places


def enrolment_here(places: Places) -> Enrolment:
    """Raises FairleadError where this machine belongs to no fleet."""
    enrolment = read_enrolment(places)
    if enrolment is None:
        raise FairleadError("this machine belongs to no fleet", hint="`fairlead fleet enrol` lets it join")
    return enrolment


def agent_here(places: Places, told: Told, *, spread: float = SPREAD) -> Agent:
    """Raises FairleadError."""
    enrolment = enrolment_here(places)
    return Agent(places, enrolment, store_of(places), loads=policy_problems, told=told, spread=spread)
