"""Files that a shell, a program or a desktop runs by itself when it starts."""

from __future__ import annotations

import re
from functools import cache

from fairlead.packs.protected.login_files import TABLE, LoginFiles
from fairlead.shell.lazy_pattern import lazy

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


def runs_what_it_holds(path: str, home: str, text: str) -> bool:
    """Whether it lies where a setting may name a command, and the text has such a setting."""
    return path.startswith(f"{home}/") and any(
        re.search(each.holding, text) and pattern_of(each).fullmatch(path[len(home) + 1 :])
        for each in TABLE
        if each.holding
    )


@cache
def _by_place(beginning: str = "") -> re.Pattern[str]:
    every = "|".join(pattern_of(each).pattern for each in TABLE if not each.holding)
    return re.compile(f"{beginning}(?:{every})")


@cache
def pattern_of(files: LoginFiles) -> re.Pattern[str]:
    """The paths of one kind."""
    return re.compile("|".join(map(_spelled_out, files.paths.split())))


def _spelled_out(path: str) -> str:
    return "".join(_MEANING.get(token) or re.escape(token) for token in _TOKEN.findall(path))
