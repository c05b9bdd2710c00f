"""The source that an enrolment names, and the connection to the broker, where it is one."""

from __future__ import annotations

from urllib.parse import urlsplit

from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.sources.exchange import Web
from fairlead.doors.fleet.sources.folder import FolderSource
from fairlead.doors.fleet.sources.http import HttpSource, authorization_in
from fairlead.doors.fleet.sources.nats import NatsSource
from fairlead.doors.fleet.sources.source import Source
from fairlead.fleet.enrolment import Enrolment

_FOLDER = "folder:"


def open_source(enrolment: Enrolment) -> tuple[Source, Link | None]:
    """Raises FairleadError for files that are not there."""
    address = enrolment.source
    if address.startswith(_FOLDER):
        return FolderSource(address.removeprefix(_FOLDER), enrolment.group), None
    if urlsplit(address).scheme in ("https", "http"):
        authorization = authorization_in(enrolment.credentials) if enrolment.credentials else ""
        return HttpSource(
            Web(address, authorization, enrolment.tls_ca, enrolment.proxy), enrolment.group
        ), None
    link = Link(broker_of(enrolment), enrolment.machine)
    return NatsSource(link, enrolment.group), link


def broker_of(enrolment: Enrolment) -> Broker:
    """Raises UsageError."""
    name = f"fairlead {enrolment.machine}"
    return Broker(enrolment.source, enrolment.credentials, enrolment.tls_ca, name=name).checked()
