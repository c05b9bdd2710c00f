"""A locked-out person reads a challenge out, and types the answer: broken glass, by telephone.

The challenge is kept until it is answered or over. In this order, then: the answer is checked, the journal
says who broke the glass and why, the key is spent, and only then the marker is written.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress

from fairlead.errors import FairleadError, TrustError
from fairlead.fleet.glass.break_glass import (
    RULE,
    WHAT,
    WRONG,
    Breaking,
    Limits,
    check_wanted,
    note_wrong,
    pause_before,
    refuse_spent,
    sleep_anyhow,
    spend,
)
from fairlead.fleet.records import write_record
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.glass.answered import AnsweredGlass, answered_glass
from fairlead.policy.glass.challenges import NOBODY, WAITS, Challenge, new_nonce, typed_answer
from fairlead.policy.glass.codes import ANSWERS, Entry
from fairlead.policy.glass.in_force import entries_in_force
from fairlead.policy.glass.marker import Clock, read_clock
from fairlead.policy.glass.spoken import signer_of
from fairlead.policy.places import Places, read_own, write_private

ASKED = "break-glass/challenge"
_LIMIT = 8192
_NUMBERS = ("bundle", "minutes", "uid", "start")


class Membership(Value):
    """This machine in its fleet, as far as it is known."""

    machine: str = NOBODY
    group: str = NOBODY
    bundle: int = 0


class Kept(Value):
    """A challenge that waits for its answer, and why it was made."""

    challenge: Challenge
    reason: str


def make_challenge(
    places: Places,
    wanted: Breaking,
    limits: Limits,
    membership: Membership,
    *,
    clock: Callable[[], Clock] = read_clock,
) -> Kept:
    """Takes the place of one that waited. Raises FairleadError."""
    check_wanted(wanted, limits)
    if not _keys(places):
        hint = "use a printed code; `fairlead bundle answer-keys` makes keys for answers"
        raise TrustError("no policy here names a key for answers", hint=hint)
    now = clock()
    if not now.boot:
        raise FairleadError("the system does not say when it was started, so no glass can be broken here")
    user = here.name_of_user()
    if not user.isprintable():
        raise FairleadError("the name of this user cannot be read out", hint="use a printed code")
    challenge = Challenge(
        membership.machine, membership.group, membership.bundle, user, wanted.minutes,
        os.getuid(), now.boot, now.running, new_nonce(),
    )  # fmt: skip
    asked = f"{user} asks for an answer to {challenge.asked.code}, to break the glass"
    reason = f"{asked} for {wanted.minutes} minutes: {wanted.reason}"
    write_record(places, what=WHAT, rule=ASKED, reason=reason)
    kept = Kept(challenge, wanted.reason)
    _keep(places, kept)
    return kept


def waiting_challenge(places: Places, *, clock: Callable[[], Clock] = read_clock) -> Kept:
    """The one that can be answered now. Raises TrustError."""
    kept = _read(places)
    hint = "`fairlead break-glass --challenge` makes one"
    if kept is None:
        raise TrustError("no challenge of yours waits for an answer", hint=hint)
    now, challenge = clock(), kept.challenge
    in_time = challenge.start <= now.running < challenge.start + WAITS
    if challenge.boot != now.boot or not in_time or challenge.uid != os.getuid():
        _forget(places)
        raise TrustError(f"your challenge is over: it waits {WAITS // 60} minutes", hint=hint)
    return kept


def break_by_answer(
    places: Places,
    text: str,
    limits: Limits,
    *,
    clock: Callable[[], Clock] = read_clock,
    wait: Callable[[float], None] = sleep_anyhow,
) -> AnsweredGlass:
    """Raises FairleadError, and then nothing has changed."""
    answer = typed_answer(text)
    kept = waiting_challenge(places, clock=clock)
    challenge = kept.challenge
    check_wanted(Breaking("", kept.reason, challenge.minutes), limits)
    wait(pause_before(places))
    entry = _find(places, challenge, answer)
    if entry is None:
        note_wrong(places)
        write_record(places, what=WHAT, rule=WRONG, reason=f"an answer to {challenge.asked.code} was wrong")
        raise TrustError("this is no answer to your challenge", hint="was all of it heard, and typed, right?")
    refuse_spent(places, entry)
    done = f"{challenge.user} broke the glass for {challenge.minutes} minutes"
    by = f"with the answer {entry.name} to {challenge.asked.code}"
    record = write_record(places, what=WHAT, rule=RULE, reason=f"{done} {by}: {kept.reason}")
    now = waiting_now(challenge, clock)
    glass = answered_glass(entry, challenge, answer, record=record, running=now.running, wall=now.wall)
    spend(places, entry, glass.text())
    _forget(places)
    write_private(places.off_marker, glass.text().encode("utf-8", "surrogateescape"))
    return glass


def waiting_now(challenge: Challenge, clock: Callable[[], Clock]) -> Clock:
    """The pause and the journal may have taken long, but no answer counts for longer because of them."""
    now = clock()
    if now.boot != challenge.boot or now.running >= challenge.last:
        raise TrustError("your challenge is over", hint="make another")
    return now


def _keys(places: Places) -> list[Entry]:
    return [entry for entry in entries_in_force(places) if entry.kind == ANSWERS]


def _find(places: Places, challenge: Challenge, answer: bytes) -> Entry | None:
    keys = {(entry.salt, entry.public): entry for entry in _keys(places)}
    message = challenge.asked.message()
    for salt in dict.fromkeys(salt for salt, _ in keys):
        found = keys.get((salt, signer_of(message, answer, salt)))
        if found is not None:
            return found
    return None


# --- the challenge that waits ---


def _path(places: Places) -> str:
    return os.path.join(places.state, "glass", "challenge")


def _keep(places: Places, kept: Kept) -> None:
    fields = {name: getattr(kept.challenge, name) for name in Challenge._fields}
    said = {"challenge": fields, "reason": kept.reason, "at": int(time.time())}
    write_private(_path(places), json.dumps(said).encode())


def _read(places: Places) -> Kept | None:
    try:
        said = json.loads(read_own(_path(places), _LIMIT) or b"")
        fields = said["challenge"]
        numbers = {name: int(fields[name]) for name in _NUMBERS}
        texts = {name: str(fields[name]) for name in Challenge._fields if name not in _NUMBERS}
        return Kept(Challenge(**numbers, **texts), str(said["reason"]))  # type: ignore[arg-type]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _forget(places: Places) -> None:
    with suppress(OSError):
        os.unlink(_path(places))
