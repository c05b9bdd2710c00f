"""Who may sign what: the keys of each role, and how many of them it takes.

The `bundle` keys are the root of trust: they sign manifests and the next version of this document. The
`freshness` key is online and says only which manifest is current; `approval` keys sign answers of people.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

from fairlead.fleet.documents import Fields, read_document, write_document
from fairlead.model.value import Value

BUNDLE, FRESHNESS, APPROVAL = ROLE_NAMES = ("bundle", "freshness", "approval")
MAX_ROLES = 64 * 1024
MAX_KEYS = 64
_KEY = re.compile(r"ed25519:([A-Za-z0-9+/]{43}=)", re.ASCII)


def key_bytes(key: str) -> bytes:
    """The public key that `ed25519:BASE64` names. Raises ValueError."""
    found = _KEY.fullmatch(key)
    if not found:
        raise ValueError(f"{key[:80]!r} is no key such as ed25519:BASE64")
    content = base64.b64decode(found[1], validate=True)
    if key_text(content) != key:
        raise ValueError(f"{key!r} is no key as it is written")
    return content


def key_text(public: bytes) -> str:
    return f"ed25519:{base64.b64encode(public).decode('ascii')}"


def key_id(key: str) -> str:
    return hashlib.sha256(key_bytes(key)).hexdigest()[:16]


class Role(Value):
    """Keys as they are written; a role without keys lets nobody sign."""

    keys: tuple[str, ...] = ()
    threshold: int = 1

    def checked(self) -> Role:
        """Raises ValueError for a role that could never sign, or that counts one key twice."""
        identities = {key_id(key) for key in self.keys}
        if len(identities) != len(self.keys):
            raise ValueError("a key appears twice")
        if len(self.keys) > MAX_KEYS:
            raise ValueError(f"more than {MAX_KEYS} keys")
        if not 1 <= self.threshold <= max(1, len(self.keys)):
            raise ValueError(f"{self.threshold} of {len(self.keys)} keys can never sign")
        return self

    def as_json(self) -> dict[str, object]:
        return {"keys": list(self.keys), "threshold": self.threshold}


class Roles(Value):
    """What a machine believes. Version n + 1 is signed by the bundle keys of n and by its own."""

    version: int
    bundle: Role
    freshness: Role = Role()
    approval: Role = Role()

    def checked(self) -> Roles:
        """Raises ValueError."""
        for name in ROLE_NAMES:
            try:
                getattr(self, name).checked()
            except ValueError as error:
                raise ValueError(f"role {name!r}: {error}") from error
        if not self.bundle.keys:
            raise ValueError("role 'bundle' has no keys")
        return self

    def as_json(self) -> dict[str, object]:
        return {
            "format": 1,
            "version": self.version,
            **{name: getattr(self, name).as_json() for name in ROLE_NAMES},
        }

    def written(self) -> bytes:
        """What is signed."""
        return write_document(self.as_json())


def read_roles(content: bytes) -> Roles:
    """Raises RefusedError."""
    fields = read_document(content, "the roles", limit=MAX_ROLES)
    fields.format()
    roles: Mapping[str, Role] = {name: _role(fields.below(name)) for name in ROLE_NAMES if fields.has(name)}
    version = fields.number("version", low=1)
    try:
        made = Roles(
            version, roles.get(BUNDLE, Role()), *(roles.get(name, Role()) for name in ROLE_NAMES[1:])
        )
        made.checked()
    except ValueError as error:
        raise fields.wrong("roles", str(error)) from error
    fields.finish()
    return made


def _role(fields: Fields) -> Role:
    role = Role(fields.texts("keys"), fields.number("threshold", low=1, high=MAX_KEYS))
    fields.finish()
    return role
