"""The layer between the system's policy and the user's: what this machine has taken up from its fleet.

Who takes it up has checked it; here it is one more folder, and a link that says which. Nothing of it needs
cryptography, a broker or a connection.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING, EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import HookType
from fairlead.model.value import Value
from fairlead.policy.entry import Entry
from fairlead.policy.places import Places, read_own
from fairlead.policy.problem import ERROR, WARNING, Problem
from fairlead.policy.reload import Watch

FLEET = "fleet"
CURRENT, BUNDLES, FRESHNESS_FILE = "current", "bundles", "freshness.json"
STALE_ID = "fleet/stale"
_LIMIT = 4096
_HEX = frozenset("0123456789abcdef")


class FleetLayer(Value):
    """`folder` is the policy root, empty for none; `asks` are guards because nobody said for too long that it
    is current."""

    folder: str = ""
    problems: tuple[Problem, ...] = ()
    asks: tuple[Entry, ...] = ()


def folder_in_force(fleet: str) -> str:
    """The bundle that is switched to; empty where none is, or where the link leads anywhere else."""
    try:
        named = os.readlink(f"{fleet}/{CURRENT}")
    except OSError:
        return ""
    above, _, name = named.partition("/")
    sha256, _, number = name.partition(".")
    well = above == BUNDLES and len(sha256) == 64 and _HEX.issuperset(sha256)
    if not well or not (number.isdecimal() or name == sha256):
        return ""
    folder = f"{fleet}/{named}"
    return folder if os.path.isdir(folder) else ""


def read_fleet(places: Places, watch: Watch) -> FleetLayer:
    """Marks what tells of a switch, and of a machine that joins: two names where there is no fleet."""
    watch.add(places.system_enrolment)
    fleet = places.fleet
    link = f"{fleet}/{CURRENT}"
    watch.add(link)
    if not os.path.lexists(link):
        return FleetLayer()
    folder = folder_in_force(fleet)
    if not folder:
        hint = "`fairlead fleet check` takes it up again"
        return FleetLayer(problems=(Problem(link, 0, 0, "it leads to no bundle", hint, ERROR),))
    watch.add(f"{fleet}/{FRESHNESS_FILE}")
    told = _freshness(f"{fleet}/{FRESHNESS_FILE}")
    if told is None:
        return FleetLayer(folder)
    now = max(time.time(), told.at)
    watch.end_at(min((each for each in (told.until, told.expires, told.asks) if each > now), default=0))
    asks = tuple(_asking(told, folder)) if 0 < told.asks <= now else ()
    return FleetLayer(folder, tuple(told.problems(link, now)), asks)


class _Freshness(Value):
    """What was last known of the bundle's age, in epoch seconds. `at` is the earliest that it can be now."""

    group: str
    version: int
    at: float
    until: float
    expires: float
    asks: float

    def problems(self, link: str, now: float) -> Iterator[Problem]:
        who = f"the policy of the fleet (group {self.group}, version {self.version})"
        hint = "it stays in force; does this machine reach its fleet?"
        if now >= self.expires:
            yield Problem(link, 0, 0, f"{who} expired on {_day(self.expires)}", hint, WARNING)
        elif now >= self.until:
            yield Problem(link, 0, 0, f"{who} is stale since {_day(self.until)}", hint, WARNING)


def _freshness(path: str) -> _Freshness | None:
    content = read_own(path, _LIMIT)
    if content is None:
        return None
    import json  # only where there is a fleet

    try:
        told = json.loads(content)
        numbers = (float(told[name]) for name in ("at", "until", "expires", "asks"))
        return _Freshness(str(told["group"]), int(told["version"]), *numbers)
    except (ValueError, KeyError, TypeError):
        return None


def _day(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def _asking(told: _Freshness, folder: str) -> Iterator[Entry]:
    message = (
        f"nobody said since {_day(told.until)} that the policy of the fleet (group {told.group}, version "
        f"{told.version}) is the current one, so a person decides. Let this machine reach its fleet"
    )
    failure = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, message, {"file": folder})
    common = Entry(
        STALE_ID,
        HookType.SAFETY,
        EventName.OTHER,
        FLEET,
        file=folder,
        on_error=Decision.ASK,
        locked=True,
        broken=failure,
    )
    return (common.replace(event=event) for event in sorted(GATING))
