"""Keys for answers that are read out, in a file of the one person who answers; each key answers once.

The file says which challenge each key has answered. That is on the disk before an answer is shown: a key that
signs two challenges gives itself away. So a file is never copied, and never put back from a backup.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.durable import sync_folder, write_file, write_new_secret
from fairlead.fleet.documents import NAME, Fields, read_document, write_document
from fairlead.fleet.refusal import RefusedError
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.glass.challenges import NOBODY, Asked
from fairlead.policy.glass.codes import ANSWERS, SALT, Entry
from fairlead.policy.glass.spoken import public_of, sign

MOST = 200
_LIMIT = 256 * 1024
_KEY_BYTES = 32


class Answered(Value):
    """`challenge` is the hash of what was signed, `code` how it was read out."""

    challenge: str
    code: str
    machine: str
    user: str
    minutes: int
    reason: str
    at: int


class AnswerKeys(Value):
    """`seed` and `salt` are hexadecimal; the keys are used in their order."""

    group: str
    seed: str
    salt: str
    count: int
    answered: tuple[Answered, ...] = ()

    def secret(self, place: int) -> bytes:
        return sha256(b"fairlead-answer-key\n" + bytes.fromhex(self.seed) + bytes((place,))).digest()

    def entry(self, place: int) -> Entry:
        salt = bytes.fromhex(self.salt)
        return Entry(salt, public_of(self.secret(place), salt), ANSWERS)

    @property
    def left(self) -> int:
        return self.count - len(self.answered)

    def __repr__(self) -> str:
        return f"AnswerKeys({self.group!r}, {self.left} left)"

    def written(self) -> bytes:
        plain = {name: getattr(self, name) for name in self._fields if name != "answered"}
        told = [{name: getattr(each, name) for name in Answered._fields} for each in self.answered]
        return write_document({"format": 1, **plain, "answered": told})


class Said(Value):
    """An answer, and which key has signed it."""

    signature: bytes
    entry: Entry
    left: int
    again: bool = False
    """The same challenge had this answer before."""


def new_keys(group: str, count: int) -> AnswerKeys:
    return AnswerKeys(group, os.urandom(_KEY_BYTES).hex(), os.urandom(SALT).hex(), count)


def write_keys(path: str, keys: AnswerKeys) -> None:
    """A file that is there is never replaced."""
    write_new_secret(path, keys.written())


def group_of(path: str) -> str:
    """Raises FairleadError."""
    return _read(path).group


def answer(path: str, asked: Asked, *, reason: str) -> Said:
    """Signs a challenge with the next key, and notes that first. The same challenge has the same answer.
    Raises FairleadError."""
    with _locked(path):
        keys = _read(path)
        if asked.group not in (keys.group, NOBODY):
            raise FairleadError(f"these keys are of the group {keys.group}, and not of {asked.group}")
        digest = sha256_hex(asked.message())
        place = next((n for n, each in enumerate(keys.answered) if each.challenge == digest), -1)
        again = place >= 0
        if not again:
            place = len(keys.answered)
            _note(path, keys, _answered(asked, digest, reason))
        signature = sign(asked.message(), keys.secret(place), bytes.fromhex(keys.salt))
        left = keys.left if again else keys.left - 1
        return Said(signature, keys.entry(place), left, again)


def _answered(asked: Asked, digest: str, reason: str) -> Answered:
    return Answered(digest, asked.code, asked.machine, asked.user, asked.minutes, reason, int(time.time()))


def _note(path: str, keys: AnswerKeys, told: Answered) -> None:
    if keys.left <= 0:
        raise FairleadError(f"every key of {path} has answered once", hint="`fairlead bundle answer-keys`")
    content = keys.replace(answered=(*keys.answered, told)).written()
    try:
        write_file(path, content, mode=0o600)
        sync_folder(os.path.dirname(os.path.abspath(path)))
    except OSError as error:
        raise FairleadError(f"{path} cannot be written, so nothing was signed: {error.strerror}") from error


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """One at a time: two who took the same key would give it away."""
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise FairleadError(f"{path} cannot be locked: {error.strerror}") from error
    try:
        here.lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _content(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise FairleadError(f"the keys {path} cannot be read: {error.strerror}") from error
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise FairleadError(f"{path} is no file with keys")
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise FairleadError(f"the keys {path} can be read by others", hint=f"chmod 600 {path}")
        return os.read(descriptor, _LIMIT + 1)
    finally:
        os.close(descriptor)


def _read(path: str) -> AnswerKeys:
    try:
        fields = read_document(_content(path), path, limit=_LIMIT)
        fields.format()
        made = AnswerKeys(
            fields.text("group", NAME),
            fields.text("seed", limit=2 * _KEY_BYTES),
            fields.text("salt", limit=2 * SALT),
            fields.number("count", low=1, high=MOST),
            tuple(_told(each) for each in fields.each("answered")),
        )
        fields.finish()
        if (len(bytes.fromhex(made.seed)), len(bytes.fromhex(made.salt))) == (_KEY_BYTES, SALT):
            return made
    except (RefusedError, ValueError) as error:
        raise FairleadError(f"{path} holds no keys for answers: {error}") from error
    raise FairleadError(f"{path} holds no keys for answers")


def _told(fields: Fields) -> Answered:
    made = Answered(
        fields.text("challenge"),
        fields.text("code"),
        fields.text("machine"),
        fields.text("user"),
        fields.number("minutes"),
        fields.text("reason"),
        fields.number("at"),
    )
    fields.finish()
    return made
