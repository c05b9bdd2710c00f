"""What was saved before it was lost: how much, since when, and what of it is broken."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.output import Session, count
from fairlead.doors.cli.undoing import size_of, store_of
from fairlead.undo.selection import broken_saves
from fairlead.undo.store import made_at


def look_at_saves(session: Session) -> Iterator[Finding]:
    """Quiet where nothing was ever saved."""
    store = store_of(session)
    if not os.path.lexists(store.folder):
        return
    if not os.path.isdir(store.folder):
        why = "nothing can be saved, so what would be lost is refused as without it"
        yield bad(
            "undo", f"{store.folder} is not a folder", why=why, fix=f"mv {store.folder} {store.folder}.aside"
        )
        return
    saves = store.saves()
    broken = broken_saves(store)
    if broken:
        saved, why = broken[0]
        more = f", and {len(broken) - 1} more" if broken[1:] else ""
        text = f"the save {saved.id} is broken: {why}{more}"
        yield note("undo", text, why="it cannot be brought back as it was", fix=f"rm -r {saved.path}")
    if saves:
        days = max(0.0, time.time() - made_at(saves[0]) / 1e9) / 86400
        total = size_of(sum(each.size for each in saves))
        limit = size_of(store.limits.machine_bytes)
        yield Finding(
            "undo", f"{count(len(saves), 'save')}, {total} of {limit}, the oldest {days:.1f} days old"
        )
