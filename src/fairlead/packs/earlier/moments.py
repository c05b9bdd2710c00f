"""How an earlier call is named to people."""

from __future__ import annotations

import time

from fairlead.sessions.note import Note

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def when(note: Note) -> str:
    """`3 minutes ago (call 1a2b3c4d)`; the journal knows the call by that."""
    passed = max(0.0, time.time() - note.at)
    for seconds, unit in _UNITS:
        count = int(passed // seconds)
        if count:
            ago = f"{count} {unit}{'s' if count > 1 else ''} ago"
            break
    else:
        ago = "just before"
    return f"{ago} (call {note.call[:8]})" if note.call else ago
