"""A person's answer, from the command line or a dashboard: both ask for a human first, and sign here."""

from __future__ import annotations

from fairlead.doors.fleet.approvals.desk import OpenAsk
from fairlead.errors import FairleadError, TrustError, UsageError
from fairlead.fleet.bundles.signing import PrivateKey
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.questions.grants import REASON, signed_answer
from fairlead.policy.places import Places


def refuse_own(places: Places, ask: OpenAsk) -> None:
    """Raises TrustError on the machine that asks. A machine of theirs is also named in the bundle; this is
    for whoever is on the wrong one."""
    try:
        enrolment = read_enrolment(places)
    except FairleadError:
        return
    if enrolment is not None and enrolment.machine == ask.about.machine:
        raise TrustError(
            "this machine has asked that itself", hint="somebody else answers it, on a machine of theirs"
        )


def sign_answer(ask: OpenAsk, key: PrivateKey, *, yes: bool, reason: str, now: float) -> bytes:
    """Raises UsageError for a reason that says nothing."""
    said = "".join(letter if letter.isprintable() else " " for letter in reason).strip()
    if not said:
        raise UsageError("a reason is needed", hint='--reason "release day, as planned"')
    return signed_answer(ask.content, ask.about, key, yes=yes, reason=said[:REASON], now=now)
