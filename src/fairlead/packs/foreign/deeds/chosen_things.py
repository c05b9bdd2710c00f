"""Which things a call chooses: those that it names, or all that there are."""

from __future__ import annotations

import re

from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.lazy_pattern import lazy

_ALL = lazy(r"\*|\.\*|all|/\*\*|%|everything|all[ _-]\w+|\*:\*", re.I)
_CHOOSING = lazy(
    r"\w*(?:ids?|names?|query|q|where|filter|scope|matchers?|value|selector|keys?|target|email|pattern|paths?|all|udid|entit(?:y|ies)|items?|numbers?|attendees|participants|recipients|jql|soql|limit|devices?|hosts?|locations?|accounts?|projects?|repos?|users?|images?|containers?|sendupdates|notify)"
)


def chooses_all(told: Told) -> bool:
    if any(
        value is True and key in ("all", "deleteall", "removeall", "clearall") for key, value in told.states
    ):
        return True
    return any(_CHOOSING.fullmatch(each.key) and _ALL.fullmatch(each.text) for each in told.texts)
