"""Settings of git whose value is a command."""

from __future__ import annotations

import re
from functools import cache

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.pieces import part_from
from fairlead.shell.script import Word
from fairlead.shell.values import Scalar, of_word

_RUNS_VALUE = r"""(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\..+|sequence\.editor
    |diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)
    |gpg\.program|gpg\..+\.program|interactive\.difffilter|(?:merge|diff)tool\..+\.cmd|browser\..+\.cmd|man\..+\.cmd
    |credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook
    |trailer\..+\.(?:command|cmd)|sendemail\..*cmd)"""
_WORDS = lazy(r"true|false|yes|no|\d+", re.I)


@cache
def _runs_value() -> re.Pattern[str]:
    """Compiled when it is first needed: most lines never ask."""
    return re.compile(_RUNS_VALUE, re.X | re.I)


def git_setting(key: str, value: Word) -> Scalar | None:
    """What git runs because of this setting; a helper's bare name is a program of git's own."""
    lowered = key.lower()
    if _WORDS.fullmatch(value.text):
        return None
    if lowered.startswith(("alias.", "submodule.")) or lowered.endswith("helper"):
        return of_word(part_from(value, 1)) if value.text.startswith("!") else None
    return of_word(value) if _runs_value().fullmatch(key) else None
