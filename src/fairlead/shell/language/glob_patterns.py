"""The shell's patterns as regular expressions, for trims, replacements, `case` and names of programs."""

from __future__ import annotations

import re

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "blank": r" \t", "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"), "xdigit": "0-9A-Fa-f",
    "word": r"\w",
}  # fmt: skip
MAX_PATTERN = 200
_LONGEST = (1 << 20, 2_000, 160, 44, 20)
"""The longest text to match with no, one, two ... stars: from each of its places on, matching may take its
length to that power."""


def translate(pattern: list[tuple[str, bool]], length: int) -> str | None:
    """A regular expression for (text, quoted) pieces; None where it could take long on that length."""
    if sum(len(text) for text, _ in pattern) > MAX_PATTERN:
        return None
    pieces: list[str] = []
    stars = 0
    for text, quoted in pattern:
        if quoted:
            pieces.append(re.escape(text))
            continue
        translated, count = _unquoted(text)
        pieces.append(translated)
        stars += count
    if stars >= len(_LONGEST) or length > _LONGEST[stars]:
        return None
    return "".join(pieces)


def _unquoted(text: str) -> tuple[str, int]:
    pieces: list[str] = []
    pos = stars = 0
    while pos < len(text):
        char = text[pos]
        pos += 1
        if char == "*":
            if pieces[-1:] != [".*"]:
                stars += 1
                pieces.append(".*")
        elif char == "?":
            pieces.append(".")
        elif char == "[" and (close := bracket_end(text, pos)) > 0:
            pieces.append(bracket(text[pos:close]))
            pos = close + 1
        else:
            pieces.append(re.escape(char))
    return "".join(pieces), stars


def bracket_end(text: str, pos: int) -> int:
    start = pos + (text[pos : pos + 1] in ("!", "^"))
    start += text[start : start + 1] == "]"
    while start < len(text) and text[start] != "]":
        if text.startswith("[:", start):
            inner = text.find(":]", start)
            start = inner + 1 if inner > 0 else start
        start += 1
    return start if start < len(text) else -1


def bracket(inner: str) -> str:
    negated = inner[:1] in ("!", "^")
    inner = inner[1:] if negated else inner
    inner = re.sub(r"\[:(\w+):\]", lambda match: f"\0{match.group(1)}\0", inner)
    pieces = []
    for index, piece in enumerate(inner.split("\0")):
        if index % 2:
            pieces.append(_CLASSES.get(piece, ""))
        else:
            pieces.append(re.sub(r"([\\\]\[^&~|])", r"\\\1", piece).replace("--", "-\\-"))
    return f"[{'^' if negated else ''}{''.join(pieces)}]" if "".join(pieces) else r"(?!)"


def compile_pattern(pattern: list[tuple[str, bool]], length: int) -> re.Pattern[str] | None:
    """The pattern, to match against a text of that length; None where it cannot or must not be tried."""
    expression = translate(pattern, length)
    if expression is None:
        return None
    try:
        return re.compile(f"(?s:{expression})")
    except re.error:
        return None
