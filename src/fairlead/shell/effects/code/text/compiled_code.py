"""Sources that a compiler is given: long, seldom harmful, and run only later.

What cannot be told about a script that runs now is asked about; about a source it is not, or most would be.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.text.remote_control import connects
from fairlead.shell.lazy_pattern import lazy

_LINES = 60
"""Of one piece: the calls in them can all be looked at."""
_MOST_PIECES = 64
_MOST_TEXTS = 60
_REST = 4
"""Lines that a call may go on for."""
_ACTS = lazy(
    r"\b(?:system|popen|exec[lv]p?e?|unlink(?:at)?|rmdir|remove(?:_all|_dir_all|_file|Item|All|_dir)?|rename|delete"
    r"|Remove(?:All)?|Command(?:Context)?|ProcessBuilder|exec|posix_spawnp?|truncate|Truncate|WriteFile|fopen"
    r"|delete(?:Recursively|Directory|IfExists)|copy|write|write_file|ofstream|Create|kill|fork)\s*[({]"
    r"|::new\s*\("
)
_SHELL = lazy(r"[\"'](?:/(?:usr/)?bin/)?(?:ba|z|da|k)?sh[\"']")
_LIST = lazy(r"\bchar\s*(?:const\s*)?\*\s*(?:const\s*)?\w+\s*\[\d*\]\s*=\s*\{(?P<words>[^{};]{0,2000})\}")
_NAMED_TEXT = lazy(r"=\s*&?\s*(?:std::\w+\s*\(\s*|String::from\(\s*)?\"[^\"]+\"")
_WORD = lazy(r'"((?:\\.|[^"\\])*)"')


def connects_a_shell(text: str) -> bool:
    """Unlike in a script, a program that is started by a name in a variable is nothing unusual."""
    return bool(_SHELL.search(text) and connects(text))


def listed_commands(text: str) -> Iterator[tuple[str, ...]]:
    """Lists of words, of which one may be the command that is run."""
    for match in _LIST.finditer(text):
        words = tuple(_WORD.findall(match["words"]))
        if words:
            yield words


def risky_pieces(text: str) -> Iterator[str]:
    """The lines that call something which could do harm, a few at a time, each time with the texts that the
    code has names for: all of it would be far more than can be looked at."""
    lines = text.split("\n")
    named = [line for line in lines if '"' in line and _NAMED_TEXT.search(line)][:_MOST_TEXTS]
    risky = _with_rests(lines)
    for start in range(0, min(len(risky), _MOST_PIECES * _LINES), _LINES):
        yield "\n".join([*named, *risky[start : start + _LINES]])


def _with_rests(lines: list[str]) -> list[str]:
    taken = [number for number, line in enumerate(lines) if _ACTS.search(line)]
    return [lines[n] for n in sorted({n + k for n in taken for k in range(_REST)}) if n < len(lines)]
