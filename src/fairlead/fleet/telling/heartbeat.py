"""What a machine tells of itself every few minutes, and how the centre reads it: every word is untrusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from fairlead.fleet.documents import NAME
from fairlead.fleet.moments import read_moment, write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.value import Value

MAX_HEARTBEAT = 64 * 1024
_MOST_ROWS = 200
_LONGEST = 300
_LARGEST = 2**53
COUNTED = ("calls", "blocks", "asks", "failures", "would")


class Counts(Value):
    """Of calls since the last heartbeat."""

    calls: int = 0
    blocks: int = 0
    asks: int = 0
    failures: int = 0
    would: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in COUNTED})

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in COUNTED}


class BundleState(Value):
    """`state` is current, stale, expired, none or refused; `since` is in epoch seconds, 0 for unknown."""

    version: int = 0
    sha256: str = ""
    state: str = "none"
    reason: str = ""
    since: int = 0

    def as_json(self) -> dict[str, object]:
        return {
            "version": self.version,
            "sha256": self.sha256,
            "state": self.state,
            "reason": self.reason,
            "since": write_moment(self.since) if self.since else None,
        }


class Heartbeat(Value):
    """`rows` are those of doctor, `agents` what is known of each; both as the JSON of them."""

    machine: str
    group: str
    at: int
    host: str = ""
    version: str = ""
    build: str = ""
    bundle: BundleState = BundleState()
    rows: tuple[Mapping[str, object], ...] = ()
    agents: tuple[Mapping[str, object], ...] = ()
    behind: int = 0
    off: bool = False
    mode: str = "enforce"
    counts: Counts = Counts()

    def as_json(self) -> dict[str, object]:
        return {
            "v": 1,
            "machine": self.machine,
            "group": self.group,
            "at": write_moment(self.at),
            "host": self.host,
            "fairlead": {"version": self.version, "build": self.build},
            "bundle": self.bundle.as_json(),
            "rows": [dict(row) for row in self.rows],
            "agents": [dict(agent) for agent in self.agents],
            "journal": {"behind": self.behind},
            "off": self.off,
            "mode": self.mode,
            "counts": self.counts.as_json(),
        }

    def written(self) -> bytes:
        """Rows are left out where there are too many for one message."""
        text = json.dumps(self.as_json(), ensure_ascii=True).encode()
        return text if len(text) <= MAX_HEARTBEAT else self.replace(rows=(), agents=()).written()


def read_heartbeat(content: bytes, sender: str) -> Heartbeat:
    """`sender` is the machine that the subject names, which the broker has checked. Raises RefusedError: with
    the code `forged` where the body names another machine. What is not known here is left out."""
    if len(content) > MAX_HEARTBEAT:
        raise RefusedError(RefusalCode.TOO_LARGE, f"a heartbeat of {sender} has {len(content)} bytes")
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unreadable(sender, "it is no JSON") from error
    if not isinstance(data, dict) or data.get("v") != 1:
        raise _unreadable(sender, "it is none of a version that is known here")
    if data.get("machine") != sender:
        message = f"a heartbeat of {sender} says that it is from {_text(data, 'machine') or 'nobody'}"
        raise RefusedError(RefusalCode.FORGED, message, hint="look at that machine: it may be taken over")
    group = _text(data, "group")
    if not NAME.fullmatch(group):
        raise _unreadable(sender, "it names no group")
    return _read(data, sender, group)


def _read(data: Mapping[str, object], sender: str, group: str) -> Heartbeat:
    fairlead, journal = _mapping(data, "fairlead"), _mapping(data, "journal")
    counts = _mapping(data, "counts")
    return Heartbeat(
        machine=sender,
        group=group,
        at=_moment(data, "at"),
        host=_text(data, "host"),
        version=_text(fairlead, "version"),
        build=_text(fairlead, "build"),
        bundle=_bundle(_mapping(data, "bundle")),
        rows=tuple(_flat(data.get("rows"))),
        agents=tuple(_flat(data.get("agents"))),
        behind=_number(journal, "behind"),
        off=data.get("off") is True,
        mode="audit" if data.get("mode") == "audit" else "enforce",
        counts=Counts(**{name: _number(counts, name) for name in COUNTED}),
    )


def _bundle(data: Mapping[str, object]) -> BundleState:
    return BundleState(
        version=_number(data, "version"),
        sha256=_text(data, "sha256")[:64],
        state=_text(data, "state") or "none",
        reason=_text(data, "reason"),
        since=_moment(data, "since"),
    )


def _unreadable(sender: str, why: str) -> RefusedError:
    return RefusedError(RefusalCode.UNREADABLE, f"a heartbeat of {sender} cannot be read: {why}")


def _text(data: Mapping[str, object], name: str) -> str:
    """Short, and nothing that moves a cursor."""
    return _printable(data.get(name))


def _printable(value: object) -> str:
    text = value[:_LONGEST] if isinstance(value, str) else ""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _number(data: Mapping[str, object], name: str) -> int:
    value = data.get(name)
    return min(max(int(value), 0), _LARGEST) if isinstance(value, int) else 0


def _moment(data: Mapping[str, object], name: str) -> int:
    try:
        return read_moment(_text(data, name))
    except ValueError:
        return 0


def _mapping(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _flat(value: object) -> Iterable[Mapping[str, object]]:
    """Objects of plain values."""
    for each in value[:_MOST_ROWS] if isinstance(value, list) else ():
        if isinstance(each, dict):
            yield {_printable(key): _plain(item) for key, item in list(each.items())[:20]}


def _plain(value: object) -> object:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return min(max(value, -_LARGEST), _LARGEST)
    return _printable(value)
