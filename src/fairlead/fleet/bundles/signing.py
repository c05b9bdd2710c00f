"""Ed25519 over bytes as they are, each purpose with a prefix of its own, so that no signature serves two.

The one room that needs PyNaCl. It is imported by commands and by the process that takes bundles up, never by
a hook call.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from collections.abc import Iterable
from types import ModuleType

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.durable import write_new_secret
from fairlead.fleet.bundles.roles import Role, key_bytes, key_id, key_text
from fairlead.fleet.bundles.signatures import Signature, Signed
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.value import Value

FOR_BUNDLES = b"fairlead-bundle-v1\n"
FOR_ROLES = b"fairlead-roles-v1\n"
FOR_FRESHNESS = b"fairlead-freshness-v1\n"
FOR_GRANTS = b"fairlead-grant-v1\n"
FOR_OFF = b"fairlead-off-v1\n"
_SEED_BYTES = 32
_MAX_FILE = 256
_LINE = re.compile(rb"fairlead-key-v1 ([A-Za-z0-9+/]{43}=)\n?", re.ASCII)


class PrivateKey(Value):
    """`path` is where it was read."""

    seed: bytes
    path: str = ""

    @property
    def public(self) -> str:
        return key_text(bytes(_nacl().SigningKey(self.seed).verify_key))

    def sign(self, content: bytes, *, purpose: bytes) -> Signature:
        made = _nacl().SigningKey(self.seed).sign(purpose + content).signature
        return Signature(key_id(self.public), bytes(made))

    def __repr__(self) -> str:
        return f"PrivateKey({self.path!r})"


def _nacl() -> ModuleType:
    try:
        from nacl import signing
    except ImportError as error:
        hint = "pip install 'fairlead[fleet]'"
        raise FairleadError("signatures need PyNaCl, which is not installed", hint=hint) from error
    return signing


def signed_by(
    content: bytes, signatures: Iterable[Signature], role: Role, *, purpose: bytes
) -> frozenset[str]:
    """The ids of those keys of the role that have signed; each counts once."""
    from nacl.exceptions import BadSignatureError

    keys = {key_id(key): key_bytes(key) for key in role.keys}
    found: set[str] = set()
    for each in signatures:
        if each.keyid in keys and each.keyid not in found and len(each.signature) == 64:
            try:
                _nacl().VerifyKey(keys[each.keyid]).verify(purpose + content, each.signature)
            except (BadSignatureError, ValueError):
                continue
            found.add(each.keyid)
    return frozenset(found)


def require_signed(signed: Signed, role: Role, *, purpose: bytes, what: str) -> None:
    """Raises RefusedError unless enough keys of the role have signed."""
    _nacl()
    found = signed_by(signed.content, signed.signatures, role, purpose=purpose)
    if not role.keys or len(found) < role.threshold:
        known = {key_id(key) for key in role.keys}
        foreign = sorted({each.keyid for each in signed.signatures} - known)
        more = f"; {', '.join(foreign[:3])} is not known here" if foreign else ""
        message = f"{what} is signed by {len(found)} of the {role.threshold} keys that it takes{more}"
        raise RefusedError(RefusalCode.FORGED, message, hint="ask whoever publishes it, before anything else")


def new_key() -> PrivateKey:
    return PrivateKey(os.urandom(_SEED_BYTES))


def write_key(path: str, key: PrivateKey) -> None:
    """For its owner alone; a file that is there is never replaced."""
    write_new_secret(path, b"fairlead-key-v1 " + base64.b64encode(key.seed) + b"\n")


def read_key(path: str) -> PrivateKey:
    """Raises FairleadError for a file that others can read, or that is no key."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise FairleadError(f"the key {path} cannot be read: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise FairleadError(f"{path} is no file with a key")
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise FairleadError(f"the key {path} can be read by others", hint=f"chmod 600 {path}")
        content = file.read(_MAX_FILE)
    line = _LINE.fullmatch(content)
    if not line:
        raise FairleadError(f"{path} holds no key", hint="`fairlead bundle keygen` makes one")
    return PrivateKey(base64.b64decode(line[1]), path)
