"""Signatures that are short enough to be read out: one key signs one challenge, with nothing but SHA-256.

Three chains of 80 bits, where `one_time` has 67 of 160: two digits of sixteen bits, and a checksum that keeps
others from walking on. So few bits of a message are signed that somebody could look for another message with
the same ones; each look costs 131,072 steps, and so does each check. The clients check it without a library:
this is written three times, here, in `doors/client.py` and in `native/spoken.c`.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

LINK, CHAINS = 10, 3
LENGTH = LINK * CHAINS
"""Bytes of a signature."""
_DIGIT = 0xFFFF
_STEPS = (_DIGIT, _DIGIT, 2 * _DIGIT)
_ROUNDS = 131_072
_CONTEXT = b"fairlead-spoken-v1\n"


def public_of(secret: bytes, salt: bytes) -> str:
    ends = (_walk(_start(secret, chain), salt, chain, 0, _STEPS[chain]) for chain in range(CHAINS))
    return sha256(b"".join(ends)).hexdigest()


def sign(message: bytes, secret: bytes, salt: bytes) -> bytes:
    """A second message signed by the same key gives the key away in part."""
    digits = enumerate(_digits(message, salt))
    return b"".join(_walk(_start(secret, chain), salt, chain, 0, digit) for chain, digit in digits)


@lru_cache(maxsize=8)
def signer_of(message: bytes, signature: bytes, salt: bytes) -> str:
    """Whose signature it would be; empty for what is none. A daemon asks for the same one at every call."""
    if len(signature) != LENGTH:
        return ""
    links = [signature[at : at + LINK] for at in range(0, LENGTH, LINK)]
    digits = _digits(message, salt)
    ends = (_walk(link, salt, n, digits[n], _STEPS[n]) for n, link in enumerate(links))
    return sha256(b"".join(ends)).hexdigest()


def _start(secret: bytes, chain: int) -> bytes:
    return sha256(b"fairlead-spoken-chain\n" + secret + bytes((chain,))).digest()[:LINK]


def _walk(link: bytes, salt: bytes, chain: int, first: int, last: int) -> bytes:
    before = salt + bytes((chain,))
    for step in range(first, last):
        link = sha256(before + step.to_bytes(3, "big") + link).digest()[:LINK]
    return link


def _digits(message: bytes, salt: bytes) -> tuple[int, int, int]:
    digest = sha256(_CONTEXT + message).digest()
    for _ in range(_ROUNDS):
        digest = sha256(digest + salt).digest()
    one, other = int.from_bytes(digest[:2], "big"), int.from_bytes(digest[2:4], "big")
    return one, other, 2 * _DIGIT - one - other
