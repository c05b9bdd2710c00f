"""Every extension point on one page.

Whatever has these methods is one: there is nothing to inherit. The tables that name the shipped ones are in
`assembly`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from fairlead.model.event import Event
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Timeline
from fairlead.model.verdict import Reply, Verdict

__all__ = [
    "INTERFACE_VERSION",
    "Bus",
    "Clock",
    "Contract",
    "Dialect",
    "Executor",
    "Logger",
    "Middleware",
    "ScriptContract",
    "Sink",
]


INTERFACE_VERSION = 1
"""Of this page. A plugin says which one it was made for, and is not loaded under another."""


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""


class Executor(Protocol):
    """A way to run a hook. It never raises for what the hook did: that comes back as a failure."""

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture: ...


class Contract(Protocol):
    """What a capture means. It raises nothing either; what makes no sense is a failure in the outcome."""

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome: ...


class Middleware(Protocol):
    """A built-in hook: a function of the event, its `config`, and what the hooks before it said."""

    def __call__(
        self, event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
    ) -> Outcome | None: ...


class Dialect(Protocol):
    """How one agent spells events and verdicts. It holds no rules."""

    name: str

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        """Raises PayloadError for what cannot be read."""

    def render(self, event: Event, verdict: Verdict) -> Reply: ...

    def last_resort(self, native_event: str) -> Reply:
        """The answer when nothing could answer: a deny for gating events, the neutral answer for the rest."""


class Sink(Protocol):
    """Takes the record of a call, after the journal has it. A sink may be slow or dead; it never delays."""

    def write(self, record: Mapping[str, object]) -> None: ...


class Bus(Protocol):
    """Carries messages by topic, inside this process or to others."""

    def subscribe(self, topic: str, handler: Callable[[object], None], /) -> Callable[[], None]:
        """Returns what ends the subscription."""

    def publish(self, topic: str, message: object, /) -> None: ...


class Logger(Protocol):
    """Takes one record of what a hook or a stage did; the standard library's is the default."""

    def debug(self, message: str, /, *, extra: Mapping[str, object] | None = None) -> None: ...


class ScriptContract(Protocol):
    """What the output lines of a script mean to the script that called it."""

    def read(self, timeline: Timeline) -> Mapping[str, object]: ...
