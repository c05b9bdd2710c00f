"""One of the paths that a glob stands for, as a value of which only the folder is known."""

from __future__ import annotations

from fairlead.shell.expansion.values import Partial, Scalar, concat, unknown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.unknown import Kind, Unknown

_GLOB_START = lazy(r"[*?\[{(]")


def one_of(pattern: str) -> Scalar:
    """A path that is only known up to the folder in which the pattern starts."""
    fixed = _GLOB_START.split(pattern, maxsplit=1)[0].rpartition("/")
    known = fixed[0] + fixed[1]
    rest = unknown(pattern[len(known) :], Unknown(Kind.MATCH, pattern, patterns=(pattern,)))
    return concat((known, rest))


def is_one_of(value: Partial) -> bool:
    """Whether all that is unknown of it is which path of a glob it is."""
    return value.unknown.only(Kind.MATCH)
