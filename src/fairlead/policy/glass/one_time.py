"""Signatures that one key can make once, of nothing but SHA-256 (Winternitz).

The clients check them without a library: this is written three times, here, in `doors/client.py` and in
`native/glass.c`, and one table of tests runs against all three. A key is a secret of 32 bytes; each digit of
what is signed is the number of steps along a chain, and a checksum keeps others from walking on.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

LINK = 20
"""Bytes of one link of a chain."""
CHAINS = 67
"""64 digits of a SHA-256, and three of their checksum."""
_STEPS = 15
SIGNATURE_LENGTH = 2 * CHAINS * LINK
"""As hexadecimal text."""


def public_of(secret: bytes, salt: bytes) -> str:
    """What tells whether a signature is by this key, and tells nothing of it."""
    ends = (_walk(link, salt, chain, 0, _STEPS) for chain, link in enumerate(_starts(secret)))
    return _public(ends)


def sign(message: bytes, secret: bytes, salt: bytes) -> str:
    """A second message signed by the same key gives the key away in part."""
    links = zip(_starts(secret), _digits(message), strict=True)
    return "".join(_walk(link, salt, chain, 0, digit).hex() for chain, (link, digit) in enumerate(links))


def signer_of(message: bytes, signature: str, salt: bytes) -> str:
    """Whose signature it would be; empty for what is none."""
    if len(signature) != SIGNATURE_LENGTH or set(signature) - set("0123456789abcdef"):
        return ""
    whole = bytes.fromhex(signature)
    links = [whole[at : at + LINK] for at in range(0, len(whole), LINK)]
    digits = _digits(message)
    ends = (_walk(link, salt, n, digits[n], _STEPS) for n, link in enumerate(links))
    return _public(ends)


def _starts(secret: bytes) -> Iterator[bytes]:
    for chain in range(CHAINS):
        yield sha256(b"fairlead-glass-chain\n" + secret + bytes((chain,))).digest()[:LINK]


def _walk(link: bytes, salt: bytes, chain: int, first: int, last: int) -> bytes:
    for step in range(first, last):
        link = sha256(salt + bytes((chain, step)) + link).digest()[:LINK]
    return link


def _digits(message: bytes) -> list[int]:
    digest = sha256(b"fairlead-glass-v1\n" + message).digest()
    digits = [digit for byte in digest for digit in (byte >> 4, byte & 15)]
    rest = sum(_STEPS - digit for digit in digits)
    return [*digits, rest >> 8, rest >> 4 & 15, rest & 15]


def _public(ends: Iterator[bytes]) -> str:
    return sha256(b"".join(ends)).hexdigest()
