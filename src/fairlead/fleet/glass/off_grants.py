"""A signed `off` for one machine: written by somebody with the role, checked by the machine, used once.

    {"format": 1, "off": BASE64, "signatures": [...]}

What is signed names the machine, whose calls, for how many minutes from when it is taken, and until when it
can be taken. More people sign the same bytes where the role has a threshold.
"""

from __future__ import annotations

import os
import re

from fairlead.errors import TrustError
from fairlead.fleet.bundles.roles import Role
from fairlead.fleet.bundles.signatures import Signed, take_signed
from fairlead.fleet.bundles.signing import FOR_OFF, PrivateKey, signed_by
from fairlead.fleet.documents import NAME, read_document, write_dated, write_document
from fairlead.fleet.moments import write_moment
from fairlead.fleet.questions.approvals import ApprovalRules
from fairlead.fleet.refusal import RefusedError
from fairlead.model.value import Value

MAX_GRANT = 16 * 1024
_MAX_STATEMENT = 4 * 1024
REASON = 500
MOST_MINUTES = 1440
LONGEST = 7 * 86_400
"""Seconds between the signature and the last moment at which it can be taken."""
_AHEAD = 600
"""By how much the clock of a machine may be behind that of whoever has signed."""
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


class OffGrant(Value):
    """`user` is empty for every user. `at` and `expires` are epoch seconds."""

    id: str
    machine: str
    user: str
    minutes: int
    reason: str
    at: int
    expires: int

    def written(self) -> bytes:
        return write_dated(self, "at", "expires")


def new_grant(machine: str, user: str, *, minutes: int, reason: str, now: int, within: int) -> OffGrant:
    return OffGrant(os.urandom(16).hex(), machine, user, minutes, reason[:REASON], now, now + within)


def signed_grant(grant: OffGrant, key: PrivateKey) -> bytes:
    return _written(Signed(grant.written()), key)


def signed_too(content: bytes, key: PrivateKey) -> bytes:
    """With one more signature over the same bytes. Raises TrustError."""
    return _written(read_grant(content)[1], key)


def _written(signed: Signed, key: PrivateKey) -> bytes:
    made = key.sign(signed.content, purpose=FOR_OFF)
    others = tuple(each for each in signed.signatures if each.keyid != made.keyid)
    return write_document({"format": 1, **signed.replace(signatures=(*others, made)).as_json("off")})


def is_off_grant(content: bytes) -> bool:
    """Whether it claims to be one."""
    try:
        return read_document(content, "a grant", limit=MAX_GRANT).has("off")
    except RefusedError:
        return False


def read_grant(content: bytes) -> tuple[OffGrant, Signed]:
    """Raises TrustError."""
    try:
        fields = read_document(content, "the grant", limit=MAX_GRANT)
        fields.format()
        signed = take_signed(fields, "off", limit=_MAX_STATEMENT)
        return _read(signed.content), signed
    except RefusedError as error:
        raise TrustError(error.message, hint="`fairlead fleet grant-off` writes one") from error


def _read(content: bytes) -> OffGrant:
    fields = read_document(content, "the grant", limit=_MAX_STATEMENT)
    fields.format()
    grant = OffGrant(
        id=fields.text("id", _ID),
        machine=fields.text("machine", NAME),
        user=fields.text("user", limit=64),
        minutes=fields.number("minutes", low=1, high=MOST_MINUTES),
        reason=fields.text("reason", limit=REASON),
        at=fields.moment("at"),
        expires=fields.moment("expires"),
    )
    fields.finish()
    return grant


def check_grant(
    content: bytes, *, machine: str, role: Role, rules: ApprovalRules, minutes: int, now: float
) -> tuple[OffGrant, tuple[str, ...]]:
    """The grant, and who has given it. Raises TrustError for all that is no grant for this machine, now, by
    as many people as it takes. `minutes` are the most that the policy allows."""
    grant, signed = read_grant(content)
    names = _signers(signed, role, rules, machine)
    if not role.keys or len(names) < role.threshold:
        some = f"by {', '.join(names)}" if names else "by nobody who may"
        message = f"the grant is signed {some}, and it takes {role.threshold}"
        raise TrustError(message, hint="a bundle names those who may: `off: true` in `approvals`")
    if grant.machine != machine:
        raise TrustError(f"the grant is for {grant.machine}, and this is {machine}")
    if grant.minutes > minutes:
        raise TrustError(f"the grant is for {grant.minutes} minutes, and the policy allows {minutes}")
    if not grant.at - _AHEAD <= now < grant.expires <= grant.at + LONGEST:
        when = f"from {write_moment(grant.at)} until {write_moment(grant.expires)}"
        raise TrustError(f"the grant can be taken {when}", hint="is the clock of this machine right?")
    return grant, names


def _signers(signed: Signed, role: Role, rules: ApprovalRules, machine: str) -> tuple[str, ...]:
    """People, and not keys: whoever has two is still one."""
    keyids = signed_by(signed.content, signed.signatures, role, purpose=FOR_OFF)
    people = (rules.approver(keyid) for keyid in sorted(keyids))
    may = {each.name for each in people if each and each.off and machine not in each.machines}
    return tuple(sorted(may))
