"""The next version of the roles: believed when the keys of the last have signed it, and its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairlead.fleet.bundles.roles import MAX_ROLES, Roles, read_roles
from fairlead.fleet.bundles.signatures import Signature, Signed, take_signed
from fairlead.fleet.bundles.signing import FOR_ROLES, require_signed
from fairlead.fleet.documents import Fields, read_document, write_document
from fairlead.fleet.refusal import RefusalCode, RefusedError

MAX_SIGNED_ROLES = 2 * MAX_ROLES
MAX_CHAIN = 8 * 1024 * 1024
_NAME = "roles"


def write_signed_roles(signed: Signed) -> bytes:
    """As it is published."""
    return write_document({"format": 1, **signed.as_json(_NAME)})


def with_signature(signed: Signed, made: Signature) -> Signed:
    """In the place of an earlier one of the same key."""
    kept = [each for each in signed.signatures if each.keyid != made.keyid]
    return signed.replace(signatures=(*kept, made))


def read_signed_roles(content: bytes) -> Signed:
    """Raises RefusedError."""
    fields = read_document(content, "the roles", limit=MAX_SIGNED_ROLES)
    fields.format()
    return take_signed(fields, _NAME, limit=MAX_ROLES)


def next_roles(believed: Roles, signed: Signed) -> Roles:
    """The roles that follow the believed ones. Raises RefusedError."""
    require_signed(signed, believed.bundle, purpose=FOR_ROLES, what="the next version of the roles")
    roles = read_roles(signed.content)
    if roles.version != believed.version + 1:
        code = RefusalCode.OLDER if roles.version <= believed.version else RefusalCode.UNREADABLE
        raise RefusedError(code, f"roles of version {roles.version} do not follow version {believed.version}")
    require_signed(
        signed, roles.bundle, purpose=FOR_ROLES, what="the next version of the roles, by its own keys,"
    )
    return roles


def write_chain(chain: Iterable[Signed]) -> bytes:
    return write_document({"format": 1, "chain": [signed.as_json(_NAME) for signed in chain]})


def read_chain(content: bytes) -> tuple[Signed, ...]:
    """Raises RefusedError."""
    fields = read_document(content, "roles.json", limit=MAX_CHAIN)
    fields.format()
    chain = tuple(_link(each) for each in fields.each("chain"))
    fields.finish()
    return chain


def _link(fields: Fields) -> Signed:
    return take_signed(fields, _NAME, limit=MAX_ROLES)


def believed_roles(anchor: Roles, chain: Sequence[Signed]) -> list[Roles]:
    """Every version from what was believed at enrolment on; what is not signed as it must be is left."""
    believed = [anchor]
    for signed in chain:
        try:
            believed.append(next_roles(believed[-1], signed))
        except RefusedError:
            continue  # older than the anchor, or damaged: whatever follows it has to fit without it
    return believed
