"""Where bundles can be published: one module per kind of address."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib import import_module

from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.publishing.publication import Publisher
from fairlead.model.value import Value
from fairlead.policy.reading.schema import suggestion

PUBLISHERS: Mapping[str, str] = {
    "folder": "folder",
    "nats": "nats",
    "tls": "nats",
}
"""By the scheme of the address, the module here whose `open_publisher(target)` is a context with one."""


class Target(Value):
    """An address, and what it takes to be let in."""

    address: str
    credentials: str = ""
    tls_ca: str = ""

    @property
    def scheme(self) -> str:
        return self.address.partition(":")[0]

    def checked(self) -> Target:
        """Raises UsageError for an address that nobody can publish to."""
        if self.scheme not in PUBLISHERS:
            known = ", ".join(f"{name}:" for name in PUBLISHERS)
            hint = suggestion(self.scheme, PUBLISHERS, otherwise=f"an address begins with {known}")
            raise UsageError(f"nothing can be published to {self.address!r}", hint=hint)
        return self


def changed_meanwhile(group: str) -> FairleadError:
    return FairleadError(
        f"what is published for {group} was changed by somebody else meanwhile",
        hint="look at it, and try again",
    )


def open_publisher(target: Target) -> AbstractContextManager[Publisher]:
    """Raises UsageError for an address that nobody can publish to."""
    scheme = target.checked().scheme
    module = import_module(f"fairlead.doors.fleet.publishers.{PUBLISHERS[scheme]}")
    opened: AbstractContextManager[Publisher] = module.open_publisher(target)
    return opened
