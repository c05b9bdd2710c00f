"""What machines sent, as a page may show it: without what reorders or hides letters, and not too long."""

from __future__ import annotations

LONGEST = 2_000
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def plain(value: object) -> object:
    """Texts in whatever holds them. What cannot be printed is replaced: marks of direction would make a name
    read as another one."""
    if isinstance(value, str):
        return _plain_text(value)
    if isinstance(value, dict):
        return {_plain_text(str(name)): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def _plain_text(text: str) -> str:
    if text.isprintable() and len(text) <= LONGEST:
        return text
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return "".join(letter if letter.isprintable() else _INSTEAD for letter in cut)
