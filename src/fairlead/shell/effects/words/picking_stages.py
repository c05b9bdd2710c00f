"""Commands of a pipe that let only some of what they read through."""

from __future__ import annotations

from itertools import pairwise

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import program_name
from fairlead.shell.unknown import Stage
from fairlead.shell.word_sets import names

_SEARCHING = names("grep egrep fgrep rg zgrep ugrep")
_SCANNING = names("awk gawk mawk")
_ANYTHING = lazy(r"\[[^\]]*\]|\\.|[^A-Za-z0-9]+")
"""Parts of an expression that fit whatever there is."""
_SCANNED = lazy(
    r"(?:\A|~|&&|\|\|)\s*/[^/]*[A-Za-z0-9]{2}[^/]*/"
    r"|==\s*\"(?!root\")[^\"]{2}|\bindex\(\$\d+,\s*\"[^\"]{2}"
)
_NEARLY_ALL = lazy(r"\+|\d{3}|(?:-n|--lines=)-")


def searches(stage: Stage) -> bool:
    """Whether it looks for something that not everything has, or for all that has it not."""
    program, told = program_name(stage[0]), [word for word in stage[1:] if not word.startswith("-")]
    if program in _SEARCHING:
        return any(_ANYTHING.sub("", word) for word in told)
    return program in _SCANNING and any(map(_SCANNED.search, told[:1]))


def picks_few(stage: Stage) -> bool:
    """Whether what is left behind it is a part that somebody chose."""
    program, words = program_name(stage[0]), stage[1:]
    if program in ("head", "tail"):
        counted_back = any(option == "-n" and count.startswith("-") for option, count in pairwise(words))
        return not counted_back and not any(map(_NEARLY_ALL.search, words))
    return program == "fzf" or ("-v" not in words and searches(stage))
