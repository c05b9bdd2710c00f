"""Bytes of a terminal as keys: letters as they are, the others by name."""

from __future__ import annotations

import re
from enum import StrEnum


class Key(StrEnum):
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    FIRST = "first"
    LAST = "last"
    ENTER = "enter"
    BACK = "back"
    RUBOUT = "rubout"


_SEQUENCES = {
    b"[A": Key.UP,
    b"OA": Key.UP,
    b"[B": Key.DOWN,
    b"OB": Key.DOWN,
    b"[D": Key.BACK,
    b"OD": Key.BACK,
    b"[C": Key.ENTER,
    b"OC": Key.ENTER,
    b"[5~": Key.PAGE_UP,
    b"[6~": Key.PAGE_DOWN,
    b"[H": Key.FIRST,
    b"OH": Key.FIRST,
    b"[1~": Key.FIRST,
    b"[F": Key.LAST,
    b"OF": Key.LAST,
    b"[4~": Key.LAST,
}
_CONTROLS = {"\r": Key.ENTER, "\n": Key.ENTER, "\x7f": Key.RUBOUT, "\x08": Key.RUBOUT}
_PARTS = re.compile(rb"\x1b(\[[0-9;?]*[ -/]*[@-~]|O[@-~])|\x1b|[^\x1b]+")


def keys_in(data: bytes) -> list[str]:
    """An escape alone means back; sequences that are not known, and control characters, mean nothing."""
    found: list[str] = []
    for part in _PARTS.finditer(data):
        if part[1] is not None:
            found += [_SEQUENCES[part[1]]] if part[1] in _SEQUENCES else []
        elif part[0] == b"\x1b":
            found.append(Key.BACK)
        else:
            text = part[0].decode("utf-8", "ignore")
            found += [_CONTROLS.get(letter, letter) for letter in text if _means(letter)]
    return found


def _means(letter: str) -> bool:
    return letter in _CONTROLS or letter.isprintable()
