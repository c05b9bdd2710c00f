"""Taking a signed `off`: checked, recorded, used up, and only then there for a person to use.

Whoever has the folder of the fleet takes it: root, where root has enrolled the machine. A person then
switches off with it, and their own journal says so first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from fairlead.errors import FairleadError, TrustError
from fairlead.fleet.bundles.durable import sync_folder, write_file
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass.limits import read_limits
from fairlead.fleet.glass.off_grants import OffGrant, check_grant
from fairlead.fleet.questions.approvals import read_approvals
from fairlead.fleet.records import write_record
from fairlead.platforms import here
from fairlead.policy.glass.granted import (
    EVERYBODY,
    Granted,
    granted_folder,
    granted_path,
    marker_for,
    read_granted,
)
from fairlead.policy.glass.in_force import is_managed_by_root
from fairlead.policy.glass.marker import Clock, read_clock
from fairlead.policy.places import Places, write_private

TAKEN = "break-glass/grant"
USED = "break-glass/granted"
_WHAT = "OffGrant"
_SPENT = "spent"


def may_take(places: Places) -> bool:
    """Where root manages this machine, root alone."""
    return os.getuid() == 0 or not is_managed_by_root(places)


def take_grant(places: Places, content: bytes, *, clock: Callable[[], Clock] = read_clock) -> Granted:
    """Raises FairleadError, and then nothing has changed."""
    now = clock()
    grant, names = _checked(places, content, now)
    if not now.boot:
        raise FairleadError("the system does not say when it was started, so nothing can be granted here")
    uid = _uid_of(grant.user)
    spent = os.path.join(granted_folder(places), _SPENT, grant.id)
    if os.path.lexists(spent):
        raise TrustError("this grant has been used", hint="each works once; ask for another")
    by = " and ".join(names)
    whose = grant.user or "every user"
    said = f"{by} granted {whose} of this machine to be off for {grant.minutes} minutes"
    record = write_record(places, what=_WHAT, rule=TAKEN, reason=f"{said}: {grant.reason}")
    _spend(spent)
    end = now.running + 60 * grant.minutes
    granted = Granted(grant.id, uid, now.boot, now.running, end, now.wall + 60 * grant.minutes, by, record)
    write_file(granted_path(places, grant.id), granted.text().encode(), mode=0o644)
    return granted


def use_granted(
    places: Places, granted: Granted | None = None, *, clock: Callable[[], Clock] = read_clock
) -> Granted:
    """Switches off with a grant that was taken: this one, or what lasts longest. Raises FairleadError."""
    now = clock()
    found = granted or _best(places, now)
    why = found.why_not(now, os.getuid()) if found else ""
    if found is None or why:
        hint = "`fairlead off --grant FILE` takes one"
        raise TrustError(f"the grant {why}" if why else "nobody has granted that to you here", hint=hint)
    said = f"{here.name_of_user()} switches off, as {found.by} granted ({found.id[:12]})"
    write_record(places, what=_WHAT, rule=USED, reason=said)
    write_private(places.off_marker, marker_for(found).encode())
    return found


def _best(places: Places, now: Clock) -> Granted | None:
    try:
        names = os.listdir(granted_folder(places))
    except OSError:
        return None
    found = (read_granted(places, name) for name in names)
    good = [each for each in found if each and not each.why_not(now, os.getuid())]
    return max(good, key=lambda each: each.end, default=None)


def _checked(places: Places, content: bytes, now: Clock) -> tuple[OffGrant, tuple[str, ...]]:
    enrolment = read_enrolment(places)
    if enrolment is None:
        raise TrustError("this machine is in no fleet", hint="`fairlead fleet enrol` makes it one of a fleet")
    if not may_take(places):
        hint = "root takes it: `sudo fairlead off --grant FILE`, or the agent of the fleet by the broker"
        raise TrustError("root manages this machine, so root takes grants here", hint=hint)
    store = Store(places.fleet)
    in_force = store.in_force()
    if in_force is None:
        raise TrustError("no bundle is in force here, so nobody may grant anything")
    return check_grant(
        content,
        machine=enrolment.machine,
        role=store.roles(enrolment.roles).approval,
        rules=read_approvals(in_force.manifest.approvals),
        minutes=read_limits(places).minutes,
        now=max(now.wall, store.seen().of(enrolment.group).at),
    )


def _uid_of(user: str) -> str:
    if not user:
        return EVERYBODY
    account = here.account_named(user)
    if account is None:
        raise TrustError(f"this machine has no user {user!r}")
    return str(account.uid)


def _spend(path: str) -> None:
    """For good, before it takes effect; of two, one spends it."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o755, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except FileExistsError as error:
        raise TrustError("this grant has been used", hint="each works once; ask for another") from error
    try:
        os.write(descriptor, f"{int(time.time())}\n".encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(folder)
