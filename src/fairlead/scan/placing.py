"""Where in a file a finding stands: the line, and the part of it that is meant."""

from __future__ import annotations

from fairlead.scan.finding import Finding
from fairlead.secrets.redact import redact_text
from fairlead.shell.lazy_pattern import lazy

_COMMAND_END = lazy(r"\s*(?:[;|&]|\s#|$)")
_LONGEST_LINE = 2000
_LONGEST_COMMAND = 500
_MOST_BELOW = 40
"""Lines that a text in quotes may go on for: what stands in it is known by the line where it begins."""


def placed(finding: Finding, lines: list[str]) -> Finding:
    """With the line as it stands in the file, but for secrets; `source` was the command until now."""
    if not 1 <= finding.line <= len(lines):
        return finding.replace(line=0, source="")
    number = _line_of(finding.source, finding.line, lines)
    if not number:
        return finding.replace(line=0, source="")
    line = redact_text(lines[number - 1].rstrip())
    column, end = _part(line, finding.source)
    shown = line if len(line) <= _LONGEST_LINE else ""
    return finding.replace(line=number, source=shown, column=column, end=end)


def _line_of(meant: str, line: int, lines: list[str]) -> int:
    """Where the command is spelled, from the known line on; 0 where nobody can tell. Code in another language
    is known by its first line alone: where one line of it begins to name what it does, that is the line."""
    below = range(line, min(line + _MOST_BELOW, len(lines)) + 1)
    spelled = next((each for each in below if meant in lines[each - 1]), 0)
    if spelled or line > 1:
        return spelled or line
    name, bracket, _ = meant.partition("(")
    begins = name + bracket if bracket else " ".join(meant.split()[:2])
    named = [number for number, text in enumerate(lines, 1) if begins in text]
    if len(named) == 1:
        return named[0]
    return line if begins.split(" ")[0] in lines[0] else 0


def _part(line: str, meant: str) -> tuple[int, int]:
    """Where the part begins and ends, counted from 1: as it is spelled, else from its first word to the last,
    or to the end of that command; all of the line where not even the first word is in it."""
    at = line.find(meant) if meant else -1
    if at >= 0:
        return at + 1, at + 1 + len(meant)
    words = meant.split() or [""]
    at = line.find(words[0]) if words[0] else -1
    if at < 0:
        return len(line) - len(line.lstrip()) + 1, len(line) + 1
    places = [line.find(word, at) for word in words]
    ends = [place + len(word) for place, word in zip(places, words, strict=True)]
    if min(places) < 0:
        behind = _COMMAND_END.search(line, at, at + _LONGEST_COMMAND)
        ends.append(behind.start() if behind else at + len(words[0]))
    return at + 1, max(ends) + 1
