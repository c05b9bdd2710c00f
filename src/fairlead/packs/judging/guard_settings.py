"""What a policy may say to the guards, read from their `config`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.errors import PolicyError
from fairlead.model.bounded_pattern import Deadline, finds
from fairlead.model.value import Value
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.pack_table import MARK, PACKS, is_rule
from fairlead.packs.rule import Level
from fairlead.sessions.memory import DAYS, MOST_DAYS

_PACK_KEYS = ("enable", "disable", "plugins")
KEYS = ("dangerous_patterns", "protected_patterns", "level", "packs", "follow", "remember")
WRITTEN, ALL, NONE = "written", "all", "none"
"""Which files that a call would run are judged in full: those that were written since the last commit, all of
them, or none at all, not even leniently."""


class Settings(Value):
    level: Level
    dangers: tuple[str, ...]
    """The packs that judge what a call does."""
    guarding: tuple[str, ...]
    """The packs that judge which files a call touches."""
    dangerous: tuple[str, ...]
    protected: tuple[str, ...]
    follow: str = WRITTEN
    excused: frozenset[str] = frozenset()
    """Rules, or `PACK/*`, that a human has made an exception of; the caller puts them in, for this call."""
    disabled: frozenset[str] = frozenset()
    """Rules that the policy does not want, of packs that it does."""
    remember: float = DAYS
    """For how many days what a session did counts in its later calls."""

    def excuse_for(self, rule: str) -> str:
        """The exception that covers a rule; empty when none does."""
        whole_pack = rule.partition("/")[0] + "/*"
        return next((name for name in (rule, whole_pack) if name in self.excused), "")


@once_for_each(64)
def read_settings(config: Mapping[str, object]) -> Settings:
    """Raises PolicyError for what makes no sense: a guard must not run with half of its configuration."""
    level = _level(config.get("level", "standard"))
    packs = _packs(config.get("packs", {}))
    return Settings(
        level,
        tuple(name for name in packs if name != "secrets"),
        tuple(name for name in packs if name in ("secrets", "self-protection")),
        _texts(config, "dangerous_patterns"),
        _texts(config, "protected_patterns"),
        _follow(config.get("follow", WRITTEN)),
        frozenset(_texts(config, "excused")),
        _disabled_rules(config.get("packs", {})),
        remembered_days(config),
    )


def remembered_days(config: Mapping[str, object]) -> float:
    days = config.get("remember", DAYS)
    if isinstance(days, bool) or not isinstance(days, (int, float)) or not 0 <= days <= MOST_DAYS:
        hint = f"use a number of days from 0, for none, to {MOST_DAYS:g}"
        raise PolicyError(f"remember: {days!r} is no such number", hint=hint)
    return float(days)


def finds_danger(pattern: str, text: str, deadline: Deadline) -> bool:
    """Whether one of the `dangerous_patterns` is in a text."""
    try:
        return finds(pattern, text, ignore_case=True, deadline=deadline)
    except re.error as error:
        raise PolicyError(
            f"dangerous_patterns: {pattern!r} is no regular expression: {error}",
            hint="escape what is meant literally, as in 'rm \\(x\\)'",
        ) from error


def _level(value: object) -> Level:
    if isinstance(value, str) and value.upper() in Level.__members__:
        return Level[value.upper()]
    raise PolicyError(f"level: {value!r} is no level", hint="use standard, strict or paranoid")


def _follow(value: object) -> str:
    if isinstance(value, str) and value in (WRITTEN, ALL, NONE):
        return value
    raise PolicyError(f"follow: {value!r} is no such word", hint="use written, all or none")


def _packs(value: object) -> tuple[str, ...]:
    if not isinstance(value, Mapping):
        raise PolicyError("packs: must be a mapping", hint="packs: {enable: [], disable: []}")
    chosen = set(PACKS)
    for key, named in value.items():
        if key not in _PACK_KEYS or not isinstance(named, (list, tuple)):
            hint = f"use {', '.join(_PACK_KEYS)}"
            raise PolicyError(f"packs: {key!r} is not known, or is no list", hint=hint)
        for name in named:
            if name not in PACKS and key != "plugins" and not (key == "disable" and is_rule(str(name))):
                raise PolicyError(
                    f"packs: there is no pack {name!r}", hint=f"the packs are {', '.join(PACKS)}"
                )
    chosen -= set(value.get("disable", ()))
    chosen |= set(value.get("enable", ()))
    foreign = dict.fromkeys(f"{MARK}{name}" for name in value.get("plugins", ()))
    return (*(name for name in PACKS if name in chosen), *foreign)


def _disabled_rules(value: object) -> frozenset[str]:
    named = value.get("disable", ()) if isinstance(value, Mapping) else ()
    return frozenset(name for name in named if "/" in name)


def _texts(config: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = config.get(key, ())
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise PolicyError(f"{key}: must be a list of texts")
    return tuple(value)
