"""The off-marker to which somebody elsewhere has said yes: `glass 2`, with the answer that was read back.

The answer signs all that the marker says of the challenge. `until`, `wall` and `record` are the machine's own
word, and within what the answer allows.
"""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.policy.glass.challenges import MOST_MINUTES, WAITS, Challenge
from fairlead.policy.glass.codes import ANSWERS, Entry, entry_in
from fairlead.policy.glass.spoken import LENGTH, signer_of

HEAD = "glass 2\n"
FIELDS = (
    "code", "machine", "group", "bundle", "user", "minutes", "uid", "boot", "from", "nonce", "until", "wall",
    "record", "answer",
)  # fmt: skip
_NUMBERS = ("bundle", "minutes", "uid", "from", "until", "wall")


class AnsweredGlass(Value):
    """`end` counts from the start of the machine, `wall` from the epoch."""

    entry: Entry
    challenge: Challenge
    answer: bytes
    end: int
    wall: int
    record: str

    @property
    def uid(self) -> int:
        return self.challenge.uid

    @property
    def boot(self) -> str:
        return self.challenge.boot

    @property
    def start(self) -> int:
        return self.challenge.start

    @property
    def longest(self) -> int:
        return self.challenge.last - self.challenge.start

    def text(self) -> str:
        said = self.challenge
        values = (
            self.entry.text, said.machine, said.group, said.bundle, said.user, said.minutes, said.uid,
            said.boot, said.start, said.nonce, self.end, self.wall, self.record, self.answer.hex(),
        )  # fmt: skip
        return HEAD + "".join(f"{name}={value}\n" for name, value in zip(FIELDS, values, strict=True))

    def is_signed_in(self, marker: str) -> bool:
        if marker != self.text() or self.entry.kind != ANSWERS:
            return False
        message = self.challenge.asked.message()
        return signer_of(message, self.answer, self.entry.salt) == self.entry.public


def answered_in(marker: str) -> AnsweredGlass | None:
    """What it says, whether it is true or not."""
    lines = marker[len(HEAD) :].split("\n")
    pairs = [line.partition("=")[::2] for line in lines[: len(FIELDS)]]
    if tuple(name for name, _ in pairs) != FIELDS:
        return None
    said = dict(pairs)
    numbers = {name: _number(said[name]) for name in _NUMBERS}
    entry = entry_in(said["code"])
    answer = said["answer"]
    hexadecimal = len(answer) == 2 * LENGTH and not set(answer) - set("0123456789abcdef")
    if entry is None or not hexadecimal or min(numbers.values()) < 0 or numbers["minutes"] > MOST_MINUTES:
        return None
    challenge = Challenge(
        machine=said["machine"],
        group=said["group"],
        bundle=numbers["bundle"],
        user=said["user"],
        minutes=numbers["minutes"],
        uid=numbers["uid"],
        boot=said["boot"],
        start=numbers["from"],
        nonce=said["nonce"],
    )
    end, wall = numbers["until"], numbers["wall"]
    return AnsweredGlass(entry, challenge, bytes.fromhex(answer), end, wall, said["record"])


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def answered_glass(
    entry: Entry, challenge: Challenge, answer: bytes, *, record: str, running: int, wall: int
) -> AnsweredGlass:
    """It holds for the minutes from now on, and ends with what the answer allows."""
    end = min(running + 60 * challenge.minutes, challenge.start + WAITS + 60 * challenge.minutes)
    return AnsweredGlass(entry, challenge, answer, end, wall + end - running, record)
