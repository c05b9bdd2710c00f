"""Patterns that are compiled when they are first used: a cold call pays for those that it needs."""

from __future__ import annotations

import re

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


class _Lazy:
    """Becomes the compiled pattern, method by method, at the first use of any."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


_all: list[_Lazy] = []


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    pattern = _Lazy(source, flags)
    _all.append(pattern)
    return pattern  # type: ignore[return-value]  # it has every method of one


def compile_patterns() -> None:
    """All of them at once, in a process that will answer many calls: no call of it waits for one."""
    for pattern in _all:
        getattr(pattern, "search")  # noqa: B009 - the first use compiles it
