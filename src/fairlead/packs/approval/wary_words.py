"""Words that no `*` of a pattern stands for: by them a program runs, loads or writes something else."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache

from fairlead.packs.approval.data import read_data

EVERY_PROGRAM = "every-program"


def is_wary(program: str, word: str) -> bool:
    """`-p` in the list stands for the letter in any bunch of letters (`-qp`); a long option is meant by its
    beginnings as well, since many programs take them (`--outp` for `--output`)."""
    name = word.partition("=")[0]
    return any(_is_meant(word, name, listed) for listed in _listed(program))


def _is_meant(word: str, name: str, listed: str) -> bool:
    if len(listed) == 2 and listed[0] == "-":
        return word[0] == "-" and word[1:2] != "-" and listed[1] in word[1:]
    if fnmatchcase(word, listed):
        return True
    return listed.startswith("--") and len(name) > 3 and listed.rstrip("*").startswith(name)


@cache
def _listed(program: str) -> Sequence[str]:
    words = read_data("wary-words")
    own = words.get(program.rsplit("/", 1)[-1], ())
    every = words[EVERY_PROGRAM]
    assert isinstance(own, list | tuple) and isinstance(every, list)
    return (*own, *every)
