"""SHA-256 in the interpreter's own code.

`hashlib` brings OpenSSL along: loading it costs a call without a daemon 6 ms, and finding it again costs a
warm call 20 us when other programs have run since.
"""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _made_here() -> Callable[[bytes], Any]:
    for name in ("_sha2", "_sha256"):  # the first from Python 3.12 on
        try:
            made: Callable[[bytes], Any] = __import__(name).sha256
        except (ImportError, AttributeError):
            continue
        return made
    from hashlib import sha256

    return sha256


class _Code:
    """Whose code it is that makes them."""

    sha256 = staticmethod(_made_here())


def use_openssl() -> None:
    """For a process that has it loaded anyway, and digests all day: there it takes a quarter of the time."""
    from hashlib import sha256

    _Code.sha256 = staticmethod(sha256)


def sha256_hex(data: bytes) -> str:
    digest: str = _Code.sha256(data).hexdigest()
    return digest
