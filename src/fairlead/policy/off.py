"""The way out: a marker that switches Fairlead off, which the client reads even when nothing else works.

First line: when it ends, in seconds since the epoch (0: never). Then the agents that it is for, one to a line
(none: all). Once there is a passphrase, a marker that appears, comes back or is edited proves nothing: it
counts only while the client's record says the same, and that is written after the passphrase was given.

A one-time code, an answer or a grant from elsewhere writes another marker (`policy/glass`), which counts also
where `off` does not.
"""

from __future__ import annotations

import contextlib
import os
import time

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own, write_private
from fairlead.policy.record import change_record, read_record

_LIMIT = 4095
_DIGITS = 15
"""The clients take no longer number."""
_GLASS = "glass "
"""How the other kind of marker begins."""
_GRANTED = "granted "
"""And the third kind."""
_FAR = 250_000_000_000
"""No calendar has a name for later than that."""


class Off(Value):
    until: int = 0
    agents: tuple[str, ...] = ()
    glass: str = ""
    """The name of the one-time code that broke the glass; empty for a plain `off`."""
    granted: str = ""
    """Who has granted it from elsewhere."""

    def covers(self, agent: str) -> bool:
        return not self.agents or agent in self.agents

    def words(self) -> str:
        who = f"for {', '.join(self.agents)}" if self.agents else "for every agent"
        near = 0 < self.until < _FAR
        end = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.until)) if near else "it is switched on"
        how = f": the glass was broken with the code {self.glass}" if self.glass else ""
        how = f": {self.granted} granted that from elsewhere" if self.granted else how
        return f"{who} until {end}{how}"

    def as_json(self) -> dict[str, object]:
        return {
            "until": self.until,
            "agents": list(self.agents),
            "glass": self.glass,
            "granted": self.granted,
        }


def read_off(places: Places, *, now: float | None = None) -> Off | None:
    """None when it is on: also when the marker has run out, cannot be read, is not ours, or is forged, and
    where nobody may switch it off."""
    if not os.access(places.off_marker, os.F_OK):
        return None  # nearly always, and cheaper than an exception
    marker = _marker(places)
    if marker is not None and marker.startswith(_GLASS):
        return _broken_glass(places, marker)
    if marker is not None and marker.startswith(_GRANTED):
        return _granted(places, marker)
    off = None if marker is None else _meaning(marker)
    if marker is None or off is None or _is_over(off, now) or not _is_attested(places, marker):
        return None
    return None if _who_forbids(places) else off


def ignored_marker(places: Places) -> str:
    """Why a marker that lies there does not count; empty without one, and when it has run out."""
    if not os.path.lexists(places.off_marker):
        return ""
    marker = _marker(places)
    if marker is not None and marker.startswith(_GLASS):
        from fairlead.policy.glass.marker import why_whole

        why = why_whole(places, marker)
        return f"{places.off_marker} {why}, so it switches nothing off" if why else ""
    if marker is not None and marker.startswith(_GRANTED):
        from fairlead.policy.glass.granted import why_not_granted

        why = why_not_granted(places, marker)[1]
        return f"{places.off_marker} {why}, so it switches nothing off" if why else ""
    off = None if marker is None else _meaning(marker)
    if marker is None:
        return f"{places.off_marker} is not a file that nobody else can write, so it switches nothing off"
    if off is None:
        return f"{places.off_marker} does not say when it ends, so it switches nothing off"
    if _is_over(off, None):
        return ""
    forbidding = _who_forbids(places)
    if forbidding:
        return f"{forbidding} forbids `off`, so {places.off_marker} switches nothing off"
    if _is_attested(places, marker):
        return ""
    forged = "was not written by `fairlead off` with the passphrase, so it switches nothing off"
    return f"{places.off_marker} {forged}"


def _broken_glass(places: Places, marker: str) -> Off | None:
    from fairlead.policy.glass.marker import read_glass  # as good as never

    glass = read_glass(places, marker)
    return None if glass is None else Off(glass.wall, glass=glass.entry.name)


def _granted(places: Places, marker: str) -> Off | None:
    from fairlead.policy.glass.granted import why_not_granted  # as good as never

    granted, why = why_not_granted(places, marker)
    return None if granted is None or why else Off(granted.wall, granted=granted.by)


def switch_off(places: Places, *, seconds: float | None, agents: tuple[str, ...]) -> Off:
    """Callers ask `require_human` first."""
    from fairlead.policy.managed.forbidden import require_permitted

    require_permitted(places, "off", "switch Fairlead off")
    off = Off(int(time.time() + seconds) if seconds else 0, agents)
    marker = "\n".join([str(off.until), *off.agents])
    if _is_sealed(places):
        change_record(places, {"off": _in_one_line(marker)})
    try:
        write_private(places.off_marker, f"{marker}\n".encode())
    except IsADirectoryError:
        raise _not_a_file(places) from None
    return off


def switch_on(places: Places) -> bool:
    was_off = read_off(places) is not None
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(places.off_marker)
    except OSError as error:
        if os.path.isdir(places.off_marker):
            raise _not_a_file(places) from None
        raise FairleadError(f"{places.off_marker} cannot be removed: {error.strerror}") from None
    finally:
        change_record(places, {"off": None})
    return was_off


def _who_forbids(places: Places) -> str:
    from fairlead.policy.managed.forbidden import who_forbids  # only where a marker lies there

    return who_forbids(places, "off")


def _not_a_file(places: Places) -> FairleadError:
    return FairleadError(
        f"{places.off_marker} is a folder, which switches nothing off", hint="remove it, and try again"
    )


def _marker(places: Places) -> str | None:
    content = read_own(places.off_marker, _LIMIT)
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _meaning(marker: str) -> Off | None:
    first, *agents = marker.split("\n")
    if not (first.isascii() and first.isdigit()) or len(first) > _DIGITS:
        return None
    return Off(int(first), tuple(agent for agent in agents if agent))


def _is_over(off: Off, now: float | None) -> bool:
    return bool(off.until) and off.until <= (time.time() if now is None else now)


def _is_attested(places: Places, marker: str) -> bool:
    return not _is_sealed(places) or read_record(places).get("off") == _in_one_line(marker)


def _is_sealed(places: Places) -> bool:
    """A record from before there were seals may lack one."""
    return os.path.lexists(places.passphrase) or "sealed" in read_record(places)


def _in_one_line(marker: str) -> str:
    return marker.replace("\n", " ").rstrip(" ")
