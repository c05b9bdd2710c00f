"""Words that are what another command of the line prints, and where they are no more than data."""

from __future__ import annotations

import re

from fairlead.packs.approval.pattern import Pattern, Patterns
from fairlead.packs.approval.variables import holds_no_secret, is_number
from fairlead.packs.judging.call_effects import Call
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown

_IN_QUOTES = re.compile(rb'"\$\([^"()]*\)"')
_REVISION = re.compile(r"\$\([^()]*\)(?:[~^][0-9]*)?(?:\.{2,3}[A-Za-z0-9_./-]*)?")
_TAKE_NAMES = ("git", "gh")


def is_output(word: Word) -> bool:
    """Whether all that is unknown of a word was printed by commands of the line, which are looked at by
    themselves."""
    return word.opaque is not None and _is_printed(word.opaque)


def _is_printed(unknown: Unknown) -> bool:
    if unknown.kind == Kind.SEVERAL:
        return bool(unknown.of) and all(map(_is_printed, unknown.of))
    return unknown.kind == Kind.OUTPUT and bool(unknown.stages) and not unknown.network


def is_shown(word: Word) -> bool:
    """Whether it may be printed: what is unknown of it comes out of the line, or is a variable without secrets."""
    unknown = word.opaque
    if unknown is None:
        return False
    return all(_is_printed(each) or holds_no_secret(each) or is_number(each) for each in unknown.parts())


def is_data(word: Word, pattern: Pattern, patterns: Patterns, call: Call) -> bool:
    """Whether it can be no option: the program has none that does harm, or it is one word and stands where no
    option can, or a program is told one of the names that it tells itself, with nothing before it that would
    make a path of it."""
    if pattern.takes_outputs:
        return True
    if pattern.takes_one_output:
        return _IN_QUOTES.fullmatch(call.script.text.encode()[word.start : word.end]) is not None
    unknown = word.opaque
    if unknown is None or len(unknown.stages) != 1 or not _REVISION.fullmatch(word.text):
        return False
    if pattern.words[0] not in _TAKE_NAMES:
        return False
    printing = patterns.fitting(unknown.stages[0], call.where.root)
    return printing is not None and printing.prints_name
