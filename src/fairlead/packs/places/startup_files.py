"""Files that a shell, a program or a desktop runs by itself when it starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.protected.login_files import TABLE, LoginFiles, paths_with_choices

_TOKEN = lazy(r"/\*\*(?=$|[,}])|\*\*/|[*{},]|[^*{},/]+|/")
_MEANING = {"/**": "(?:/.*)?", "**/": "(?:.*/)?", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}


def runs_by_itself(path: str, home: str = "") -> bool:
    """Whether it lies in a home where it does; without a home, whether it would in any."""
    if home:
        return path.startswith(f"{home}/") and bool(_by_place().fullmatch(path[len(home) + 1 :]))
    return bool(_by_place(beginning=".*/").fullmatch(path))


def leads_to_such(path: str, home: str) -> bool:
    """Whether such files lie below this folder of a home."""
    below = f"{path[len(home) + 1 :]}/"
    return any(known.startswith(below) for each in TABLE for known in each.paths.split())


def stands_for_such(path: str, pattern: str, home: str) -> bool:
    """Whether a glob behind a folder of a home may stand for such a file, or for a folder of such."""
    if path != home and not path.startswith(f"{home}/"):
        return False
    wanted = [*filter(None, path[len(home) + 1 :].split("/")), *filter(None, pattern.split("/"))]
    return any(_may_be(known, wanted) for known in _known_paths())


def _may_be(known: Sequence[str], wanted: Sequence[str]) -> bool:
    """Step by step, a glob against a name; where the table has a glob itself, they may well meet."""
    for index, (step, glob) in enumerate(zip(known, wanted, strict=False), start=1):
        if step == "**":
            rest = known[index:]
            return not rest or (len(rest) <= len(wanted) and _may_be(rest, wanted[-len(rest) :]))
        hidden = step.startswith(".") and not glob.startswith(".")
        if hidden or not (fnmatchcase(step, glob) or ("*" in step and fnmatchcase(glob, step))):
            return False
    return len(known) == len(wanted) or known[len(wanted) :] == ("**",)


@cache
def _known_paths() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(path.split("/")) for path in paths_with_choices())


def commands_held(path: str, home: str) -> str:
    """How a text looks that runs something where it stands in this file; empty for other files."""
    if not path.startswith(f"{home}/"):
        return ""
    relative = path[len(home) + 1 :]
    return next((each.holding for each in TABLE if each.holding and pattern_of(each).fullmatch(relative)), "")


@cache
def _by_place(beginning: str = "") -> re.Pattern[str]:
    every = "|".join(pattern_of(each).pattern for each in TABLE if not each.holding)
    return re.compile(f"{beginning}(?:{every})")


@cache
def pattern_of(files: LoginFiles) -> re.Pattern[str]:
    """The paths of one kind."""
    return re.compile("|".join(map(spelled_out, files.paths.split())))


def spelled_out(path: str) -> str:
    """A path of the table as a regular expression."""
    return "".join(_MEANING.get(token) or re.escape(token) for token in _TOKEN.findall(path))
