"""Bytes with the signatures over them, as documents carry them. Checking them is `signing`."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

from fairlead.fleet.documents import Fields, read_document, unreadable, write_document
from fairlead.model.value import Value

MAX_SIGNATURES = 64
_MAX_BYTES = 32 * 1024
_KEY_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


class Signature(Value):
    keyid: str
    signature: bytes

    def as_json(self) -> dict[str, object]:
        return {"keyid": self.keyid, "signature": base64.b64encode(self.signature).decode("ascii")}


class Signed(Value):
    """What was signed, byte for byte."""

    content: bytes
    signatures: tuple[Signature, ...] = ()

    def as_json(self, name: str = "statement") -> dict[str, object]:
        return {
            name: base64.b64encode(self.content).decode("ascii"),
            "signatures": [signature.as_json() for signature in self.signatures],
        }


def take_signatures(fields: Fields) -> tuple[Signature, ...]:
    """The `signatures` of a document. Raises RefusedError."""
    return _signatures(fields, fields.each("signatures"))


def _signatures(fields: Fields, each: Iterable[Fields]) -> tuple[Signature, ...]:
    made: list[Signature] = []
    for one in each:
        made.append(Signature(one.text("keyid", _KEY_ID), one.octets("signature", limit=64)))
        one.finish()
        if len(made) > MAX_SIGNATURES:
            raise fields.wrong("signatures", f"are more than {MAX_SIGNATURES}")
    return tuple(made)


def take_signed(fields: Fields, name: str = "statement", *, limit: int) -> Signed:
    """Content in base64 beside its signatures. Raises RefusedError."""
    signed = Signed(fields.octets(name, limit=limit), take_signatures(fields))
    fields.finish()
    return signed


def read_signatures(content: bytes) -> tuple[Signature, ...]:
    """`signatures.json` of a bundle. Raises RefusedError."""
    fields = read_document(content, "signatures.json", limit=_MAX_BYTES)
    signatures = take_signatures(fields)
    fields.finish()
    if write_signatures(signatures) != content:  # nobody has signed this file: it has one spelling
        raise unreadable("signatures.json", "it is not written as it has to be")
    return signatures


def write_signatures(signatures: Iterable[Signature]) -> bytes:
    ordered = sorted(signatures, key=lambda signature: signature.keyid)
    return write_document({"signatures": [signature.as_json() for signature in ordered]})
