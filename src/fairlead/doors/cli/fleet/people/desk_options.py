"""How a person reaches the broker on which machines ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.output import Session
from fairlead.errors import UsageError
from fairlead.fleet.enrolment import read_enrolment

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SOURCE = "The broker; else that of this machine's fleet."
_OPTIONS = (
    click.option("--source", default="", metavar="ADDRESS", help=_SOURCE),
    click.option("--credentials", default="", metavar="FILE", help="Of somebody with the duty `approver`."),
    click.option("--tls-ca", default="", metavar="FILE", help="Who signed the broker's certificate."),
)


def broker_options(command: _Command) -> _Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def broker_from(session: Session, source: str, credentials: str, tls_ca: str) -> Broker:
    """Raises FairleadError. The credentials of a machine let nobody read what others ask."""
    enrolment = None if source else read_enrolment(session.places)
    found = source or (enrolment.source if enrolment else "")
    if not found.startswith(("nats://", "tls://")):
        raise UsageError("no broker is known here", hint="give --source nats://host:4222")
    return Broker(found, credentials, tls_ca or (enrolment.tls_ca if enrolment else "")).checked()
