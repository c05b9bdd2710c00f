"""Words that are what another command of the line prints, and where they are no more than data."""

from __future__ import annotations

import re

from fairlead.packs.approval.pattern import Pattern, Patterns
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown

_REVISION = re.compile(r"\$\([^()]*\)(?:[~^][0-9]*)?(?:\.{2,3}[A-Za-z0-9_./-]*)?")


def is_output(word: Word) -> bool:
    """Whether all that is unknown of a word was printed by commands of the line, which are looked at by
    themselves."""
    return word.opaque is not None and _is_printed(word.opaque)


def _is_printed(unknown: Unknown) -> bool:
    if unknown.kind == Kind.SEVERAL:
        return bool(unknown.of) and all(map(_is_printed, unknown.of))
    return unknown.kind == Kind.OUTPUT and bool(unknown.stages) and not unknown.network


def is_data(word: Word, pattern: Pattern, patterns: Patterns, project: str) -> bool:
    """Whether it can be no option: the program has none that does harm, or it is git and is told one of its
    own names, with nothing before it that would make a path of it."""
    if pattern.takes_outputs:
        return True
    unknown = word.opaque
    if unknown is None or len(unknown.stages) != 1 or not _REVISION.fullmatch(word.text):
        return False
    if pattern.words[0] != "git":
        return False
    printing = patterns.fitting(unknown.stages[0], project)
    return printing is not None and printing.prints_name
