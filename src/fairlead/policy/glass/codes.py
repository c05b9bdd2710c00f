"""One-time codes: how they are written, typed and known again.

A code is 100 random bits as five groups, each of four letters and one that is wrong where the others were
misheard. Printed, it is worth an hour without a guard; what a policy says of it (`Entry`) is worth nothing.
"""

from __future__ import annotations

import os
import re
from hashlib import scrypt, sha256

from fairlead.errors import UsageError
from fairlead.model.value import Value
from fairlead.policy.glass.one_time import public_of

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_HEARD_AS = str.maketrans("OIL", "011")
_GROUPS, _LETTERS = 5, 4
BITS = 5 * _GROUPS * _LETTERS
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""A twentieth of a second for a guess. The bits alone are enough; this is for those who print fewer."""
SALT = 8
ENTRY = re.compile(r"\b1-([0-9a-f]{16})-([0-9a-f]{64})\b")


class Entry(Value):
    """What a policy says of a code: `1-SALT-PUBLIC`."""

    salt: bytes
    public: str

    @property
    def text(self) -> str:
        return f"1-{self.salt.hex()}-{self.public}"

    @property
    def name(self) -> str:
        """How the code is named in records: enough to find it in the policy."""
        return self.public[:12]


def entry_in(text: str) -> Entry | None:
    found = ENTRY.fullmatch(text)
    return Entry(bytes.fromhex(found[1]), found[2]) if found else None


def new_code() -> str:
    number = int.from_bytes(os.urandom(16), "big")
    letters = [_ALPHABET[number >> 5 * place & 31] for place in range(_GROUPS * _LETTERS)]
    groups = ("".join(letters[at : at + _LETTERS]) for at in range(0, len(letters), _LETTERS))
    return "-".join(group + _check(group, place) for place, group in enumerate(groups))


def _check(group: str, place: int) -> str:
    """Its place goes in, so that groups in another order are seen."""
    return _ALPHABET[sha256(f"{place}{group}".encode()).digest()[0] & 31]


def typed_code(text: str) -> str:
    """The code as it was printed, however it was typed. Raises UsageError that says which group is wrong."""
    letters = re.sub(r"[\s.-]+", "", text.upper()).translate(_HEARD_AS)
    size = _LETTERS + 1
    if len(letters) != _GROUPS * size:
        raise UsageError(
            f"a code has {_GROUPS} groups of {size} letters and digits, and this has {len(letters)}",
            hint="type it as it was read out: 7Q2M4-Z9KXA-...",
        )
    groups = [letters[at : at + size] for at in range(0, len(letters), size)]
    for place, group in enumerate(groups):
        if set(group) - set(_ALPHABET) or group[-1] != _check(group[:-1], place):
            raise UsageError(f"group {place + 1} of the code is mistyped", hint="have it read out again")
    return "-".join(groups)


def secret_of(code: str, salt: bytes, machine: str = "") -> bytes:
    """The key that a code stands for: of one machine, or of all that have the policy."""
    return scrypt(code.encode(), salt=salt + machine.encode(), dklen=32, **_SCRYPT)


def entry_of(code: str, salt: bytes, machine: str = "") -> Entry:
    return Entry(salt, public_of(secret_of(code, salt, machine), salt))
