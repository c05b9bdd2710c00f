"""What a policy may say to the guards, read from their `config`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.errors import PolicyError
from fairlead.model.excuse import ExactCommand
from fairlead.model.hook import AUDIT
from fairlead.model.matching.bounded_pattern import Deadline, finds
from fairlead.model.value import Value
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.pack_table import MARK, PACKS, RECOVERING, is_rule, load_pack, recoverable_rules
from fairlead.packs.rule import Level
from fairlead.sessions.memory import DAYS, MOST_DAYS

_PACK_KEYS = ("enable", "disable", "plugins", "audit", "enforce")
_NAMING_RULES = ("disable", "audit", "enforce")
"""Those that take rules as well as packs."""
KEYS = (
    *("dangerous_patterns", "protected_patterns", "level", "packs", "follow", "remember"),
    *("recoverable", "save"),
)
SELF_PROTECTION = "self-protection"
EVERYTHING = "*"
PASS, ASK, BLOCK = "pass", "ask", "block"
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
    """What a human has made an exception of: rules, `PACK/*`, or a rule for an exact command, by the name of
    that; the caller puts them in, for this call."""
    disabled: frozenset[str] = frozenset()
    """Rules that the policy does not want, of packs that it does."""
    remember: float = DAYS
    """For how many days what a session did counts in its later calls."""
    audited: frozenset[str] = frozenset()
    """Packs and rules whose objections are only written down; `*`: all that are not `enforced`."""
    enforced: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    """What `mode.yaml` enforces, whatever the guard's own `config` says; but of a pack that it enforces, the
    rules that it `watched` by name are only written down."""
    watched: frozenset[str] = frozenset()
    recoverable: tuple[tuple[str, str], ...] = ()
    """By rule, pack or `*`: what becomes of a loss that was saved first."""
    save: bool = False
    """Whether what no rule objects to is saved as well."""

    def recovers(self, rule: str) -> str:
        """`pass` or `ask` where that is said of the rule, else of its pack, else of all; empty for `block`."""
        said = dict(self.recoverable)
        for name in (rule, rule.partition("/")[0], EVERYTHING):
            if name in said:
                return "" if said[name] == BLOCK else said[name]
        return ""

    def audits(self, rule: str) -> bool:
        """Whether what this rule says is only written down: what is said of the rule goes before what is said
        of its pack, and that before what is said of all. Self-protection always counts."""
        pack = rule.partition("/")[0]
        if not self.audited or pack == SELF_PROTECTION or rule in self.held:
            return False
        if pack in self.held and rule not in self.watched:
            return False
        for name in (rule, pack):
            if name in self.enforced:
                return False
            if name in self.audited:
                return True
        return EVERYTHING in self.audited

    def excuse_for(self, rule: str, exact: ExactCommand | None = None) -> str:
        """The exception that covers a rule, or what it says of one command; empty when none does."""
        names = [rule, rule.partition("/")[0] + "/*"]
        if exact is not None:
            names.append(exact.excuse_from(rule))
        return next((name for name in names if name in self.excused), "")


@once_for_each(64)
def read_settings(config: Mapping[str, object]) -> Settings:
    """Raises PolicyError for what makes no sense: a guard must not run with half of its configuration."""
    level = _level(config.get("level", "standard"))
    only = frozenset(_texts(config, "only"))
    packs = tuple(name for name in _packs(config.get("packs", {})) if not only or _is_named(name, only))
    return Settings(
        level,
        tuple(name for name in packs if name != "secrets"),
        tuple(name for name in packs if name in ("secrets", SELF_PROTECTION)),
        _texts(config, "dangerous_patterns"),
        _texts(config, "protected_patterns"),
        _follow(config.get("follow", WRITTEN)),
        frozenset(_texts(config, "excused")),
        _disabled_rules(config.get("packs", {})) | _unnamed_rules(packs, only),
        remembered_days(config),
        _audited(config),
        _named(config.get("packs", {}), "enforce"),
        frozenset(_texts(config, "enforced")),
        frozenset(_texts(config, "watched")),
        _recoverable(config.get("recoverable", {})),
        _save(config.get("save", False)),
    )


def _recoverable(value: object) -> tuple[tuple[str, str], ...]:
    """One word for all rules, or one for each rule or pack."""
    said = {EVERYTHING: value} if isinstance(value, str) else value
    if not isinstance(said, Mapping):
        raise PolicyError("recoverable: must be a word or a mapping", hint="recoverable: pass")
    for name, word in said.items():
        if word not in (PASS, ASK, BLOCK):
            raise PolicyError(f"recoverable: {word!r} is no such word", hint="use pass, ask or block")
        if name not in (EVERYTHING, *RECOVERING) and name not in recoverable_rules():
            hint = f"these are: {', '.join(recoverable_rules())}"
            raise PolicyError(f"recoverable: {name!r} is no rule whose losses can be saved", hint=hint)
    return tuple((str(name), str(word)) for name, word in said.items())


def _save(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise PolicyError(f"save: {value!r} is neither true nor false", hint="save: true")


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
            if key in ("audit", "enforce") and str(name).partition("/")[0] == SELF_PROTECTION:
                raise PolicyError(f"packs: {name!r} is always enforced", hint=f"leave it out of `{key}`")
            if name not in PACKS and key != "plugins" and not (key in _NAMING_RULES and is_rule(str(name))):
                raise PolicyError(
                    f"packs: there is no pack {name!r}", hint=f"the packs are {', '.join(PACKS)}"
                )
    chosen -= set(value.get("disable", ()))
    chosen |= set(value.get("enable", ()))
    foreign = dict.fromkeys(f"{MARK}{name}" for name in value.get("plugins", ()))
    return (*(name for name in PACKS if name in chosen), *foreign)


def _disabled_rules(value: object) -> frozenset[str]:
    return frozenset(name for name in _named(value, "disable") if "/" in name)


def _is_named(pack: str, only: frozenset[str]) -> bool:
    """Itself, or by a rule of it."""
    return any(name.partition("/")[0] == pack for name in only)


def _unnamed_rules(packs: tuple[str, ...], only: frozenset[str]) -> frozenset[str]:
    """Of packs that are named by some of their rules alone, the others."""
    parts = [load_pack(name) for name in packs if only and name not in only]
    return frozenset(rule.id for pack in parts for rule in pack.rules if rule.id not in only)


def _audited(config: Mapping[str, object]) -> frozenset[str]:
    everything = (EVERYTHING,) if config.get("mode") == AUDIT else ()
    return _named(config.get("packs", {}), "audit").union(everything, _texts(config, "watched"))


def _named(packs: object, key: str) -> frozenset[str]:
    return frozenset(packs.get(key, ())) if isinstance(packs, Mapping) else frozenset()


def _texts(config: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = config.get(key, ())
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise PolicyError(f"{key}: must be a list of texts")
    return tuple(value)
