"""What `fairlead fleet watch` must not forget when it ends: how machines fare, and what it has signed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from fairlead.fleet.telling.heartbeat import COUNTED, Counts
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own, write_private

_FORMAT = 1
_MOST_BYTES = 64 * 1024 * 1024
_FOLDER = "fleet-watch"


class Watched(Value):
    """A machine since it has this version: the calls before that are not counted to it, but kept in `before`
    to compare with."""

    version: int
    heard: float
    counts: Counts = Counts()
    before: Counts = Counts()


class Memory(Value):
    """`version` and `at` are of the latest statement that was seen or signed, `complete` is since when that
    version goes to everybody, 0 while it does not, and `halted` whether it was stopped."""

    version: int = 0
    at: int = 0
    complete: float = 0.0
    halted: bool = False
    machines: Mapping[str, Watched] = NOTHING  # type: ignore[assignment]

    def written(self) -> bytes:
        machines = {name: _packed(each) for name, each in self.machines.items()}
        own = {"version": self.version, "at": self.at, "complete": self.complete, "halted": self.halted}
        return json.dumps({"format": _FORMAT, **own, "machines": machines}).encode()


def memory_path(places: Places, group: str) -> str:
    return os.path.join(places.state, _FOLDER, f"{group}.json")


def read_memory(path: str) -> tuple[Memory, str]:
    """With why there is none, where there should be one: then the watch begins anew."""
    if not os.path.lexists(path):
        return Memory(), ""
    content = read_own(path, _MOST_BYTES)
    try:
        data = json.loads(content or b"")
        if data["format"] != _FORMAT:
            raise ValueError("format")
        machines = {str(name): _unpacked(each) for name, each in data["machines"].items()}
        complete, halted = float(data["complete"]), bool(data["halted"])
        return Memory(int(data["version"]), int(data["at"]), complete, halted, machines), ""
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return Memory(), f"{path} cannot be read: what was counted before is lost, and counting begins anew"


def write_memory(path: str, memory: Memory) -> None:
    """Raises OSError."""
    write_private(path, memory.written())


def _packed(watched: Watched) -> list[object]:
    both = (watched.counts, watched.before)
    return [watched.version, watched.heard, *([getattr(each, name) for name in COUNTED] for each in both)]


def _unpacked(packed: list[object]) -> Watched:
    version, heard, counts, before = packed
    return Watched(int(str(version)), float(str(heard)), _counts(counts), _counts(before))


def _counts(numbers: object) -> Counts:
    if not isinstance(numbers, list) or not all(isinstance(each, int) for each in numbers):
        raise ValueError("counts")
    return Counts(**dict(zip(COUNTED, numbers, strict=True)))
