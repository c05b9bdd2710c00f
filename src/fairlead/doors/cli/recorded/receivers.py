"""Where `fairlead forward` sends to: one receiver of those that its options name."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from fairlead.doors.cli.given.together import refuse_idle
from fairlead.errors import UsageError
from fairlead.journal.line import Record
from fairlead.policy.places import Places

if TYPE_CHECKING:
    from fairlead.sinks.origin import Origin

PREFIX = "fairlead"
SUBJECT = "fairlead.lines"
_ABOUT: Mapping[str, tuple[str, ...]] = {
    "headers": ("otlp", "otlp_logs", "ocsf"),
    "genai": ("otlp",),
    "no_tags": ("statsd",),
    "prefix": ("statsd",),
    "subject": ("jetstream",),
    "credentials": ("jetstream",),
    "tls_ca": ("jetstream", "syslog"),
}
"""Which receivers an option is about."""
_USUAL = {"prefix": PREFIX, "subject": SUBJECT}
_NAMES = {"headers": "--header"}

Given = Mapping[str, Any]


class BatchSink(Protocol):
    def send(self, records: Sequence[Record]) -> None:
        """Raises FairleadError when they have to be sent again."""

    def close(self) -> None: ...


def receiver_of(places: Places, given: Given) -> tuple[BatchSink, str]:
    """The receiver, and the name under which is kept how far it came."""
    chosen = [name for name in _RECEIVERS if given.get(name)]
    if len(chosen) != 1:
        hint = f"give one of {', '.join(f'--{name}'.replace('_', '-') for name in _RECEIVERS)}"
        raise UsageError("one receiver is needed", hint=hint)
    (name,) = chosen
    for option, receivers in _ABOUT.items():
        spelled = _NAMES.get(option, f"--{option}".replace("_", "-"))
        idle = name not in receivers and given.get(option) not in (None, "", (), False, _USUAL.get(option))
        about = " and ".join(f"--{each}".replace("_", "-") for each in receivers)
        refuse_idle({spelled: idle}, hint=f"it is for {about}")
    target = str(given[name])
    kept = target if name == "otlp" else f"{name} {target}"
    return _RECEIVERS[name](places, target, given), kept


def _otlp(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.otlp import OtlpSink

    return OtlpSink(target, headers=_headers(given), genai=given["genai"])


def _otlp_logs(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.otlp_logs import OtlpLogsSink

    return OtlpLogsSink(target, origin=_origin(places), headers=_headers(given))


def _statsd(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.statsd import StatsdSink

    return StatsdSink(target, prefix=given["prefix"], tagged=not given["no_tags"])


def _ocsf(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.ocsf import OcsfSink

    return OcsfSink(target, origin=_origin(places), headers=_headers(given))


def _syslog(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.syslog import SyslogSink

    return SyslogSink(target, host=socket.gethostname(), ca=given["tls_ca"])


def _jetstream(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.doors.bus.connection import Broker, connect
    from fairlead.doors.fleet.in_force import what_is_in_force
    from fairlead.fleet.telling.leaving import line_of
    from fairlead.platforms import here
    from fairlead.sinks.jetstream import JetstreamSink

    broker = Broker(target, given["credentials"], given["tls_ca"]).checked()
    home = here.home_of_user()
    privacy = what_is_in_force(places).privacy
    return JetstreamSink(
        lambda: connect(broker), given["subject"], shape=lambda record: line_of(record, privacy, home)
    )


def _foreign(places: Places, target: str, given: Given) -> BatchSink:
    from fairlead.sinks.foreign import ForeignSink

    name, _, target = target.partition("=")
    return ForeignSink(name, target)


_RECEIVERS: Mapping[str, Callable[[Places, str, Given], BatchSink]] = {
    "otlp": _otlp,
    "otlp_logs": _otlp_logs,
    "statsd": _statsd,
    "ocsf": _ocsf,
    "syslog": _syslog,
    "jetstream": _jetstream,
    "sink": _foreign,
}


def _origin(places: Places) -> Origin:
    """Who a person is, is told as a pseudonym where the fleet has a key for it, and else not at all."""
    from fairlead.doors.fleet.in_force import what_is_in_force
    from fairlead.fleet.enrolment import read_enrolment
    from fairlead.platforms import here
    from fairlead.sinks.origin import Origin

    enrolment = read_enrolment(places)
    user = what_is_in_force(places).privacy.pseudonym("user", here.name_of_user())
    if enrolment is None:
        return Origin(socket.gethostname(), user)
    return Origin(socket.gethostname(), user, enrolment.group, enrolment.machine)


def _headers(given: Given) -> dict[str, str]:
    return dict(_pair(header) for header in given["headers"])


def _pair(header: str) -> tuple[str, str]:
    name, colon, value = header.partition(":")
    if not colon or not name.strip() or "\n" in header or "\r" in header:
        raise UsageError(f"{header!r} is no header", hint="write 'Name: value'")
    return name.strip(), value.strip()
