"""What nobody can see in the call itself: it runs what came from elsewhere, it sends after a secret was read."""

from __future__ import annotations

from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory


def since_before(call: Call, memory: Memory) -> Call:
    """With these effects; for a session that left something to ask about, and most leave nothing."""
    from fairlead.packs.earlier.run_before import runs_fetched  # only where something is remembered
    from fairlead.packs.earlier.sent_after import sends_after_secret
    from fairlead.packs.earlier.shown_copies import shows_copies

    found = (*runs_fetched(call, memory), *sends_after_secret(call, memory), *shows_copies(call, memory))
    return call.replace(effects=(*call.effects, *found), kept=None) if found else call
