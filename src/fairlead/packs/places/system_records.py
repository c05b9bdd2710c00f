"""Where a system writes down what people did: to add to it is everyday, to change it is not."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy

_RECORDS = lazy(
    r"^(?:/private)?/var/(?:log/(?:auth\.log|secure|syslog|messages|kern\.log|wtmp|btmp|lastlog|faillog|tallylog|dmesg"
    r"|system\.log|install\.log|audit/|journal/|sudo|cron)|run/utmp|audit/)"
)
_ADDING = ("redirect", "tee", "mkdir", "touch")
"""How a write is called that adds to the end of a file."""


def changes_record(effect: Effect) -> bool:
    if effect.target is None or not _RECORDS.search(effect.target.path):
        return False
    return effect.action is not Action.WRITE or effect.name not in _ADDING
