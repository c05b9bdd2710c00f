"""`fairlead uninstall --system`: every byte, mode and owner of the machine's files as they were."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fairlead.dialects.agent_registry import canonical_agent
from fairlead.dialects.managed.changes import possible_locks
from fairlead.doors.cli.managed.program import machine_places, remove_program
from fairlead.doors.cli.managed.users import require_administrator, require_root
from fairlead.doors.cli.output import Session, count, note, say
from fairlead.errors import SettingsError
from fairlead.settings.system_ledger import SystemLedger


def uninstall_for_all(session: Session, names: Sequence[str], *, yes: bool) -> int:
    require_root("take Fairlead out for every user")
    places = machine_places(session)
    chosen = {canonical_agent(name) for name in names}
    entries = reversed(list(SystemLedger().entries.values()))  # what was put there last withholds most
    found = [each for each in entries if not chosen or each.agent in chosen]
    if not found and not (os.path.isdir(places.share) and not chosen):
        note("nothing is installed there")
        return 0
    action = f"take Fairlead out of {count(len(found), 'file')} of this machine"
    require_administrator(session.places, action, yes=yes)
    broken = 0
    for entry in found:
        try:
            SystemLedger().uninstall(entry.path, forced=possible_locks(entry.agent))
            say(f"{entry.agent:<12} removed  {entry.path}")
        except SettingsError as error:
            broken += 1
            note(f"{entry.agent}: {error.message}; {error.hint}")
    if not SystemLedger().entries and remove_program(places):
        say(f"{'':<12} removed  {places.share}")
        note("agents that are running find nothing to ask any more, and refuse: start them anew")
    return 1 if broken else 0
