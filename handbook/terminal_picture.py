"""`COMMAND | python -m handbook.terminal_picture TITLE FILE.svg` draws what a command printed, as a terminal.

It takes colours as terminals do (`FORCE_COLOR=1`), and names no font or file of elsewhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

_COLUMN, _LINE, _MARGIN, _BAR = 8.4, 19, 18, 34
_COLOURS = {
    31: "#ff7b72",
    32: "#7ee787",
    33: "#e3b341",
    34: "#79c0ff",
    35: "#d2a8ff",
    36: "#76e3ea",
    90: "#8b949e",
}
_PLAIN = "#e6edf3"
_STYLE = re.compile(r"\x1b\[([\d;]*)m")
_OTHER = re.compile(r"\x1b\[[\d;?]*[A-Za-ln-z]|[\x00-\x08\x0b-\x1a\x1c-\x1f]")
_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{title}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
<text x="50%" y="23" fill="#8b949e" text-anchor="middle">{title}</text>
"""


def picture(printed: str, title: str) -> str:
    """As wide as its longest line. Each piece has its width, so that columns stand whatever the font is."""
    lines = [list(pieces(line)) for line in _OTHER.sub("", printed).rstrip().splitlines()]
    columns = max((sum(len(text) for text, _ in line) for line in lines), default=0)
    width, height = 2 * _MARGIN + columns * _COLUMN, _BAR + _MARGIN + len(lines) * _LINE
    drawn = (_row(line, _BAR + (number + 1) * _LINE) for number, line in enumerate(lines))
    return _HEAD.format(width=width, height=height, title=escape(title)) + "".join(drawn) + "</g>\n</svg>\n"


def pieces(line: str) -> Iterator[tuple[str, str]]:
    """The texts of a line, each with its colour."""
    colour = _PLAIN
    for number, part in enumerate(_STYLE.split(line)):
        if number % 2:
            colour = _coloured(part, colour)
        elif part:
            yield part, colour


def _coloured(codes: str, before: str) -> str:
    colour = before
    for code in map(int, filter(None, codes.split(";"))):
        colour = _COLOURS.get(code, _PLAIN if code in (0, 39) else colour)
    return colour if codes else _PLAIN


def _row(line: list[tuple[str, str]], y: float) -> str:
    column, row = 0, ""
    for text, colour in line:
        shown = text.strip(" ")
        if shown:
            x = _MARGIN + (column + len(text) - len(text.lstrip(" "))) * _COLUMN
            length = f'textLength="{len(shown) * _COLUMN:.1f}" lengthAdjust="spacingAndGlyphs"'
            row += f'<text x="{x:.1f}" y="{y:.0f}" fill="{colour}" {length}>{escape(shown, quote=False)}</text>\n'
        column += len(text)
    return row


def main(arguments: list[str]) -> int:
    title, file = arguments
    Path(file).write_text(picture(sys.stdin.read(), title), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
