"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def code(text: str) -> str:
    """A span of code, also around backticks. With a bar in it, as HTML: of a table's readers some show the
    backslash that others need."""
    if "|" in text:
        return f"<code>{escape(text, quote=False).replace('|', '&#124;')}</code>"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def block(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def sentence(text: str) -> str:
    """With a capital letter at its beginning and a full stop at its end."""
    shown = text[:1].upper() + text[1:]
    return shown if shown.endswith((".", "!", "?")) else f"{shown}."
