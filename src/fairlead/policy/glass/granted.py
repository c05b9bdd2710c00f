"""The off-marker that only names what somebody elsewhere has granted: `granted ID`.

The grant was checked where it was taken, by whoever owns the fleet's folder: root, where root has enrolled
the machine. Where root manages it in any way, the file has to be root's. Elsewhere it is the user's, as the
bundle itself is.

    off 1
    id=5f0c...
    uid=1000            (or `*`)
    boot=0b7c...
    from=5231
    until=8831
    wall=1795123456
    by=ana
    record=01KA...
"""

from __future__ import annotations

import os
import re

from fairlead.model.value import Value
from fairlead.policy.glass.in_force import is_managed_by_root, is_roots
from fairlead.policy.glass.marker import MOST_SECONDS, Clock, read_clock
from fairlead.policy.places import Places, read_own

MARK = "granted "
HEAD = "off 1\n"
EVERYBODY = "*"
FIELDS = ("id", "uid", "boot", "from", "until", "wall", "by", "record")
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LIMIT = 2048


class Granted(Value):
    """`start` and `end` count from the start of the machine, `wall` from the epoch."""

    id: str
    uid: str
    boot: str
    start: int
    end: int
    wall: int
    by: str
    record: str

    def text(self) -> str:
        values = (self.id, self.uid, self.boot, self.start, self.end, self.wall, self.by, self.record)
        return HEAD + "".join(f"{name}={value}\n" for name, value in zip(FIELDS, values, strict=True))

    def why_not(self, now: Clock, uid: int) -> str:
        """Why it switches nothing off; empty where it does."""
        if self.uid not in (EVERYBODY, str(uid)):
            return "was granted to another user"
        running = self.start <= now.running < self.end <= self.start + MOST_SECONDS
        if self.boot != now.boot or not running or now.wall >= self.wall:
            return "is over: it held for one start of the machine, and until its time"
        return ""


def is_for(granted: Granted) -> bool:
    """Whether it is for whoever runs this."""
    return granted.uid in (EVERYBODY, str(os.getuid()))


def granted_folder(places: Places) -> str:
    return os.path.join(places.fleet, "off")


def granted_path(places: Places, id_: str) -> str:
    return os.path.join(granted_folder(places), id_)


def marker_for(granted: Granted) -> str:
    return f"{MARK}{granted.id}\n"


def read_granted(places: Places, id_: str) -> Granted | None:
    """None for what nobody has granted, whatever a file says that the wrong one could have written."""
    path = granted_path(places, id_)
    content = read_own(path, _LIMIT) if _ID.fullmatch(id_) else None
    if content is None or (is_managed_by_root(places) and not is_roots(path)):
        return None
    granted = _parsed(content.decode("utf-8", "surrogateescape"))
    return granted if granted is not None and granted.id == id_ else None


def _parsed(text: str) -> Granted | None:
    if not text.startswith(HEAD):
        return None
    pairs = [line.partition("=")[::2] for line in text[len(HEAD) :].split("\n")]
    if tuple(name for name, _ in pairs) != (*FIELDS, ""):
        return None
    said = dict(pairs)
    numbers = [said[name] for name in ("from", "until", "wall")]
    if not all(each.isascii() and each.isdigit() and len(each) < 16 for each in numbers):
        return None
    start, end, wall = map(int, numbers)
    return Granted(said["id"], said["uid"], said["boot"], start, end, wall, said["by"], said["record"])


def why_not_granted(places: Places, marker: str) -> tuple[Granted | None, str]:
    """What a marker names, and why that switches nothing off; empty where it does."""
    granted = read_granted(places, marker[len(MARK) : -1])
    if granted is None or marker != marker_for(granted):
        return None, "names nothing that was granted here"
    return granted, granted.why_not(read_clock(), os.getuid())
