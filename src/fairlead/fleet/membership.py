"""Which machine this is, of which group, and which bundle it has: as it is read out on a telephone."""

from __future__ import annotations

import os

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.manifest import MAX_MANIFEST, read_manifest
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass.challenge import Membership
from fairlead.policy.layering.fleet_layer import folder_in_force
from fairlead.policy.places import Places, read_own


def membership_here(places: Places) -> Membership:
    """Raises FairleadError for an enrolment that cannot be read; a bundle that cannot be has no version."""
    enrolment = read_enrolment(places)
    if enrolment is None:
        return Membership()
    return Membership(enrolment.machine, enrolment.group, _bundle(places))


def _bundle(places: Places) -> int:
    folder = folder_in_force(places.fleet)
    content = read_own(os.path.join(folder, "manifest.json"), MAX_MANIFEST + 1) if folder else None
    try:
        return read_manifest(content or b"").version
    except FairleadError:
        return 0
