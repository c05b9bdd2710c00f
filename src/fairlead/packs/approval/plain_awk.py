"""Whether an awk program only looks at its input: it starts nothing, writes no file and reads no other."""

from __future__ import annotations

import re
from functools import cache

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"')
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\[^\n]|\[\^?\]?[^\]\[/\\\n]*\])*/")
"""Each bracket of it is closed before it ends, so that every awk sees the same end."""
_OTHER = re.compile(r"\s+|[0-9]+(?:\.[0-9]+)?|\|\||&&|\+\+|--|[<=!]=|[-+*/%^=<!~?:;,$(){}\[\]]|>=?")
_FORBIDDEN = frozenset(
    ("system", "getline", "close", "fflush", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB", "ARGV", "ARGC",
     "function", "func", "BEGINFILE", "ENDFILE", "nextfile", "extension")
)  # fmt: skip
_BEFORE_REGEX = ("", "{", "}", "(", ",", ";", "~", "!", "&&", "||", "\n")
_LONGEST = 2000


@cache
def is_plain_awk(text: str) -> bool:
    """In doubt it is not: what is no piece that is known here, is none that may stand there."""
    if len(text) > _LONGEST:
        return False
    position, braces, parentheses, before = 0, 0, 0, ""
    while position < len(text):
        piece = _piece(text, position, before)
        if not piece or piece in _FORBIDDEN:
            return False
        position += len(piece)
        braces += (piece == "{") - (piece == "}")
        parentheses += (piece == "(") - (piece == ")")
        if piece.startswith(">") and braces and not parentheses:
            return False  # it writes to a file
        if piece.strip():
            before = piece
        elif "\n" in piece:
            before = "\n"
    return not braces and not parentheses


def _piece(text: str, position: int, before: str) -> str:
    """The next one; empty where there is none that may stand there."""
    start = text[position]
    if start == '"':
        found = _STRING.match(text, position)
    elif start == "/" and before in _BEFORE_REGEX:
        found = _REGEX.match(text, position)
    else:
        found = _NAME.match(text, position) or _OTHER.match(text, position)
    return found.group() if found else ""
