"""Journal lines as StatsD counters and timers, over UDP, with tags in DogStatsD's form or in plain names.

UDP confirms nothing. What can be known is heeded: whether the name has an address, whether its host says that
nobody listens, and whether the datagrams left. They leave no faster than a receiver's buffer takes them.
"""

from __future__ import annotations

import errno
import select
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from fairlead.errors import FairleadError, UsageError
from fairlead.model.texts.metric import datagrams, dotted, word
from fairlead.secrets.redact import redact_text

DEFAULT_PORT = 8125
_REFUSAL = 0.02
"""Seconds that a host on the same network needs at most to say that nobody listens."""
_GAP = 0.001
"""Seconds between two datagrams: a receiver's buffer holds a hundred or two of them."""
_SECONDS = 5.0

Record = Mapping[str, object]


class StatsdSink:
    """Sends batches; raises FairleadError when one is known not to have arrived, so that it is sent again.

    Close it, or use it as a context, when done.
    """

    def __init__(
        self,
        target: str,
        *,
        prefix: str = "fairlead",
        tagged: bool = True,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._target = target
        self._host, self._port = host_and_port(target)
        self._start = f"{found}." if (found := dotted(prefix)) else ""
        self._tagged = tagged
        self._pause = pause
        self._closed = False

    def send(self, records: Sequence[Record]) -> None:
        """Knocks first: where nobody listens nothing is sent, and so nothing is counted twice later."""
        if self._closed:
            raise FairleadError(f"the sink for {self._target} is closed", hint="make another one")
        packets = list(datagrams(metric_lines(records, start=self._start, tagged=self._tagged)))
        if not packets:
            return
        try:
            with self._connected() as out:
                for packet in (b"", *packets):
                    out.send(packet)
                    _expect_silence(out, _GAP if packet else _REFUSAL, self._pause)
                _expect_silence(out, _REFUSAL, self._pause)
        except OSError as error:
            raise FairleadError(
                f"{self._target} cannot be reached: {error.strerror or error}",
                hint="is the StatsD server running?",
            ) from None

    def close(self) -> None:
        """It holds no socket between two batches; a closed one sends nothing more. Twice is no harm."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _connected(self) -> socket.socket:
        """Connected, so that a refusal comes back as an error; looked up each time, since servers move."""
        found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_DGRAM)
        family, kind, protocol, _, address = found[0]
        out = socket.socket(family, kind, protocol)
        try:
            out.settimeout(_SECONDS)
            out.connect(address)
        except OSError:
            out.close()
            raise
        return out


def _expect_silence(out: socket.socket, seconds: float, pause: Callable[[float], None]) -> None:
    pause(seconds)
    poll = select.poll()
    poll.register(out, 0)  # errors are always told
    if poll.poll(0) and (code := out.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)):
        raise OSError(code, "nobody listens there" if code == errno.ECONNREFUSED else f"error {code}")


def metric_lines(
    records: Iterable[Record], *, start: str = "fairlead.", tagged: bool = True
) -> Iterator[str]:
    """Counters are added up over the records; each time is its own line, or percentiles would be wrong."""
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        for measure in _measures(record, tagged=tagged):
            if measure.milliseconds is None:
                counts[measure.name, measure.tags] += 1
            else:
                yield f"{start}{measure.name}:{measure.milliseconds:.3f}|ms{measure.tags}"
    for (name, tags), number in counts.items():
        yield f"{start}{name}:{number}|c{tags}"


class _Measure(NamedTuple):
    """One more of something, or how long it took."""

    name: str
    tags: str = ""
    milliseconds: float | None = None


def _measures(record: Record, *, tagged: bool) -> Iterator[_Measure]:
    """Of a call with its hooks; of a line of observers only theirs. The names are those of `emit-metrics`."""
    if "observes" not in record:
        yield from _of_call(record) if tagged else _of_call_in_plain_names(record)
    outcomes = record.get("outcomes")
    for outcome in outcomes if isinstance(outcomes, list) else ():
        if isinstance(outcome, dict):
            yield from _of_hook(outcome, tagged=tagged)


def _of_call(record: Record) -> Iterator[_Measure]:
    labels = _labels(record)
    tags, agent = _suffix(labels), _suffix({"agent": labels["agent"]})
    yield _Measure("calls", tags)
    yield _Measure("call_time", tags, _milliseconds(record))
    for name in _troubles(record):
        yield _Measure(name, agent)
    if rule := _rule(record):
        yield _Measure("rule_hits", _suffix({"rule": "/".join(map(word, rule.split("/")))}))


def _of_call_in_plain_names(record: Record) -> Iterator[_Measure]:
    labels = _labels(record)
    yield _Measure(f"calls.{'.'.join(labels.values())}")
    yield _Measure(f"decisions.{labels['decision']}")
    yield _Measure("call_time", "", _milliseconds(record))
    for name in _troubles(record):
        yield _Measure(name)
    if rule := _rule(record):
        yield _Measure(f"rule_hits.{word(rule)}")


def _of_hook(outcome: Record, *, tagged: bool) -> Iterator[_Measure]:
    hook = _shown(outcome.get("hook"))
    name, tags = ("hook", _suffix({"hook": hook})) if tagged else (f"hooks.{hook}", "")
    yield _Measure(f"{name}.time", tags, _milliseconds(outcome))
    yield _Measure(f"{name}.{_shown(outcome.get('decision'))}", tags)
    if outcome.get("failure"):
        yield _Measure(f"{name}.failed", tags)


def _labels(record: Record) -> dict[str, str]:
    tool = _mapping(_mapping(record.get("facts")).get("tool"))
    return {
        "agent": _shown(record.get("agent")),
        "event": _shown(record.get("event")),
        "tool": _shown(tool.get("name") or "none"),
        "decision": _shown(_mapping(record.get("verdict")).get("decision")),
    }


def _shown(value: object) -> str:
    """One word of a name or tag; journal lines are redacted already, and other records may not be."""
    return word(redact_text(str(value)))


def _troubles(record: Record) -> Iterator[str]:
    if record.get("degraded"):
        yield "degraded"
    if _mapping(record.get("verdict")).get("failures"):
        yield "failed"


def _rule(record: Record) -> str:
    return redact_text(str(_mapping(record.get("verdict")).get("rule") or ""))


def _suffix(tags: Mapping[str, str]) -> str:
    return "|#" + ",".join(f"{key}:{value}" for key, value in tags.items())


def _milliseconds(record: Record) -> float:
    value = record.get("ms")
    return float(value) if isinstance(value, int | float) and value >= 0 else 0.0


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def host_and_port(target: str) -> tuple[str, int]:
    """`host`, `host:port`, `[::1]:port`. A bare IPv6 address has no port."""
    host, colon, port = target.rpartition(":")
    if not colon or (target.count(":") > 1 and not host.endswith("]")):
        host, port = target, str(DEFAULT_PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise UsageError(f"{target!r} is no address", hint="write HOST:PORT, such as 127.0.0.1:8125")
    return host, int(port)
