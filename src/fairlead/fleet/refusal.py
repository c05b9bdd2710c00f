"""Why something that came from elsewhere is not taken: a code for programs, words for people."""

from __future__ import annotations

from enum import StrEnum

from fairlead.errors import FairleadError
from fairlead.model.value import Value


class RefusalCode(StrEnum):
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    FORGED = "forged"
    WRONG_GROUP = "wrong-group"
    OLDER = "older"
    FORK = "fork"
    EXPIRED = "expired"
    FILES_DIFFER = "files-differ"
    UNSAFE_PATH = "unsafe-path"
    BROKEN_POLICY = "broken-policy"
    NO_ROOM = "no-room"


class Refusal(Value):
    """What was wrong, and what to do about it. Whatever was in force before still is."""

    code: RefusalCode
    message: str
    hint: str = ""

    def as_json(self) -> dict[str, object]:
        return {"code": str(self.code), "message": self.message, "hint": self.hint}


class RefusedError(FairleadError):
    """A document or bundle that must not be used."""

    code = "REFUSED"

    def __init__(self, code: RefusalCode, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.refusal = Refusal(code, message, hint)
