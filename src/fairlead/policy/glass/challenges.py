"""What a locked-out person reads out, what is signed elsewhere, and what is read back.

A challenge is bound to the machine, its group and bundle, the person, the minutes, this start of the machine
and the moment in it, and a nonce. Of the last three the centre hears a mark of 40 bits, and twenty more that
are wrong where anything was misheard.
"""

from __future__ import annotations

import os
from hashlib import sha256

from fairlead.errors import UsageError
from fairlead.model.value import Value
from fairlead.policy.glass.letters import (
    LETTERS,
    count_letters,
    in_groups,
    letters_of,
    number_of,
    typed_groups,
    without_checks,
)
from fairlead.policy.glass.spoken import LENGTH, LINK

WAITS = 900
"""Seconds in which an answer can be typed."""
MOST_MINUTES = 1440
NOBODY = "-"
"""In place of a machine or a group, where there is none."""
_MARK_LETTERS, _CHECK_LETTERS, _MARK = 8, 4, 5
_GROUPS = (_MARK_LETTERS + _CHECK_LETTERS) // LETTERS
ROWS = LENGTH // LINK
ROW = 16 // LETTERS
"""Groups of a row: one chain."""


class Asked(Value):
    """What the centre hears, and signs. `mark` is hexadecimal."""

    machine: str
    group: str
    bundle: int
    user: str
    minutes: int
    mark: str

    def message(self) -> bytes:
        said = (self.machine, self.group, self.bundle, self.user, self.minutes, self.mark)
        return "".join(f"{each}\n" for each in said).encode("utf-8", "surrogateescape")

    @property
    def code(self) -> str:
        """What is read out besides the names."""
        digest = sha256(b"fairlead-heard\n" + self.message()).digest()
        heard = letters_of(int(self.mark, 16), _MARK_LETTERS)
        return "-".join(in_groups(heard + letters_of(int.from_bytes(digest, "big"), _CHECK_LETTERS)))


class Challenge(Value):
    """`start` counts from the start of the machine; `nonce` is hexadecimal."""

    machine: str
    group: str
    bundle: int
    user: str
    minutes: int
    uid: int
    boot: str
    start: int
    nonce: str

    @property
    def asked(self) -> Asked:
        said = f"fairlead-challenge-v1\n{self.uid}\n{self.boot}\n{self.start}\n{self.nonce}\n"
        mark = sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[: 2 * _MARK]
        return Asked(self.machine, self.group, self.bundle, self.user, self.minutes, mark)

    @property
    def last(self) -> int:
        """Nothing that answers it counts any longer."""
        return self.start + WAITS + 60 * self.minutes


def new_nonce() -> str:
    return os.urandom(16).hex()


def typed_challenge(code: str) -> str:
    """Its letters, as they were read out. Raises UsageError that says which group is wrong."""
    return without_checks(typed_groups(code, _GROUPS, "the challenge"))


def heard(code: str, asked: Asked) -> Asked:
    """The challenge that was read out, with the names as they were heard. Raises UsageError."""
    letters = typed_challenge(code)
    number = number_of(letters[:_MARK_LETTERS])
    found = asked.replace(mark=f"{number:0{2 * _MARK}x}")
    if in_groups(letters) != found.code.split("-"):
        raise UsageError(
            "this challenge was made for another machine, group, bundle, user or number of minutes",
            hint="have all of them read out again, and compare letter by letter",
        )
    return found


def spoken_answer(signature: bytes) -> list[str]:
    """Rows to read out."""
    links = (signature[at : at + LINK] for at in range(0, LENGTH, LINK))
    letters = "".join(letters_of(int.from_bytes(link, "big"), ROW * LETTERS) for link in links)
    groups = in_groups(letters)
    return [" ".join(groups[at : at + ROW]) for at in range(0, len(groups), ROW)]


def is_answer(text: str) -> bool:
    """By its length, which no code has."""
    return count_letters(text) == ROWS * ROW * (LETTERS + 1)


def typed_row(text: str, row: int) -> str:
    """One row, as it was read out. Raises UsageError."""
    return " ".join(typed_groups(text, ROW, f"row {row + 1} of the answer", first=row * ROW))


def typed_answer(text: str) -> bytes:
    """Raises UsageError that says which group is wrong."""
    letters = without_checks(typed_groups(text, ROWS * ROW, "the answer"))
    size = ROW * LETTERS
    rows = (letters[at : at + size] for at in range(0, len(letters), size))
    return b"".join(number_of(row).to_bytes(LINK, "big") for row in rows)
