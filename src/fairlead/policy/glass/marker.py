"""The off-marker that a one-time code has signed; `answered` is the other kind.

Whoever can write the user's files can put one back, and can make none: it holds for one user and one start of
the machine, and ends by the clock that nobody sets as well as by the one on the wall.

    glass 1
    code=1-SALT-PUBLIC
    uid=1000
    boot=0b7c...
    from=5231
    until=8831
    wall=1795123456
    record=01KA...
    signature=...
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.glass.answered import HEAD as ANSWERED
from fairlead.policy.glass.answered import AnsweredGlass, answered_in
from fairlead.policy.glass.codes import CODE, Entry, entry_in
from fairlead.policy.glass.in_force import is_in_force
from fairlead.policy.glass.one_time import sign, signer_of
from fairlead.policy.places import Places

HEAD = "glass 1\n"
MOST_SECONDS = 86400
_SIGNATURE = "signature="
_FIELDS = ("code", "uid", "boot", "from", "until", "wall", "record")


class Clock(Value):
    """Two clocks: seconds since this start of the machine, and since the epoch."""

    boot: str
    running: int
    wall: int


def read_clock() -> Clock:
    return Clock(here.boot_id(), int(here.boot_seconds()), int(time.time()))


class Glass(Value):
    """A broken glass: `start` and `end` count from the start of the machine, `wall` from the epoch."""

    entry: Entry
    uid: int
    boot: str
    start: int
    end: int
    wall: int
    record: str
    """The id of the journal line that says so."""

    @property
    def longest(self) -> int:
        return MOST_SECONDS

    def signed_text(self) -> str:
        values = (self.entry.text, self.uid, self.boot, self.start, self.end, self.wall, self.record)
        return HEAD + "".join(f"{name}={value}\n" for name, value in zip(_FIELDS, values, strict=True))

    def is_signed_in(self, marker: str) -> bool:
        text, _, rest = marker.partition(_SIGNATURE)
        signature, end, more = rest.partition("\n")
        if (text, end, more) != (self.signed_text(), "\n", "") or self.entry.kind != CODE:
            return False
        return signer_of(text.encode(), signature, self.entry.salt) == self.entry.public


AnyGlass = Glass | AnsweredGlass


def broken_glass(entry: Entry, *, seconds: int, record: str, clock: Clock) -> Glass:
    if not clock.boot:
        raise FairleadError("the system does not say when it was started, so no glass can be broken here")
    seconds = min(seconds, MOST_SECONDS)
    end, wall = clock.running + seconds, clock.wall + seconds
    return Glass(entry, os.getuid(), clock.boot, clock.running, end, wall, record)


def signed_marker(glass: Glass, secret: bytes) -> str:
    text = glass.signed_text()
    return f"{text}{_SIGNATURE}{sign(text.encode(), secret, glass.entry.salt)}\n"


def glass_in(marker: str) -> AnyGlass | None:
    """What a marker says, whether it is true or not; None for what no marker of ours says."""
    if marker.startswith(ANSWERED):
        return answered_in(marker)
    return _signed_in(marker) if marker.startswith(HEAD) else None


def _signed_in(marker: str) -> Glass | None:
    lines = marker[len(HEAD) :].split("\n")
    pairs = [line.partition("=")[::2] for line in lines[: len(_FIELDS)]]
    if tuple(name for name, _ in pairs) != _FIELDS:
        return None
    code, uid, boot, start, end, wall, record = (value for _, value in pairs)
    entry = entry_in(code)
    numbers = [uid, start, end, wall]
    if entry is None or not all(each.isascii() and each.isdigit() and len(each) < 16 for each in numbers):
        return None
    return Glass(entry, int(uid), boot, int(start), int(end), int(wall), record)


def read_glass(places: Places, marker: str, *, clock: Callable[[], Clock] = read_clock) -> AnyGlass | None:
    """None where the glass is whole."""
    glass = glass_in(marker)
    return glass if glass is not None and not _why_whole(places, glass, marker, clock) else None


def why_whole(places: Places, marker: str, *, clock: Callable[[], Clock] = read_clock) -> str:
    """Why a marker does not count; empty where it does."""
    glass = glass_in(marker)
    return "is no marker of a broken glass" if glass is None else _why_whole(places, glass, marker, clock)


def _why_whole(places: Places, glass: AnyGlass, marker: str, clock: Callable[[], Clock]) -> str:
    now = clock()
    if is_over(glass, now):
        return "is over: it held for one start of the machine, and until its time"
    if glass.uid != os.getuid():
        return "is another user's"
    if not glass.is_signed_in(marker):
        return "is not signed by a one-time code"
    if not is_in_force(places, glass.entry):
        return "is signed by a code that no policy names"
    return ""


def signer_in(marker: str) -> str:
    """The public half of the code that has signed a marker, over or not; empty for what none has signed."""
    glass = glass_in(marker)
    return glass.entry.public if glass is not None and glass.is_signed_in(marker) else ""


def is_over(glass: AnyGlass, now: Clock) -> bool:
    running = glass.start <= now.running < glass.end <= glass.start + glass.longest
    return glass.boot != now.boot or not running or now.wall >= glass.wall
