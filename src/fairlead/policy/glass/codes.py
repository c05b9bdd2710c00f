"""One-time codes: how they are written, typed and known again.

A code is 100 random bits as five groups of letters. Printed, it is worth an hour without a guard; what a
policy says of it (`Entry`) is worth nothing.
"""

from __future__ import annotations

import os
import re
from hashlib import scrypt

from fairlead.model.value import Value
from fairlead.policy.glass.letters import LETTERS, in_groups, letters_of, typed_groups
from fairlead.policy.glass.one_time import public_of

GROUPS = 5
BITS = 5 * GROUPS * LETTERS
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""A twentieth of a second for a guess. The bits alone are enough; this is for those who print fewer."""
SALT = 8
CODE, ANSWERS = "1", "2"
"""Kinds of entries: of a code that is printed, and of a key that answers one challenge."""
ENTRY = re.compile(r"\b([12])-([0-9a-f]{16})-([0-9a-f]{64})\b")


class Entry(Value):
    """What a policy says of a code, `1-SALT-PUBLIC`, or of a key for one answer, `2-SALT-PUBLIC`."""

    salt: bytes
    public: str
    kind: str = CODE

    @property
    def text(self) -> str:
        return f"{self.kind}-{self.salt.hex()}-{self.public}"

    @property
    def name(self) -> str:
        """How the code is named in records: enough to find it in the policy."""
        return self.public[:12]


def entry_in(text: str) -> Entry | None:
    found = ENTRY.fullmatch(text)
    return entry_from(found) if found else None


def entry_from(found: re.Match[str]) -> Entry:
    return Entry(bytes.fromhex(found[2]), found[3], found[1])


def new_code() -> str:
    return "-".join(in_groups(letters_of(int.from_bytes(os.urandom(16), "big"), GROUPS * LETTERS)))


def typed_code(text: str) -> str:
    """The code as it was printed, however it was typed. Raises UsageError that says which group is wrong."""
    return "-".join(typed_groups(text, GROUPS, "the code"))


def secret_of(code: str, salt: bytes, machine: str = "") -> bytes:
    """The key that a code stands for: of one machine, or of all that have the policy."""
    return scrypt(code.encode(), salt=salt + machine.encode(), dklen=32, **_SCRYPT)


def entry_of(code: str, salt: bytes, machine: str = "") -> Entry:
    return Entry(salt, public_of(secret_of(code, salt, machine), salt))
