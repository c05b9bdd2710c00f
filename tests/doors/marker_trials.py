"""A marker of broken glass, tried on a client and on Python, and clocks of another moment."""

from __future__ import annotations

from client_workshop import Workshop

from fairlead.model.verdict import Reply
from fairlead.policy.glass.marker import Clock, read_clock
from fairlead.policy.off import read_off
from fairlead.policy.places import find_places
from glass_kit import put_marker


def lets_through(workshop: Workshop, marker: str) -> bool:
    """As the client and as Python say, who have to agree."""
    places = find_places(str(workshop.home))
    put_marker(places, marker)
    passed = workshop.call("claude", "PreToolUse") == Reply()
    assert passed is (read_off(places) is not None), marker
    return passed


def late(seconds: int) -> Clock:
    now = read_clock()
    return now.replace(running=now.running - seconds, wall=now.wall - seconds)
