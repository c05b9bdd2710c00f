"""Whether a bundle may be taken: every question in a fixed order, and the first no ends it.

Nothing but the sizes of two files is read of a bundle before its signatures are found right, and nothing is
kept of it before every question is answered.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.fleet.bundles.archive import Archive, check_paths
from fairlead.fleet.bundles.manifest import (
    MAX_UNPACKED,
    Manifest,
    manifest_hash,
    read_manifest,
    require_readable,
)
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.seen import SeenGroup
from fairlead.fleet.bundles.signatures import Signed, read_signatures
from fairlead.fleet.bundles.signing import FOR_BUNDLES, require_signed
from fairlead.fleet.moments import DAY, write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value

AHEAD = DAY
"""How far the clock of a machine may be behind that of who made the bundle."""


class Expected(Value):
    """What a machine holds a bundle against. `now` is never before the latest time that it was told of."""

    group: str
    roles: Roles
    seen: SeenGroup
    now: float

    @property
    def time(self) -> int:
        return max(int(self.now), self.seen.at)


class Opened(Value):
    """A bundle that was signed and fits; whether its policy can be read is still to be seen."""

    manifest: Manifest
    manifest_bytes: bytes
    signature_bytes: bytes
    files: Mapping[str, bytes]
    bundle_sha256: str

    @property
    def sha256(self) -> str:
        """By which the bundle is known: that of its manifest."""
        return manifest_hash(self.manifest_bytes)


def open_signed(content: bytes, roles: Roles) -> tuple[Archive, Manifest]:
    """Only size and signatures. Raises RefusedError."""
    archive = Archive(content)
    signed = Signed(archive.manifest, read_signatures(archive.signatures))
    require_signed(signed, roles.bundle, purpose=FOR_BUNDLES, what="the bundle")
    return archive, read_manifest(archive.manifest)


def open_bundle(content: bytes, expected: Expected) -> Opened:
    """Raises RefusedError."""
    archive, manifest = open_signed(content, expected.roles)
    check_manifest(manifest, manifest_hash(archive.manifest), expected)
    return opened(archive, manifest, content)


def opened(archive: Archive, manifest: Manifest, content: bytes) -> Opened:
    """With its files, which are those of the manifest and no other. Raises RefusedError."""
    check_paths(manifest.files)
    require_readable(manifest.files)
    if sum(mark.size for mark in manifest.files.values()) > MAX_UNPACKED:
        raise RefusedError(RefusalCode.TOO_LARGE, "the files of the bundle are too large")
    files = archive.files(manifest.files)
    return Opened(manifest, archive.manifest, archive.signatures, files, sha256_hex(content))


def check_manifest(manifest: Manifest, sha256: str, expected: Expected) -> None:
    """Raises RefusedError for another group, an older version, a fork, and one whose time is not now."""
    if manifest.group != expected.group:
        message = f"the bundle is for the group {manifest.group}, and this machine is in {expected.group}"
        raise RefusedError(RefusalCode.WRONG_GROUP, message)
    seen = expected.seen
    if manifest.version < seen.version and not seen.may_step_back(manifest.version, sha256):
        message = f"the bundle is version {manifest.version}, and {seen.version} was here already"
        raise RefusedError(RefusalCode.OLDER, message, hint="publish what it holds as a higher version")
    if manifest.version == seen.version and sha256 != seen.manifest_sha256:
        message = f"there are two bundles of version {manifest.version}"
        raise RefusedError(
            RefusalCode.FORK, message, hint="find out who signed both; publish a higher version"
        )
    if expected.time >= manifest.expires:
        message = f"the bundle expired on {write_moment(manifest.expires)}"
        raise RefusedError(RefusalCode.EXPIRED, message, hint="build and sign it again, as a higher version")
    if manifest.created > expected.time + AHEAD:
        message = (
            f"the bundle was made on {write_moment(manifest.created)}, and here it is "
            f"{write_moment(expected.time)}"
        )
        raise RefusedError(RefusalCode.EXPIRED, message, hint="one of the two clocks is wrong: set it")
