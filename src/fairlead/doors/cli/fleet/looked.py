"""What came of a look at what is published, in words."""

from __future__ import annotations

from fairlead.doors.cli.output import note, say
from fairlead.doors.fleet.running.taking_up import Look


def tell_look(look: Look) -> int:
    """The exit code: 1 where something was refused."""
    if look.refusal is not None:
        say(f"refused: {look.refusal.message} ({look.refusal.code})")
        note(look.refusal.hint or "what was in force still is")
        return 1
    if not look.published:
        say("nothing is published for this group")
    elif look.took is not None:
        say(f"took up version {look.took.version}")
    else:
        say("nothing to take up")
    return 0
