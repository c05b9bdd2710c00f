"""The layer between the system's policy and the user's: what this machine has taken up from its fleet.

Who takes it up has checked it; here it is one more folder, and a link that says which. Nothing of it needs
cryptography, a broker or a connection.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping

from fairlead.model.decision import Decision
from fairlead.model.digest import sha256_hex
from fairlead.model.event_name import GATING, EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import HookType
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import ERROR, WARNING, Problem
from fairlead.policy.reload import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLEET = "fleet"
CURRENT, BUNDLES, FRESHNESS_FILE = "current", "bundles", "freshness.json"
MANIFEST_FILE = "manifest.json"
STALE_ID = "fleet/stale"
_LIMIT = 4096
_MOST_MANIFEST = 1024 * 1024
_AGAIN = "`fairlead fleet check` takes it up again"
_MENDS = "the agent of the fleet writes it again: `fairlead fleet status` says whether it runs"
_FAR = 1e12
"""Later than any moment that has a name, in epoch seconds."""
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
    link, told_in = f"{fleet}/{CURRENT}", f"{fleet}/{FRESHNESS_FILE}"
    watch.add(link)
    if not os.path.lexists(link):
        return FleetLayer(problems=tuple(_lacking(places, link)))
    folder = folder_in_force(fleet)
    if not folder:
        return FleetLayer(problems=(Problem(link, 0, 0, "it leads to no bundle", _AGAIN, ERROR),))
    watch.add(told_in)
    told = _freshness(told_in).get(_named(folder))
    if told is None:
        return _of_unknown_age(folder, told_in)
    now = max(time.time(), told.at)
    watch.end_at(min((each for each in (told.until, told.expires, told.asks) if each > now), default=0))
    asks = tuple(_asking(told.words(), folder)) if 0 < told.asks <= now else ()
    return FleetLayer(folder, tuple(told.problems(link, now)), asks)


def _lacking(places: Places, link: str) -> Iterator[Problem]:
    """Nothing is in force on a machine of a fleet: not yet, or because somebody took it away."""
    if not any(map(os.path.lexists, (places.system_enrolment, places.user_enrolment))):
        return
    if was_in_force(places.fleet):
        yield Problem(link, 0, 0, "the policy of the fleet was in force here, and is gone", _AGAIN, ERROR)
    else:
        message = "this machine belongs to a fleet, and has taken up no policy of it yet"
        yield Problem(link, 0, 0, message, _AGAIN, WARNING)


def _of_unknown_age(folder: str, told_in: str) -> FleetLayer:
    """The bundle stays in force. Whoever removes the word about its age gains nothing: where the bundle says
    that an old one asks, or nobody can tell whether it does, it asks."""
    lost = "is missing" if not os.path.lexists(told_in) else "does not say"
    message = f"nobody can tell how old the policy of the fleet is: {FRESHNESS_FILE} {lost}"
    asks = tuple(_asking(f"{message}, so a person decides", folder)) if _may_ask(folder) else ()
    return FleetLayer(folder, (Problem(told_in, 0, 0, message, _MENDS, WARNING),), asks)


def _may_ask(folder: str) -> bool:
    """By the manifest, if it is the one that the folder is named after."""
    content = read_own(f"{folder}/{MANIFEST_FILE}", _MOST_MANIFEST)
    if content is None or sha256_hex(content) != _named(folder):
        return True
    import json  # only where there is a fleet

    try:
        return bool(json.loads(content).get("stale"))
    except (ValueError, AttributeError, RecursionError):
        return True


def _named(folder: str) -> str:
    return os.path.basename(folder).partition(".")[0]


class _Freshness(Value):
    """What was last known of the bundle's age, in epoch seconds. `at` is the earliest that it can be now."""

    group: str
    version: int
    at: float
    until: float
    expires: float
    asks: float

    def words(self) -> str:
        return (
            f"nobody said since {_day(self.until)} that the policy of the fleet (group {self.group}, version "
            f"{self.version}) is the current one, so a person decides. Let this machine reach its fleet"
        )

    def problems(self, link: str, now: float) -> Iterator[Problem]:
        who = f"the policy of the fleet (group {self.group}, version {self.version})"
        hint = "it stays in force; does this machine reach its fleet?"
        if now >= self.expires:
            yield Problem(link, 0, 0, f"{who} expired on {_day(self.expires)}", hint, WARNING)
        elif now >= self.until:
            yield Problem(link, 0, 0, f"{who} is stale since {_day(self.until)}", hint, WARNING)


def _freshness(path: str) -> Mapping[str, _Freshness]:
    """By the hash of a manifest; empty where the file cannot be read, or somebody else wrote it. While one
    bundle takes the place of another, it speaks of both."""
    content = read_own(path, _LIMIT)
    if content is None:
        return {}
    import json  # only where there is a fleet

    try:
        found = json.loads(content)
        return {str(sha256): _told(told) for sha256, told in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return {}


def was_in_force(fleet: str) -> bool:
    """Whether nothing is in force though something was, which nobody took leave of."""
    return not os.path.lexists(f"{fleet}/{CURRENT}") and bool(_freshness(f"{fleet}/{FRESHNESS_FILE}"))


def tells_age(fleet: str, folder: str) -> bool:
    """Whether hook calls are told how old the bundle in this folder is."""
    return _named(folder) in _freshness(f"{fleet}/{FRESHNESS_FILE}")


def _told(told: Mapping[str, Any]) -> _Freshness:
    numbers = [float(told[name]) for name in ("at", "until", "expires", "asks")]
    if not all(0 <= number < _FAR for number in numbers):
        raise ValueError("that is no time")
    return _Freshness(str(told["group"]), int(told["version"]), *numbers)


def _day(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def _asking(message: str, folder: str) -> Iterator[Entry]:
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
