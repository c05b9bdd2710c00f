"""Foreign text as a person may see it: one that hides, turns or moves letters is shown as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, name

_SHOWN_AS_THEY_ARE = frozenset("\n\t")
_HIDING = frozenset(("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"))
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Said of the letter before, which then looks as it did."""
_TAGS = range(0xE0000, 0xE0080)


def visible(text: str, *, most: int = 0) -> str:
    """With every letter that is not to be seen spelled out: `re⟨U+200B ZERO WIDTH SPACE⟩ad`."""
    shown = "".join(_shown(text if not most else text[: most + 1]))
    return f"{shown[:most]}…" if most and len(shown) > most else shown


def in_one_line(text: str, *, most: int = 200) -> str:
    return visible(" ".join(text.split()), most=most)


def _shown(text: str) -> Iterator[str]:
    if text.isascii() and text.isprintable():
        yield text
        return
    for letter in text:
        yield _spelled(letter) if is_unseen(letter) else letter


def is_unseen(letter: str) -> bool:
    if letter in _SHOWN_AS_THEY_ARE or " " <= letter <= "~":
        return False
    code = ord(letter)
    if letter in _BLANK_LETTERS or any(code in selectors for selectors in _SELECTORS):
        return True
    kind = category(letter)
    return kind in _HIDING or (kind == "Zs" and letter != " ")


def _spelled(letter: str) -> str:
    code = ord(letter)
    if code in _TAGS and 0x20 <= code - 0xE0000 < 0x7F:
        return f"⟨hidden {chr(code - 0xE0000)}⟩"
    called = name(letter, "")
    return f"⟨U+{code:04X} {called}⟩" if called else f"⟨U+{code:04X}⟩"
