"""The packs, and which of them speak of which effects; a pack is imported when such an effect appears."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module

from fairlead.errors import PluginError, PolicyError
from fairlead.packs.rule import Pack, Rule
from fairlead.shell.effects.effect import Action

_CHANGES = (
    Action.WRITE,
    Action.OVERWRITE,
    Action.TRUNCATE,
    Action.DELETE,
    Action.MOVE_AWAY,
)

PACKS: dict[str, tuple[Action, ...]] = {
    "filesystem": _CHANGES,
    "git": (Action.DISCARD_GIT_WORK, Action.REWRITE_HISTORY, Action.CHANGE_GIT),
    "secrets": (*_CHANGES, Action.READ, Action.READ_SECRET),
    "network-code": (Action.RUN_NETWORK_CODE,),
    "exfiltration": (Action.SEND_DATA,),
    "privileges": (
        Action.CHANGE_PERMISSIONS,
        Action.CHANGE_OWNER,
        Action.CHANGE_ACCOUNTS,
        Action.GAIN_PRIVILEGE,
    ),
    "disks": (Action.WRITE, Action.OVERWRITE, Action.TRUNCATE, Action.FORMAT, Action.MOUNT),
    "processes": (Action.KILL, Action.SHUTDOWN, Action.CHANGE_SERVICE, Action.CHANGE_SYSTEM),
    "databases": (Action.CHANGE_DATABASE,),
    "containers": (Action.CHANGE_CONTAINER,),
    "kubernetes": (Action.CHANGE_CLUSTER,),
    "cloud": (Action.CHANGE_CLOUD,),
    "packages": (Action.PUBLISH_PACKAGE, Action.CHANGE_PACKAGES),
    "ci": (Action.CHANGE_CI, *_CHANGES),
    "self-protection": (
        *_CHANGES,
        Action.CHANGE_PERMISSIONS,
        Action.CHANGE_OWNER,
        Action.MOUNT,
        Action.CHANGE_GUARD,
    ),
    "opaque": (Action.RUN_UNKNOWN_CODE,),
    "sessions": (
        Action.RUN_NETWORK_CODE,
        Action.SEND_DATA,
        Action.READ_SECRET,
        Action.WRITE,
        Action.OVERWRITE,
    ),
}
"""By id, in the order in which their rules are tried."""

MARK = "plugin:"
"""Before the name of a pack that a policy names as a plugin's: no name of ours has it."""


@cache
def load_pack(name: str) -> Pack:
    """A pack by its id; one of a plugin has a mark before it."""
    if name.startswith(MARK):
        from fairlead.packs.judging.plugin_pack import load_foreign_pack

        return load_foreign_pack(name.removeprefix(MARK))
    if name not in PACKS:
        raise PolicyError(f"there is no pack named {name!r}", hint=f"the packs are {', '.join(PACKS)}")
    pack: Pack = import_module(f"fairlead.packs.rules.{name.replace('-', '_')}").PACK
    return pack


@cache
def rules_for(action: Action, packs: tuple[str, ...]) -> Sequence[Rule]:
    """The rules of these packs that can apply to an effect of this action."""
    loaded = (load_pack(name) for name in packs if name not in PACKS or action in PACKS[name])
    return tuple(rule for pack in loaded for rule in pack.rules if action in rule.actions)


OTHERS = ""
"""No effect's name: under it are the rules for effects whose name no rule mentions."""


@cache
def rules_by_name(action: Action, packs: tuple[str, ...]) -> Mapping[str, Sequence[Rule]]:
    """The same, for the names that any of them mentions and for `OTHERS`: each has those that can apply to it."""
    rules = rules_for(action, packs)
    names = {OTHERS, *(name for rule in rules for name in rule.names)}
    return {name: tuple(rule for rule in rules if not rule.names or name in rule.names) for name in names}


def all_packs() -> Iterable[Pack]:
    return tuple(load_pack(name) for name in PACKS)


def rules_about(action: str, name: str) -> list[Rule]:
    """The rules that speak of this effect, whatever else they ask about it."""
    return [
        rule
        for pack in all_packs()
        for rule in pack.rules
        if Action(action) in rule.actions and (not rule.names or name in rule.names)
    ]


def rule_of(id: str) -> Rule | None:
    """The rule of that id in a pack of ours, or of an installed plugin."""
    name = id.partition("/")[0]
    try:
        pack = load_pack(name if name in PACKS else f"{MARK}{name}")
    except PluginError:
        return None
    return next((rule for rule in pack.rules if rule.id == id), None)


RECOVERING = ("filesystem", "git")
"""The packs some of whose rules speak of losses that can be saved first."""


@cache
def recoverable_rules() -> tuple[str, ...]:
    return tuple(rule.id for name in RECOVERING for rule in load_pack(name).rules if rule.recoverable)


def is_rule(id: str) -> bool:
    return rule_of(id) is not None
