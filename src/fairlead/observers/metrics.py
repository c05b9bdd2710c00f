"""`emit-metrics`: counters and timers over StatsD. A dead or slow server costs nothing."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.model.texts.metric import datagrams, dotted, word
from fairlead.observers.report import failed, seen

DEFAULT_PORT = 8125
_PATIENCE = 0.25  # seconds that one call waits for a name server, once per host
_KEEP = 300.0  # seconds that an address is used before it is looked up again

Address = tuple[socket.AddressFamily, tuple[str, int]]


def emit_metrics(event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /) -> Outcome:
    """Config: `statsd_host`, `statsd_port`, `prefix`, and `tags: datadog` for tags in place of long names."""
    host = str(config.get("statsd_host") or "localhost")
    port = _port(config.get("statsd_port", DEFAULT_PORT))
    if port is None:
        return failed(f"statsd_port is no port: {config.get('statsd_port')}", {"sent": 0})
    address = _addresses().find(host)
    if address is None:
        return failed(f"the address of {host} is not known (yet)", {"sent": 0})
    prefix = dotted(str(config.get("prefix", "fairlead")))
    lines = list(metric_lines(event, previous, prefix=prefix, tagged=config.get("tags") == "datadog"))
    problem = _send(address, port, lines)
    return failed(problem, {"sent": 0}) if problem else seen(f"sent to {host}:{port}", {"sent": len(lines)})


def metric_lines(event: Event, outcomes: Sequence[Outcome], *, prefix: str, tagged: bool) -> Iterator[str]:
    """One counter per call and decision, one timer for the call and one for each hook."""
    decision = max((outcome.decision for outcome in outcomes), default=Decision.CONTINUE).word
    labels = {
        "agent": word(event.agent),
        "event": word(str(event.name)),
        "tool": word(event.tool.name if event.tool else "none"),
        "decision": decision,
    }
    total = sum(outcome.milliseconds for outcome in outcomes)
    start = f"{prefix}." if prefix else ""
    if tagged:
        tags = ",".join(f"{key}:{value}" for key, value in labels.items())
        yield f"{start}calls:1|c|#{tags}"
        yield f"{start}call_time:{total:.3f}|ms|#{tags}"
    else:
        yield f"{start}calls.{'.'.join(labels.values())}:1|c"
        yield f"{start}decisions.{decision}:1|c"
        yield f"{start}call_time:{total:.3f}|ms"
    for outcome in outcomes:
        yield from _hook_metrics(outcome, start, tagged)


def _hook_metrics(outcome: Outcome, start: str, tagged: bool) -> Iterator[str]:
    hook = word(outcome.hook)
    name, tags = (f"{start}hook", f"|#hook:{hook}") if tagged else (f"{start}hooks.{hook}", "")
    yield f"{name}.time:{outcome.milliseconds:.3f}|ms{tags}"
    yield f"{name}.{outcome.decision.word}:1|c{tags}"
    if outcome.failure is not None:
        yield f"{name}.failed:1|c{tags}"


def _port(value: object) -> int | None:
    try:
        port = int(str(value))
    except ValueError:
        return None
    return port if 0 < port < 65536 else None


def _send(address: Address, port: int, lines: Sequence[str]) -> str:
    """Answers what went wrong, or nothing. A datagram that does not fit the socket's buffer is dropped."""
    family, (host, _) = address
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            for packet in datagrams(lines):
                out.sendto(packet, (host, port))
    except OSError as error:
        return f"{host}:{port}: {error.strerror or error}"
    return ""


class AddressBook:
    """Finds hosts without waiting for a name server more than once, and never for long."""

    def __init__(self) -> None:
        self._known: dict[str, Address] = {}
        self._asked: dict[str, threading.Thread] = {}
        self._when: dict[str, float] = {}

    def find(self, host: str) -> Address | None:
        literal = _literal(host)
        if literal is not None:
            return literal
        import time

        now = time.monotonic()
        thread = self._asked.get(host)
        if thread is None or (not thread.is_alive() and now - self._when[host] > _KEEP):
            thread = threading.Thread(target=self._look_up, args=(host,), daemon=True)
            self._asked[host], self._when[host] = thread, now
            thread.start()
            thread.join(_PATIENCE)
        return self._known.get(host)

    def _look_up(self, host: str) -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)
        except OSError:
            self._known.pop(host, None)
            return
        family, *_, place = found[0]
        self._known[host] = (family, (str(place[0]), 0))


def _literal(host: str) -> Address | None:
    if host == "localhost":
        return socket.AF_INET, ("127.0.0.1", 0)
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except (OSError, ValueError):
            continue
        return family, (host, 0)
    return None


@cache
def _addresses() -> AddressBook:
    return AddressBook()
