"""Words split by quotes and blanks alone, as xargs and `env -S` do."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_WORD = lazy(r"""(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|['"])+""", re.S)
_PIECE = lazy(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)|(.)""", re.S)


def split_arguments(text: str) -> list[str]:
    return [_unquoted(match.group()) for match in _WORD.finditer(text)]


def _unquoted(word: str) -> str:
    pieces = []
    for match in _PIECE.finditer(word):
        single, double, escaped, plain, other = match.groups()
        if double is not None:
            pieces.append(re.sub(r"\\(.)", r"\1", double))
        else:
            pieces.append(next(each for each in (single, escaped, plain, other) if each is not None))
    return "".join(pieces)
