"""The folder where bundles are kept: what is in force, what was in force before, and what was seen.

    current -> bundles/SHA256    one rename switches; hook calls read through it
    bundles/SHA256/              the files of a bundle, with manifest.json, signatures.json and taken.json
    seen.json  roles.json        what must not be forgotten; freshness.json says the same to hook calls

At every moment `current` leads to a bundle that was checked in full. Whoever is killed leaves at most a
draft, which the next one removes. What was switched to counts as seen, even if nobody lived to write it down.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.archive import MANIFEST
from fairlead.fleet.bundles.checking import Expected, Opened, open_bundle
from fairlead.fleet.bundles.durable import draft_of, sync_folder, write_file
from fairlead.fleet.bundles.lost import (
    ROLES,
    SEEN,
    gone_words,
    kept_bytes,
    lost_files,
    lost_words,
    require_roles,
    troubles_of,
)
from fairlead.fleet.bundles.manifest import MAX_MANIFEST, Manifest, manifest_hash, read_manifest
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.rotation import MAX_CHAIN, believed_roles, next_roles, read_chain, write_chain
from fairlead.fleet.bundles.seen import MAX_SEEN, Seen, SeenGroup, anchor_hash, read_seen
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.standing import Standing, check_statement, standing
from fairlead.fleet.bundles.unpacked import damaged_files, write_bundle
from fairlead.fleet.documents import write_document
from fairlead.fleet.refusal import Refusal, RefusalCode, RefusedError
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.find import read_file
from fairlead.policy.layering.fleet_layer import BUNDLES, CURRENT, FRESHNESS_FILE, folder_in_force
from fairlead.policy.places import Places
from fairlead.policy.reading.problem import ERROR, Problem

Loads = Callable[[str], Sequence[Problem]]
"""What is wrong with the policy in a folder, as a hook call would read it."""
_LOCK = "lock"
_DRAFT = ".new-"
_KEPT = re.compile(r"[0-9a-f]{64}(?:\.\d+)?", re.ASCII)


class InForce(Value):
    """The bundle that hook calls read; `folder` is where its files are."""

    manifest: Manifest
    sha256: str
    folder: str


class Store:
    """`folder` is `Places.fleet`; `private` unless everybody on this machine is to read it."""

    def __init__(self, folder: str, *, private: bool = True, clock: Callable[[], float] = time.time) -> None:
        self.folder, self._private, self._clock = folder, private, clock

    def in_force(self) -> InForce | None:
        """None where nothing is, or where what is there is not what its name says."""
        folder = folder_in_force(self.folder)
        if not folder:
            return None
        try:
            content = read_file(os.path.join(folder, MANIFEST), MAX_MANIFEST)
            manifest = read_manifest(content)
        except (OSError, RefusedError):
            return None
        sha256 = manifest_hash(content)
        named = os.path.basename(folder).partition(".")[0]
        return InForce(manifest, sha256, folder) if named == sha256 else None

    def seen(self) -> Seen:
        """With what is in force, which counts as seen. A file that cannot be read counts as none, and what
        was lost with it is remembered."""
        now = self.in_force()
        try:
            seen = read_seen(kept_bytes(self.folder, SEEN, MAX_SEEN))
        except (OSError, RefusedError):
            seen = Seen(lost=int(self._clock())) if now is not None else Seen()
        if now is None:
            return seen
        group = seen.of(now.manifest.group)
        if now.manifest.version <= group.version:
            return seen
        at = int(self._clock())
        taken = group.took(now.manifest.version, now.sha256, at=at, before=group.version)
        return seen.with_group(now.manifest.group, taken)

    def standing(self, group: str) -> Standing:
        now = self.in_force()
        return standing(now.manifest if now else None, self.seen().of(group), self._clock())

    def time(self, group: str) -> float:
        """Never before the latest time that was heard of."""
        return max(self._clock(), float(self.seen().of(group).at))

    def roles(self, anchor: Roles) -> Roles:
        """The newest that are believed, beginning with those of the enrolment."""
        return believed_roles(anchor, self._chain())[-1]

    def take(self, content: bytes, *, group: str, anchor: Roles, loads: Loads) -> Refusal | None:
        """Check a bundle and put it in force. A refusal has changed nothing."""
        try:
            with self._locked():
                roles, seen = self.roles(anchor), self.seen()
                require_roles(roles, seen, anchor)
                expected = Expected(group, roles, seen.of(group), self._clock())
                self._put_in_force(open_bundle(content, expected), loads)
        except RefusedError as error:
            return error.refusal
        except OSError as error:
            return _no_room(error)
        return None

    def hear(self, signed: Signed, *, group: str, anchor: Roles) -> Refusal | None:
        """Note what the freshness key says."""
        try:
            with self._locked():
                believed, seen = believed_roles(anchor, self._chain()), self.seen()
                roles = believed[-1]
                require_roles(roles, seen, anchor)
                under = [each for each in believed if each.version == seen.roles_version]
                if any(each.freshness != roles.freshness for each in under):
                    seen = seen.forgetting_time()
                statement = check_statement(
                    signed, group=group, roles=roles, seen=seen.of(group), now=self._clock()
                )
                heard = seen.with_group(group, seen.of(group).heard(statement))
                under_roles = {"roles_version": roles.version, "anchor": anchor_hash(anchor)}
                self._remember(heard.replace(**under_roles, contact=int(self._clock())), group)
        except RefusedError as error:
            return error.refusal
        except OSError as error:
            return _no_room(error)
        return None

    def rotate(self, signed: Signed, *, anchor: Roles) -> Refusal | None:
        """Believe the next version of the roles."""
        try:
            with self._locked():
                chain = self._chain()
                next_roles(believed_roles(anchor, chain)[-1], signed)
                write_file(self._path(ROLES), write_chain((*chain, signed)), mode=self._mode)
        except RefusedError as error:
            return error.refusal
        except OSError as error:
            return _no_room(error)
        return None

    def drop(self) -> None:
        """Nothing is in force any more; what was seen is kept. Raises OSError."""
        with self._locked():
            for name in (FRESHNESS_FILE, CURRENT):  # the link last: without it the other says that it is lost
                with suppress(FileNotFoundError):
                    os.unlink(self._path(name))
            shutil.rmtree(self._path(BUNDLES), ignore_errors=True)

    def touch(self) -> None:
        """Note that a source has answered. Raises OSError."""
        with self._locked():
            self._write_seen(self.seen().replace(contact=int(self._clock())))

    def mend(self) -> None:
        """Write again what somebody removed or damaged, from what is left: never younger than that says.
        Raises OSError."""
        now = self.in_force()
        if now is None or not set(lost_files(self.folder)).intersection((SEEN, FRESHNESS_FILE)):
            return
        with self._locked():
            self._remember(self.seen(), now.manifest.group)

    def troubles(self, anchor: Roles | None = None) -> tuple[str, ...]:
        """What is wrong with the files in this folder, in words. `anchor` is what the enrolment believes."""
        if self.in_force() is None:
            return tuple(gone_words(self.folder))
        return tuple(troubles_of(self.folder, self.seen(), anchor))

    def lost(self) -> str:
        """What was lost lately and is mended, in words; empty for nothing."""
        return "" if SEEN in lost_files(self.folder) else lost_words(self.seen(), self._clock())

    def damage(self) -> tuple[str, ...]:
        """The files in force that are not what the manifest says, such as after a fault of the disk."""
        now = self.in_force()
        if now is None:
            return (CURRENT,) if os.path.lexists(self._path(CURRENT)) else ()
        return tuple(damaged_files(now.folder, now.manifest, now.sha256))

    def _put_in_force(self, bundle: Opened, loads: Loads) -> None:
        now, seen, manifest = self.in_force(), self.seen(), bundle.manifest
        if now is None or now.sha256 != bundle.sha256 or self.damage():
            folder = self._kept(bundle) or self._unpack(bundle, loads)
            if not os.path.lexists(self._path(SEEN)):
                self._write_seen(seen)
            if now is not None:
                self._tell_age(seen, now, InForce(manifest, bundle.sha256, folder))
            self._switch(folder)
        before = now.manifest.version if now is not None and now.manifest.group == manifest.group else 0
        at = int(self._clock())
        took = seen.of(manifest.group).took(manifest.version, bundle.sha256, at=at, before=before)
        self._remember(seen.with_group(manifest.group, took), manifest.group)
        self._prune()

    def _kept(self, bundle: Opened) -> str:
        """Where this very bundle lies already, whole."""
        folder = self._path(BUNDLES, bundle.sha256)
        whole = os.path.isdir(folder) and not any(damaged_files(folder, bundle.manifest, bundle.sha256))
        return folder if whole else ""

    def _unpack(self, bundle: Opened, loads: Loads) -> str:
        draft = self._path(BUNDLES, f"{_DRAFT}{os.urandom(6).hex()}")
        try:
            write_bundle(draft, bundle, private=self._private, now=self._clock())
            require_policy(loads(draft), draft)
            folder = self._free_name(bundle.sha256)
            os.rename(draft, folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        sync_folder(self._path(BUNDLES))
        return folder

    def _free_name(self, sha256: str) -> str:
        """Where a damaged one has it already, another beside it: what is in force never lacks its files."""
        folder = self._path(BUNDLES, sha256)
        number = 0
        while os.path.lexists(folder):
            number += 1
            folder = self._path(BUNDLES, f"{sha256}.{number}")
        return folder

    def _switch(self, folder: str) -> None:
        draft = self._path(f"{_DRAFT}{os.urandom(6).hex()}")
        os.symlink(f"{BUNDLES}/{os.path.basename(folder)}", draft)
        try:
            os.rename(draft, self._path(CURRENT))
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
        sync_folder(self.folder)

    def _remember(self, seen: Seen, group: str) -> None:
        self._write_seen(seen)
        now = self.in_force()
        if now is not None and now.manifest.group == group:
            self._tell_age(seen, now)

    def _tell_age(self, seen: Seen, *bundles: InForce) -> None:
        """To hook calls, which may still read the one while the other comes into force."""
        told = {each.sha256: self._age(seen.of(each.manifest.group), each.manifest) for each in bundles}
        write_file(self._path(FRESHNESS_FILE), write_document(told), mode=self._mode)

    def _age(self, seen: SeenGroup, manifest: Manifest) -> dict[str, object]:
        return {
            "at": seen.at,
            "until": seen.fresh_until or manifest.created,
            "expires": manifest.expires,
            "asks": standing(manifest, seen, self._clock()).asks,
            "group": manifest.group,
            "version": manifest.version,
        }

    def _write_seen(self, seen: Seen) -> None:
        write_file(self._path(SEEN), seen.written(), mode=self._mode)

    def _prune(self) -> None:
        """Keep what is in force and what was before it: a call may be reading that one still."""
        now = folder_in_force(self.folder)
        names = [name for name in os.listdir(self._path(BUNDLES)) if _KEPT.fullmatch(name)]
        others = [self._path(BUNDLES, name) for name in names if self._path(BUNDLES, name) != now]
        others.sort(key=lambda path: os.lstat(path).st_mtime_ns, reverse=True)
        for path in others[1:]:
            shutil.rmtree(path, ignore_errors=True)

    def _chain(self) -> tuple[Signed, ...]:
        try:
            return read_chain(kept_bytes(self.folder, ROLES, MAX_CHAIN))
        except (OSError, RefusedError):
            return ()

    @property
    def _mode(self) -> int:
        return 0o600 if self._private else 0o644

    def _path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time; drafts of those that were killed are gone afterwards."""
        mode = 0o700 if self._private else 0o755
        os.makedirs(self._path(BUNDLES), mode=mode, exist_ok=True)
        for folder in (self.folder, self._path(BUNDLES)):
            _check_owner(folder)
            os.chmod(folder, mode)
        self._remove_unless_plain(_LOCK)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self._path(_LOCK), flags, 0o600)
        try:
            here.lock(descriptor)
            self._sweep()
            yield
        finally:
            os.close(descriptor)

    def _sweep(self) -> None:
        for name in (SEEN, ROLES, FRESHNESS_FILE):
            self._remove_unless_plain(name)
        if not os.path.islink(self._path(CURRENT)):
            self._remove_unless_plain(CURRENT)
        for folder in (self.folder, self._path(BUNDLES)):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if name.startswith(_DRAFT) and not os.path.islink(path) and os.path.isdir(path):
                    shutil.rmtree(path, ignore_errors=True)
                elif name.startswith(_DRAFT) or draft_of(name):
                    with suppress(OSError):
                        os.unlink(path)

    def _remove_unless_plain(self, name: str) -> None:
        """A folder or a link where a file of ours belongs: none could be put in its place."""
        path = self._path(name)
        if os.path.islink(path):
            os.unlink(path)
        elif os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)


def store_of(places: Places) -> Store:
    """Root's is read by everybody."""
    return Store(places.fleet, private=places.fleet != places.system_fleet)


def _check_owner(folder: str) -> None:
    info = os.lstat(folder)
    if info.st_uid != os.getuid() or os.path.islink(folder):
        raise FairleadError(f"{folder} is not a folder of this user", hint="run this as its owner")


def _no_room(error: OSError) -> Refusal:
    where = f" ({error.filename})" if error.filename else ""
    message = f"the bundle cannot be stored: {error.strerror or error}{where}"
    return Refusal(RefusalCode.NO_ROOM, message, "what was in force still is; make room, and it is taken")


def require_policy(problems: Sequence[Problem], draft: str) -> None:
    errors = [problem for problem in problems if problem.severity == ERROR]
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        first = str(errors[0].place).replace(f"{draft}/", "")
        message = f"its policy cannot be used here: {first}: {errors[0].message}{more}"
        raise RefusedError(RefusalCode.BROKEN_POLICY, message.replace(f"{draft}/", ""), hint=errors[0].hint)
