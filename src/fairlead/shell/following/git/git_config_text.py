"""The text of a git configuration file, as the settings in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.lazy_pattern import lazy

_SECTION = lazy(r"\s*\[\s*([\w.-]+)\s*(?:\"((?:[^\"\\]|\\.)*)\")?\s*\]\s*")
_ENTRY = lazy(r"\s*([A-Za-z][\w-]*)\s*(=?)\s*(.*)", re.S)
_PIECE = lazy(r"\\(.)|(\")|([#;])|([^\\\"#;]+)", re.S)
_ESCAPED = lazy(r"\\(.)", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\n": ""}


def settings_in(text: str) -> Iterator[tuple[str, str]]:
    """Each setting as its full name, the section and the last word in small letters, and its value."""
    prefix = ""
    for line in _logical_lines(text):
        header = _SECTION.match(line)
        if header:
            section, name = header[1].lower(), header[2]
            prefix = section if name is None else f"{section}.{_ESCAPED.sub(_itself, name)}"
            line = line[header.end() :]
        entry = _ENTRY.match(line) if prefix else None
        if entry:
            yield f"{prefix}.{entry[1].lower()}", _value(entry[3]) if entry[2] else "true"


def _itself(escaped: re.Match[str]) -> str:
    return escaped[1]


def _logical_lines(text: str) -> Iterator[str]:
    """Lines, with those that end in a backslash joined to the next; a comment ends with its line."""
    kept: list[str] = []
    for line in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"):
        kept.append(line)
        if (len(line) - len(line.rstrip("\\"))) % 2 and not _ends_in_comment("\n".join(kept)):
            continue
        yield "\n".join(kept)
        kept = []
    yield "\n".join(kept)


def _ends_in_comment(text: str) -> bool:
    quoted = False
    for _, quote, comment, _ in _PIECE.findall(text):
        quoted ^= bool(quote)
        if comment and not quoted:
            return True
    return False


def _value(text: str) -> str:
    """Without quotes and without a comment, which begins outside of quotes."""
    found, quoted, kept = "", False, 0
    for escape, quote, comment, plain in _PIECE.findall(text):
        if quote:
            quoted = not quoted
        elif comment and not quoted:
            break
        else:
            found += _ESCAPES.get(escape, escape) if escape else comment or plain
        kept = len(found) if quoted or quote or escape else max(kept, len(found.rstrip()))
    return found[:kept]
