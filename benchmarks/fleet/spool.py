"""A machine that has no connection of its own: its lines, its chain, and what the broker has taken of it.

The rules are those of the agent: a batch at a time, the next when all of it was acknowledged; what failed
goes again after a pause; a line whose id the broker knows goes under another one, too.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Mapping
from random import random, uniform
from typing import Any

from benchmarks.fleet.carrier import Carrier
from fairlead.doors.fleet.forwarding import encoded
from fairlead.doors.fleet.link import SECONDS
from fairlead.doors.fleet.subjects import DECISIONS, subject_of
from fairlead.fleet.telling.leaving import Origin, message_of
from fairlead.fleet.telling.privacy import Privacy
from fairlead.journal.ids import new_id, timestamp

_BATCH = 200
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_SAMPLED = 0.1
"""Part of the batches whose time is kept."""
_PLACES = ("id", "request", "seq", "prev", "ts")
Line = tuple[bytes, bytes]


class Spool:
    def __init__(self, name: str, group: str, pattern: Mapping[str, Any]) -> None:
        self.name = name
        self._name = name.encode()
        self._subject = subject_of(DECISIONS, name).encode()
        self._form = line_form(name, group, pattern)
        self._previous = ""
        self._lines: deque[Line] = deque()
        self._under_way: dict[int, Line] = {}
        """By the numbers that their answers come under."""
        self._batch = 0
        self._failed = False
        self._first = True
        self._sent_at = self._not_before = 0.0
        self._pause = _FIRST_PAUSE
        self.written = self.alarms = self.failures = 0
        self.waits: list[float] = []

    @property
    def behind(self) -> int:
        return len(self._lines)

    @property
    def busy(self) -> bool:
        return bool(self._under_way)

    def write(self, now: float) -> None:
        """One more line."""
        line = new_id(now)
        self.written += 1
        place = (line, self.written, self.written, self._previous, timestamp(now))
        message = self._form % tuple(each.encode() if isinstance(each, str) else each for each in place)
        self._previous = hashlib.sha256(message).hexdigest()
        self._lines.append((line.encode(), message))

    def send(self, carrier: Carrier, now: float) -> list[tuple[int, bytes]]:
        """The next batch, as numbers and bytes; nothing while one is under way, or just after a failure."""
        if self._under_way or not self._lines or now < self._not_before:
            return []
        self._batch = min(len(self._lines), _BATCH)
        self._sent_at, self._failed = now, False
        return [self._ask(carrier, self._lines[number]) for number in range(self._batch)]

    def hear(self, number: int, body: bytes, carrier: Carrier, now: float) -> list[tuple[int, bytes]]:
        """What the broker said to one of them, and what is to be sent for that."""
        line = self._under_way.pop(number, None)
        if line is None:
            return []
        if b'"duplicate":true' in body or b'"duplicate": true' in body:
            self.alarms += self._first
            return [self._ask(carrier, line, os.urandom(10).hex().encode())]
        self._failed |= b'"seq":' not in body or b'"error":' in body
        if not self._under_way:
            self._ended(now)
        return []

    def look(self, now: float) -> list[int]:
        """Gives up what was not answered in time, and gives back the numbers of it."""
        if not self._under_way or now - self._sent_at < SECONDS:
            return []
        return self.give_up(now)

    def give_up(self, now: float) -> list[int]:
        numbers = list(self._under_way)
        if numbers:
            self._under_way.clear()
            self._failed = True
            self._ended(now)
        return numbers

    def _ended(self, now: float) -> None:
        self._first = not self._failed
        if self._failed:
            self.failures += 1
            self._not_before = now + uniform(self._pause / 2, self._pause)
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)
            return
        if random() < _SAMPLED:
            self.waits.append(now - self._sent_at)
        self._pause = _FIRST_PAUSE
        for _ in range(self._batch):
            self._lines.popleft()

    def _ask(self, carrier: Carrier, line: Line, more: bytes = b"") -> tuple[int, bytes]:
        name = b"%b-%b-%b" % (self._name, line[0], more) if more else b"%b-%b" % (self._name, line[0])
        number, asked = carrier.ask(self._subject, name, line[1])
        self._under_way[number] = line
        return number, asked


def line_form(name: str, group: str, pattern: Mapping[str, Any]) -> bytes:
    """What a machine of this name says of such a line, with places for what differs from line to line."""
    origin = Origin(name, group, bundle_version=1, bundle_sha256="0" * 64)
    message = message_of(pattern, Privacy(), origin)
    line: Any = message["line"]
    writer = hashlib.sha256(name.encode()).hexdigest()[:16]
    marks = {each: f"@{each}@" for each in _PLACES}
    form = encoded({**message, "line": {**line, **marks, "writer": writer}}).replace(b"%", b"%%")
    forms = {"seq": (b'"@seq@"', b"%d"), "request": (b"@request@", b"%032x")}
    for place in sorted(_PLACES, key=lambda each: form.index(f"@{each}@".encode())):
        mark, shown = forms.get(place, (f"@{place}@".encode(), b"%b"))
        form = form.replace(mark, shown)
    return form
