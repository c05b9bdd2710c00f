"""For how long a glass can be broken here, and by whom, as `managed.yaml` says.

A file that cannot be read limits nobody: that is when the glass has to break. Its codes count all the same.
"""

from __future__ import annotations

import os

from fairlead.fleet.glass.break_glass import MINUTES, Limits
from fairlead.policy.glass.in_force import trusted_files
from fairlead.policy.managed.rules import BreakGlass, read_managed
from fairlead.policy.places import Places


def read_limits(places: Places) -> Limits:
    """The narrowest of all files."""
    said: list[BreakGlass] = []
    for path in trusted_files(places):
        if os.path.lexists(path):
            said += read_managed(path)[0].break_glass
    people = [each.people for each in said if each.people]
    allowed = [name for name in people[0] if all(name in others for others in people)] if people else []
    return Limits(min((each.minutes for each in said), default=MINUTES), tuple(allowed))
