"""Key material that its form gives away, also where a program printed something between or before its lines."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from fairlead.secrets.detect import Finding, find_secrets
from fairlead.shell.lazy_pattern import lazy

_LIKELY = frozenset(("assigned-secret", "url-password", "jwt"))
"""Kinds that only their surroundings make a secret."""
_COLOUR = lazy(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_BLOCK = lazy(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY-----[\s\S]{40,12000}?-----END (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY-----"
)
_LETTERS = lazy(r"[A-Za-z0-9+/]{40}")
_ENCODED = lazy(r"(?<![A-Za-z0-9+/])LS0tLS1CRUdJTiB[A-Za-z0-9+/=\s]{100,12000}")


def certain_keys(text: str) -> list[Finding]:
    """In order; they may overlap. Offsets are those of `text`."""
    plain = _COLOUR.sub(lambda match: " " * len(match[0]), text) if "\x1b[" in text else text
    found = [*_in_form(plain), *_blocks(plain), *_encoded(plain)]
    return sorted(found, key=lambda finding: (finding.start, -finding.end))


def _in_form(text: str) -> Iterator[Finding]:
    """A token in an address is a token all the same, whatever the rest of the address is."""
    for finding in find_secrets(text):
        if finding.kind not in _LIKELY:
            yield finding
        elif finding.kind != "jwt":
            for inner in find_secrets(text[finding.start : finding.end]):
                if inner.kind not in _LIKELY:
                    yield Finding(inner.kind, finding.start + inner.start, finding.start + inner.end)


def _blocks(text: str) -> Iterator[Finding]:
    """A private key from its first line to its last, with the name of its file or numbers before each line."""
    for match in _BLOCK.finditer(text) if "PRIVATE KEY-----" in text else ():
        if _LETTERS.search(match[0]):
            yield Finding("private-key", match.start(), match.end())


def _encoded(text: str) -> Iterator[Finding]:
    for match in _ENCODED.finditer(text) if "LS0tLS1CRUdJTiB" in text else ():
        letters = re.sub(r"[^A-Za-z0-9+/]", "", match[0])[:64]
        if b"PRIVATE KEY" in base64.b64decode(letters[: len(letters) // 4 * 4]):
            yield Finding("private-key", match.start(), match.end())
