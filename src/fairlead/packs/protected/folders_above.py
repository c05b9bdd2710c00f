"""Folders that something of the guard's lies in: to make them, or to fill them, is everyday work; to take them
away, to put something else in their place or to lock their owner out is not."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.packs.rule import Scene
from fairlead.platforms import here
from fairlead.shell.effects.effect import LAID, Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import IN_EVERY_HOME, Target, home_containing
from fairlead.shell.places.world import is_folder

_REMOVING = (Action.DELETE, Action.MOVE_AWAY, Action.MOUNT, Action.TRUNCATE)
_WRITING = (Action.WRITE, Action.OVERWRITE)
_REPLACING = ("ln", "mv", "code", "mount", LAID)
"""Ways to write that put something else under the name of a folder, where they do not write into it."""
_CLAUSE = lazy(r"([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)")
_STEP = lazy(r"([-+=])([rwxXstugo]*)")
_ONESELF = lazy(
    r"\$\{?(?:USER|LOGNAME|UID|EUID|SUDO_USER)\}?|\$\((?:whoami|logname|id -un?)\)|`(?:whoami|id -un?)`"
)


def takes_a_folder_away(effect: Effect, scene: Scene) -> bool:
    """Whether what lies in the folder would no longer be where it is, or could no longer be used."""
    target = effect.target
    if target is None or (effect.action in _WRITING and effect.name not in _REPLACING):
        return False
    return holds_guard(target, scene.where) and _takes_away(effect)


def holds_guard(target: Target, where: Surroundings) -> bool:
    """Whether something of the guard's lies below the target, or below what its glob stands for."""
    word = target.word
    begun = word.prefix.rpartition("/")[2] if word.opaque else ""
    for path in {target.path, target.real} - {""}:
        if not word.opaque and not target.pattern:
            if _is_above(path, where):
                return True
        elif any(
            _covers(target.pattern, rest) if target.pattern else begun and rest.startswith(begun)
            for rest in _inside(path, where)
        ):
            return True
    return False


_ABOVE_IN_HOMES = frozenset(
    "/".join(place.split("/")[:depth]) for place in IN_EVERY_HOME for depth in range(1, place.count("/") + 1)
)


def _is_above(path: str, where: Surroundings) -> bool:
    """This user's guard, or that of somebody who has a home here."""
    if path in where.above_guard:
        return True
    home = home_containing(path, where)
    return bool(home) and path[len(home) + 1 :] in _ABOVE_IN_HOMES


def reaches_guard(target: Target, where: Surroundings) -> bool:
    """Whether a glob stands for something of the guard's, or for something inside of that."""
    return any(
        _reaches(target.pattern, rest)
        for path in {target.path, target.real} - {""}
        for rest in _inside(path, where)
    )


def _reaches(pattern: str, rest: str) -> bool:
    parts, wanted = rest.split("/"), pattern.split("/")
    return len(wanted) >= len(parts) and "**" not in wanted and all(map(_fits, parts, wanted))


def _inside(path: str, where: Surroundings) -> Iterator[str]:
    """The rest of the path to each thing of a guard's, this user's or another's, that lies below."""
    below = f"{path.rstrip('/')}/"
    home = home_containing(f"{below}x", where)
    others = (f"{home}/{own}" for own in IN_EVERY_HOME if home)
    for kept in (*where.guard, *where.installation.settings, *others):
        if kept.startswith(below) and kept not in where.installation.passing:
            yield kept[len(below) :]


def _covers(pattern: str, rest: str) -> bool:
    """Whether a glob stands for a folder on the way."""
    parts = rest.split("/")
    if pattern.startswith("**/"):
        name = pattern.rpartition("/")[2]
        return any(_fits(part, name) for part in parts)
    wanted = pattern.split("/")
    return len(wanted) <= len(parts) and all(map(_fits, parts, wanted))


def _fits(name: str, pattern: str) -> bool:
    """A glob stands for a hidden name only where it begins with a dot itself."""
    return fnmatchcase(name, pattern) and (not name.startswith(".") or pattern.startswith("."))


def _takes_away(effect: Effect) -> bool:
    if effect.action in _REMOVING:
        return True
    if effect.action is Action.CHANGE_PERMISSIONS:
        return locks_out(effect.name, effect.detail)
    if effect.action is Action.CHANGE_OWNER:
        return effect.name != "chgrp" and not _is_oneself(effect.detail)
    return replaces_a_folder(effect)


def replaces_a_folder(effect: Effect) -> bool:
    """Whether something else would stand under the name of the target."""
    if effect.action is Action.MOUNT:
        return True
    if effect.name == LAID:  # a file or a link: folders are not laid, only what is in them
        return True
    return effect.action in _WRITING and effect.name in _REPLACING and not _goes_into(effect)


def _goes_into(effect: Effect) -> bool:
    """What is moved or linked to a folder that is there goes into it, unless it is told not to."""
    texts = [word.text for word in effect.command.argv[1:]]
    whole = any(re.match(r"-[a-zA-Z]*[nT]|--no-(?:dereference|target-directory)$", text) for text in texts)
    if whole or effect.target is None:
        return False
    return effect.name == "mv" or is_folder(effect.target.path)  # a new name hides nothing that is there


def locks_out(program: str, mode: str) -> bool:
    """Whether the owner could no longer read, change or enter what gets this mode; yes, where that is not known."""
    if program == "chattr":
        return any(letter in mode for letter in "ia") and not mode.startswith("-")
    if program == "setfacl":
        return any(map(_denies_owner, mode.split(",")))
    if re.fullmatch(r"0?o?[0-7]{1,5}", mode):
        return (int(mode.replace("o", ""), 8) >> 6) & 7 != 7
    clauses = [_CLAUSE.fullmatch(clause) for clause in mode.split(",")]
    return any(clause is None or _takes_from_owner(clause[1], clause[2]) for clause in clauses)


def _denies_owner(entry: str) -> bool:
    """`u::r-x`, `m::---`: an entry without a name is the owner's, or the bound of all others."""
    kind, _, rest = entry.partition(":")
    name, _, granted = rest.rpartition(":")
    return kind in ("u", "user", "m", "mask") and name in ("", here.name_of_user()) and granted != "rwx"


def _takes_from_owner(who: str, steps: str) -> bool:
    if who and not set(who) & set("ua"):
        return False
    for sign, letters in _STEP.findall(steps):
        given = set(letters.replace("X", "x"))
        if (sign == "-" and given & set("rwxugo")) or (sign == "=" and not given >= set("rwx")):
            return True
    return False


def _is_oneself(owner: str) -> bool:
    """`$USER:staff`, `$(whoami)`, `1000:1000`, `:users`: the user that the guard runs as, or no other owner."""
    user = owner
    for mark in (":", "."):
        user = user.partition(mark)[0] if not user.startswith(("$", "`")) else user
    found = _ONESELF.match(user)
    if found is not None:
        return user[found.end() : found.end() + 1] in ("", ":", ".")
    return user in ("", str(os.getuid()), here.name_of_user())
