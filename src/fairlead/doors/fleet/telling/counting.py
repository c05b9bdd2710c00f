"""What calls came to since the last heartbeat, read from the journals beside everything else."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping

from fairlead.doors.fleet.journals import UserJournal, journals_of
from fairlead.fleet.telling.heartbeat import Counts
from fairlead.journal.cursor import Cursor
from fairlead.journal.ids import time_of
from fairlead.policy.places import Places

_MOST = 5_000
"""Lines of one journal for one heartbeat: what is left comes with the next."""
_BLOCKS = ("block", "halt")
Calls = Mapping[str, tuple[int, float]]
"""By agent: how many calls, and when the last one was."""


class Counting:
    """Read, send, then `commit`: what was not committed is counted again. It begins at the journals' end."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._cursors: dict[str, Cursor] = {}

    def read(self) -> tuple[Counts, Calls]:
        counts, calls = Counts(), dict[str, tuple[int, float]]()
        for journal in journals_of(self._places):
            records = [each for each in self._cursor(journal).read(_MOST) if _is_call(each)]
            counts = counts.plus(counts_of(records))
            for record in records:
                agent = str(record.get("agent"))[:60]
                number, last = calls.get(agent, (0, 0.0))
                calls[agent] = (number + 1, max(last, _time(record)))
        return counts, calls

    def commit(self) -> None:
        for cursor in self._cursors.values():
            cursor.commit()

    def _cursor(self, journal: UserJournal) -> Cursor:
        folder = journal.folder
        if folder not in self._cursors:
            name = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
            path = os.path.join(self._places.fleet, "spool", f"counted-{name}.json")
            cursor = Cursor(path, folder, owner=journal.owner)
            if cursor.is_new:
                cursor.skip_all()
            self._cursors[folder] = cursor
        return self._cursors[folder]


def counts_of(records: Iterable[Mapping[str, object]]) -> Counts:
    """Of calls, whatever else stands in their lines."""
    numbers = dict.fromkeys(("calls", "blocks", "asks", "failures", "would"), 0)
    for record in records:
        found = record.get("verdict")
        verdict = found if isinstance(found, dict) else {}
        numbers["calls"] += 1
        numbers["blocks"] += verdict.get("decision") in _BLOCKS
        numbers["asks"] += verdict.get("decision") == "ask"
        numbers["failures"] += bool(verdict.get("failures"))
        numbers["would"] += "would" in verdict
    return Counts(**numbers)


def _is_call(record: Mapping[str, object]) -> bool:
    return "observes" not in record and record.get("canary") is not True and "verdict" in record


def _time(record: Mapping[str, object]) -> float:
    try:
        return time_of(str(record.get("id")))
    except ValueError:
        return 0.0
