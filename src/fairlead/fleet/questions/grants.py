"""A person's signed answer to one question of one machine, and all that it has to be to count."""

from __future__ import annotations

from enum import StrEnum

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.roles import Role
from fairlead.fleet.bundles.signatures import Signed, take_signed
from fairlead.fleet.bundles.signing import FOR_GRANTS, PrivateKey, signed_by
from fairlead.fleet.documents import HASH, NAME, read_document, write_dated, write_document
from fairlead.fleet.questions.approvals import ApprovalRules, Approver
from fairlead.fleet.questions.asks import REQUEST, Ask, hash_of
from fairlead.fleet.refusal import RefusedError
from fairlead.model.value import Value

MAX_ANSWER = 8 * 1024
_MAX_STATEMENT = 4 * 1024
REASON = 500


class Grant(Value):
    """What is signed. It names the question twice: by its fields, and by the hash of the bytes that its giver
    saw, so that nobody on the way shows one thing and has another one signed."""

    request: str
    machine: str
    session: str
    rule: str
    input_hash: str
    ask: str
    yes: bool
    approver: str
    """The id of the key."""
    reason: str
    at: int
    expires: int

    def written(self) -> bytes:
        return write_dated(self, "at", "expires")


class Why(StrEnum):
    """Why an answer does nothing."""

    UNREADABLE = "unreadable"
    FORGED = "forged"
    UNKNOWN = "unknown"
    FOREIGN = "foreign"
    CHANGED = "changed"
    EXPIRED = "expired"
    NOT_ALLOWED = "not-allowed"
    OWN = "own"
    LATE = "late"


class AnswerRefusedError(FairleadError):
    """An answer that does nothing."""

    code = "ANSWER_REFUSED"

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why


def signed_answer(ask: bytes, about: Ask, key: PrivateKey, *, yes: bool, reason: str, now: float) -> bytes:
    """As it is sent. It never holds longer than the question waits."""
    signer = key.sign(b"", purpose=FOR_GRANTS).keyid
    grant = Grant(
        request=about.request,
        machine=about.machine,
        session=about.session,
        rule=about.rule,
        input_hash=about.input_hash,
        ask=hash_of(ask),
        yes=yes,
        approver=signer,
        reason=reason[:REASON],
        at=int(now),
        expires=about.expires,
    )
    content = grant.written()
    signature = key.sign(content, purpose=FOR_GRANTS)
    return write_document({"format": 1, **Signed(content, (signature,)).as_json("grant")})


def read_answer(content: bytes) -> tuple[Grant, Signed]:
    """Raises AnswerRefusedError."""
    try:
        fields = read_document(content, "the answer", limit=MAX_ANSWER)
        fields.format()
        signed = take_signed(fields, "grant", limit=_MAX_STATEMENT)
        return _read_grant(signed.content), signed
    except RefusedError as error:
        raise AnswerRefusedError(Why.UNREADABLE, error.message) from error


def _read_grant(content: bytes) -> Grant:
    fields = read_document(content, "the grant", limit=_MAX_STATEMENT)
    fields.format()
    grant = Grant(
        request=fields.text("request", REQUEST),
        machine=fields.text("machine", NAME),
        session=fields.text("session", limit=64),
        rule=fields.text("rule", limit=256),
        input_hash=fields.text("input_hash", HASH),
        ask=fields.text("ask", HASH),
        yes=fields.flag("yes"),
        approver=fields.text("approver", limit=16),
        reason=fields.text("reason", limit=REASON),
        at=fields.moment("at"),
        expires=fields.moment("expires"),
    )
    fields.finish()
    return grant


def check_grant(
    grant: Grant, signed: Signed, ask: bytes, about: Ask, *, role: Role, rules: ApprovalRules, now: float
) -> Approver:
    """Who has answered. Raises AnswerRefusedError for everything that is not an answer to this question, now,
    by somebody who may give it. `ask` are the bytes that this machine has sent. Whoever
    calls this counts to the threshold of the role."""
    if grant.approver not in signed_by(signed.content, signed.signatures, role, purpose=FOR_GRANTS):
        raise AnswerRefusedError(Why.FORGED, "it is not signed by a key of the role approval")
    if grant.machine != about.machine:
        raise AnswerRefusedError(Why.FOREIGN, f"it is for {grant.machine}")
    if not _fits(grant, about) or grant.ask != hash_of(ask):
        raise AnswerRefusedError(Why.CHANGED, "it answers another question than was asked")
    if not now < min(grant.expires, about.expires):
        raise AnswerRefusedError(Why.EXPIRED, "its time is over")
    return require_approver(grant.approver, about, rules)


def require_approver(keyid: str, about: Ask, rules: ApprovalRules) -> Approver:
    """Raises AnswerRefusedError where the bundle does not let this key answer this question."""
    approver = rules.approver(keyid)
    if approver is None or not approver.may_answer(about.rule):
        who = approver.name if approver else f"the key {keyid}"
        raise AnswerRefusedError(Why.NOT_ALLOWED, f"{who} may not answer for {about.rule or 'this'}")
    if about.machine in approver.machines:
        raise AnswerRefusedError(Why.OWN, f"{approver.name} may not answer for a machine of their own")
    return approver


def _fits(grant: Grant, about: Ask) -> bool:
    names = ("request", "session", "rule", "input_hash")
    return all(getattr(grant, name) == getattr(about, name) for name in names)
