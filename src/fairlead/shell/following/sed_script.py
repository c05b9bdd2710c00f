"""Scripts of sed: which of their commands run something or write a file."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_ADDRESS = lazy(r"\s*(?:\d+(?:~\d+)?|\$|[+~]\d+)\s*")
_BRACKET = lazy(r"\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]\n])*\]")
_LABEL = lazy(r"[^;}\n]*")
_LINE = lazy(r"[^\n]*(?:\\\n[^\n]*)*")


class SedScript:
    """`executes`: shell text it runs; `writes`: files; `runs_pattern`: it runs what it makes of its input,
    which is the input itself when the script is `bare`."""

    __slots__ = ("bare", "executes", "runs_pattern", "writes")

    def __init__(self) -> None:
        self.executes: list[str] = []
        self.writes: list[str] = []
        self.runs_pattern = False
        self.bare = False


def read_sed(text: str) -> SedScript:
    found = SedScript()
    found.bare = text.strip() == "e"
    pos = 0
    while pos < len(text):
        pos = _skip_addresses(text, pos)
        if pos >= len(text):
            break
        pos = _command(text, pos, found)
    return found


def without_outputs(text: str) -> str:
    """The script with a letter in place of each `$(…)`: its text is no part of the script, its output is."""
    parts: list[str] = []
    pos = 0
    while (start := text.find("$(", pos)) >= 0:
        parts += (text[pos:start], "X")
        depth, pos = 1, start + 2
        while pos < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[pos], 0)
            pos += 1
    return "".join((*parts, text[pos:]))


def _skip_addresses(text: str, pos: int) -> int:
    while pos < len(text):
        char = text[pos]
        if char in " \t\n;{},!":
            pos += 1
        elif char == "/":
            pos = _after_delimiter(text, pos + 1, "/", brackets=True)
        elif char == "\\" and pos + 1 < len(text):
            pos = _after_delimiter(text, pos + 2, text[pos + 1])
        elif match := _ADDRESS.match(text, pos):
            pos = match.end()
        elif char in "IM" and pos and text[pos - 1] == "/":
            pos += 1
        else:
            break
    return pos


def _after_delimiter(text: str, pos: int, delimiter: str, *, brackets: bool = False) -> int:
    """Past the next delimiter that no backslash, and in a pattern no bracket, hides."""
    while pos < len(text) and text[pos] != delimiter:
        if brackets and text[pos] == "[" and (match := _BRACKET.match(text, pos)):
            pos = match.end()
        else:
            pos += 2 if text[pos] == "\\" else 1
    return min(pos + 1, len(text))


def _command(text: str, pos: int, found: SedScript) -> int:
    char = text[pos]
    pos += 1
    if char == "s" and pos < len(text):
        return _substitute(text, pos, found)
    if char == "y" and pos < len(text):
        return _after_delimiter(text, _after_delimiter(text, pos + 1, text[pos]), text[pos])
    if char in "aicrRwWe":
        match = _LINE.match(text, pos)
        rest = match.group().strip() if match else ""
        if char == "e":
            found.runs_pattern |= not rest
            found.executes += [rest] if rest else []
        elif char in "wW":
            found.writes.append(rest)
        return match.end() if match else len(text)
    if char in ":btT":
        match = _LABEL.match(text, pos)
        return match.end() if match else pos
    return pos


def _substitute(text: str, pos: int, found: SedScript) -> int:
    delimiter = text[pos]
    middle = _after_delimiter(text, pos + 1, delimiter, brackets=True)
    end = _after_delimiter(text, middle, delimiter)
    replacement = text[middle : end - 1]
    while end < len(text) and text[end] not in ";}\n ":
        flag = text[end]
        end += 1
        if flag == "e":
            found.runs_pattern = True
            found.executes.append(replacement.replace("\\" + delimiter, delimiter))
        elif flag == "w":
            line = text[end:].split("\n", 1)[0]
            found.writes.append(line.strip())
            return end + len(line)
    return end
