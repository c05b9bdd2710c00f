"""Words that begin like a losing verb and are only the name of something that is looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from fairlead.shell.effects.words.lexicon.showing_verbs import LOOKING_IN_RECORDS, LOOKING_OR_A_THING
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.word_sets import names

_SELECTING = names(
    """
    --filter --filters --search --query --format --name --text --grep --pattern --match --message
    --description --title --body --service --function --functions --product --ps --filter-pattern
    --filter-request-path
    """
)
"""Options of every program that knows them whose value is no subcommand."""
_LOSING = lazy(
    r"^(?:delete|destroy|remove|terminate|purge|clear|cancel|drop|kill|wipe|rm|uninstall|undeploy)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_A_NAME = "NAME"


def with_selections_hidden(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a command; what its options select says nothing of what it does."""
    for word in words:
        if word.text in _SELECTING:
            break
    else:
        return words
    hidden = (
        word.replace(text=_A_NAME) if before.text in _SELECTING and _LOSING.match(word.text) else word
        for before, word in pairwise(words)
    )
    return (*words[:1], *hidden)


def with_names_hidden(words: Sequence[str]) -> list[str]:
    """`functions describe delete-user` looks at something; its name does nothing."""
    shown: list[str] = []
    looked = noticed = False
    for index, word in enumerate(words):
        match = _LOSING.match(word) if looked or noticed else None
        shown.append(_A_NAME if match and (looked or match[1]) else word)
        looked = looked or word in LOOKING_IN_RECORDS
        noticed = noticed or (index > 0 and word in LOOKING_OR_A_THING)
    return shown
