"""Whose signatures count for a command: keys that were named, a roles file, or what this machine believes."""

from __future__ import annotations

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.output import Session
from fairlead.errors import UsageError
from fairlead.fleet.bundles.roles import Role, Roles, read_roles
from fairlead.fleet.bundles.rotation import read_signed_roles
from fairlead.fleet.bundles.store import store_of
from fairlead.fleet.enrolment import read_enrolment


def believed(session: Session, *, roles: str, publics: tuple[str, ...]) -> Roles:
    """Raises UsageError where nobody said so."""
    if roles and publics:
        raise UsageError("give --roles or --public, not both")
    if publics:
        return Roles(1, Role(tuple(dict.fromkeys(publics))))
    if roles:
        return read_roles(read_signed_roles(bytes_of(roles)).content)
    enrolment = read_enrolment(session.places)
    if enrolment is None:
        raise UsageError("whose signatures count?", hint="--public ed25519:..., or --roles roles.json")
    return store_of(session.places).roles(enrolment.roles)
