"""How else a secret may stand in a log: as JSON, addresses, HTML and base64 spell it, or as bytes."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from html import escape
from urllib.parse import quote, quote_plus

_SHORTEST_CODE = 8
"""Fewer signs of base64 stand in other words, too."""


def spellings(secret: str) -> set[str]:
    """The secret, and what programs make of it where they write it down."""
    data = secret.encode("utf-8", "surrogateescape")
    shown = data.decode("utf-8", "replace")
    in_json = (json.dumps(shown), json.dumps(shown, ensure_ascii=False))
    return {
        *(secret, shown, escape(shown)),
        *(text[1:-1] for text in in_json),
        *(text[1:-1].replace("/", "\\/") for text in in_json),
        *(quote(data), quote(data, safe=""), quote_plus(data)),
        *_encoded(data),
    }


def _encoded(data: bytes) -> Iterator[str]:
    """In base64, wherever in a longer text it begins: the signs that are made of the secret alone."""
    for skipped in range(3):
        whole = data[skipped : len(data) - (len(data) - skipped) % 3]
        for encode in (b64encode, urlsafe_b64encode):
            code = encode(whole).decode()
            if len(code) >= _SHORTEST_CODE:
                yield code
