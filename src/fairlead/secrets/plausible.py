"""Whether a candidate is key material, or a placeholder, an identifier, a reference, an example."""

from __future__ import annotations

from collections import Counter
from math import log2

_PLACEHOLDERS = (
    "example",
    "changeme",
    "change-me",
    "change_me",
    "replace",
    "placeholder",
    "your",
    "xxxx",
    "dummy",
    "fake",
    "sample",
    "redacted",
    "insert",
    "notreal",
    "not-a-real",
    "123456789",
    "abcdef",
    "****",
    "....",
    "todo",
    "foobar",
)
_REFERENCES = (
    "${",
    "{{",
    "}}",
    "$(",
    "<%",
    "%(",
    "%s",
    "://",
    "env.",
    "environ",
    "getenv",
    "secrets.",
    "vault:",
)
_LEAST_BITS = 3.0
"""Entropy per character below which a token repeats itself too much to be random."""


def entropy(text: str) -> float:
    """Bits per character, from the text's own frequencies."""
    total = len(text)
    return -sum(count / total * log2(count / total) for count in Counter(text).values()) if total else 0.0


def not_a_documented_example(token: str) -> bool:
    lowered = token.lower()
    return not any(word in lowered for word in _PLACEHOLDERS) and entropy(token[-20:]) > 2.0


def looks_random(token: str) -> bool:
    """For tokens with a known prefix: enough entropy, and no word that marks an example."""
    return not_a_documented_example(token) and entropy(token) >= _LEAST_BITS


def looks_secret(value: str) -> bool:
    """For values that only their name makes suspicious: what people write as a real password or key.

    Short values need three kinds of characters, long ones two and more entropy; a value that is a path, a
    reference to a variable, or words joined by punctuation is none.
    """
    if not looks_random(value) or value[0] in "$/.<%@{" or any(mark in value for mark in _REFERENCES):
        return False
    kinds = _kinds(value)
    if not any(character.isdigit() for character in value):
        return kinds >= 3 and entropy(value) >= 3.5 and not _is_words(value)
    if len(value) < 16:
        return kinds >= 3
    return entropy(value) >= 3.2 and not _is_words(value)


def looks_like_jwt(token: str) -> bool:
    import base64  # rare: only where something has the shape of a token
    import json

    head = token.split(".", 1)[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except ValueError:
        return False
    return isinstance(header, dict) and "alg" in header


def _kinds(value: str) -> int:
    return sum(
        (
            any(character.islower() for character in value),
            any(character.isupper() for character in value),
            any(character.isdigit() for character in value),
            any(not character.isalnum() for character in value),
        )
    )


def _is_words(value: str) -> bool:
    """Whether it reads as words and short numbers joined by punctuation: `test-user-token-1`."""
    parts = (
        value.replace("_", " ")
        .replace("-", " ")
        .replace(".", " ")
        .replace("/", " ")
        .replace(":", " ")
        .split()
    )
    return len(parts) > 1 and all(part.isalpha() or (part.isdigit() and len(part) <= 4) for part in parts)
