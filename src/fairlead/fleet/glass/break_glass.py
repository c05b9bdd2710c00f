"""A person with a one-time code switches Fairlead off for a while: with broker, daemon and clock broken.

In this order: the code is found in a policy, the journal says who broke the glass and why, the code is spent,
and only then the marker is written. What could not be recorded has no effect.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress

from fairlead.errors import TrustError, UsageError
from fairlead.fleet.records import write_record
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.glass.codes import CODE, Entry, entry_of, secret_of, typed_code
from fairlead.policy.glass.in_force import entries_in_force
from fairlead.policy.glass.marker import Clock, Glass, broken_glass, read_clock, signed_marker, signer_in
from fairlead.policy.places import Places, make_private, write_private

RULE = "break-glass"
WRONG = "break-glass/wrong-code"
MINUTES = 60
WHAT = "BreakGlass"
_SPENT = ".spent"
_LONGEST_MARKER = 8192
_FIRST_PAUSE, _LONGEST_PAUSE, _FORGOTTEN = 0.05, 2.0, 600.0


class Breaking(Value):
    """What a person wants. `machine` is this machine's name in its fleet, if it has one; `code` is empty for
    whoever asks for an answer."""

    code: str
    reason: str
    minutes: int
    machine: str = ""


class Limits(Value):
    """What a policy says: for how long at most, and who may; nobody named is everybody."""

    minutes: int = MINUTES
    people: tuple[str, ...] = ()


def sleep_anyhow(seconds: float) -> None:
    """With a broken clock even this may fail, and must not keep anybody from the way out."""
    with suppress(OSError):
        time.sleep(seconds)


def break_glass(
    places: Places,
    wanted: Breaking,
    limits: Limits,
    *,
    clock: Callable[[], Clock] = read_clock,
    wait: Callable[[float], None] = sleep_anyhow,
) -> Glass:
    """Raises FairleadError, and then nothing has changed."""
    code = typed_code(wanted.code)
    check_wanted(wanted, limits)
    entries = [entry for entry in entries_in_force(places) if entry.kind == CODE]
    if not entries:
        raise TrustError("no policy here names a one-time code", hint="ask whoever runs the fleet for a way")
    wait(pause_before(places))
    found = _find(entries, code, wanted.machine)
    if found is None:
        note_wrong(places)
        write_record(places, what=WHAT, rule=WRONG, reason="a one-time code was wrong")
        raise TrustError("this code opens nothing here", hint="is it for this machine, and of its policy?")
    entry, secret = found
    refuse_spent(places, entry)
    who = f"{here.name_of_user()} broke the glass for {wanted.minutes} minutes with the code {entry.name}"
    record = write_record(places, what=WHAT, rule=RULE, reason=f"{who}: {wanted.reason}")
    glass = broken_glass(entry, seconds=wanted.minutes * 60, record=record, clock=clock())
    marker = signed_marker(glass, secret)
    spend(places, entry, marker)
    write_private(places.off_marker, marker.encode())
    return glass


def is_spent(places: Places, entry: Entry) -> bool:
    """As this user's own note says, or root's, which the user cannot take away."""
    return any(map(os.path.lexists, (_spent_path(places, entry), _roots_note(places, entry.public))))


def note_as_root(places: Places, state: str) -> list[str]:
    """Notes for good which codes a user has spent, as root's agent does now and then; those that are new. A
    name alone spends nothing: anybody could write it, and leave nobody a way out."""
    folder = os.path.join(state, "glass")
    try:
        names = [name.removesuffix(_SPENT) for name in os.listdir(folder) if name.endswith(_SPENT)]
    except OSError:
        return []
    known = {entry.public for entry in entries_in_force(places)}
    unknown = (name for name in names if name in known and not os.path.lexists(_roots_note(places, name)))
    new = [name for name in unknown if _has_signed(os.path.join(folder, f"{name}{_SPENT}"), name)]
    for public in new:
        path = _roots_note(places, public)
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644))
    return new


def _has_signed(path: str, public: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        return signer_in(file.read(_LONGEST_MARKER).decode("latin-1")) == public


def check_wanted(wanted: Breaking, limits: Limits) -> None:
    if not wanted.reason.strip():
        raise UsageError("a reason is needed", hint='--reason "what is broken, and who knows of it"')
    if not 1 <= wanted.minutes <= limits.minutes:
        raise UsageError(f"{wanted.minutes} minutes are not 1 to {limits.minutes}", hint="see --minutes")
    if limits.people and here.name_of_user() not in limits.people:
        raise TrustError(
            f"the policy lets {', '.join(limits.people)} break the glass, and not {here.name_of_user()}"
        )


def _find(entries: list[Entry], code: str, machine: str) -> tuple[Entry, bytes] | None:
    """A code for this machine, or for all of its group. A salt is tried once, for all codes that have it."""
    wanted = {entry.text: entry for entry in entries}
    for salt in dict.fromkeys(entry.salt for entry in entries):
        for bound in dict.fromkeys((machine, "")):
            found = wanted.get(entry_of(code, salt, bound).text)
            if found is not None:
                return found, secret_of(code, salt, bound)
    return None


# --- codes that were used ---


def _spent_path(places: Places, entry: Entry) -> str:
    return os.path.join(places.state, "glass", f"{entry.public}{_SPENT}")


def _roots_note(places: Places, public: str) -> str:
    return os.path.join(places.system_fleet, "spent", public)


def refuse_spent(places: Places, entry: Entry) -> None:
    if is_spent(places, entry):
        raise TrustError("this code has been used", hint="each works once; ask for another")


def spend(places: Places, entry: Entry, marker: str) -> None:
    """For good, before it takes effect: also when the policy no longer names it. Of two, one spends it. What
    it has signed is kept: nobody can make root believe that a code is spent which they do not have."""
    path = _spent_path(places, entry)
    make_private(os.path.dirname(path))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        refuse_spent(places, entry)
        raise
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(marker)
        file.flush()
        os.fsync(file.fileno())
    _keep_folder(os.path.dirname(path))


def _keep_folder(path: str) -> None:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# --- wrong codes ---


def _wrong_path(places: Places) -> str:
    return os.path.join(places.state, "glass", "wrong")


def pause_before(places: Places) -> float:
    """Longer with every wrong code of the last minutes, and never so long that the right one is kept out."""
    try:
        found = os.stat(_wrong_path(places))
    except OSError:
        return 0.0
    if not found.st_size or abs(time.time() - found.st_mtime) > _FORGOTTEN:
        return 0.0
    return float(min(_FIRST_PAUSE * 2 ** min(found.st_size, 16), _LONGEST_PAUSE))


def note_wrong(places: Places) -> None:
    path = _wrong_path(places)
    make_private(os.path.dirname(path))
    try:
        stale = abs(time.time() - os.stat(path).st_mtime) > _FORGOTTEN
    except OSError:
        stale = False
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_TRUNC if stale else os.O_APPEND)
    descriptor = os.open(path, flags, 0o600)
    try:
        if os.fstat(descriptor).st_size < 64:
            os.write(descriptor, b"x")
        else:
            os.utime(descriptor)
    finally:
        os.close(descriptor)
