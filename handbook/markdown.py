"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def code(text: str) -> str:
    """A span of code, also around backticks."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def block(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def sentence(text: str) -> str:
    """With a capital letter at its beginning and a full stop at its end."""
    shown = text[:1].upper() + text[1:]
    return shown if shown.endswith((".", "!", "?")) else f"{shown}."
