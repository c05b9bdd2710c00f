"""What else keeps versions, and what rewrites git's history from outside."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git_paths import patched
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.script import Command
from fairlead.shell.targets import Surroundings, resolve


def _bfg(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield Effect(Action.REWRITE_HISTORY, "filter-branch", command, what=command.name)


def _patch(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-p", "-i", "-d", "-o", "-r", "-D", "-F", "-B", "-z"))
    if given.has("-R", "--reverse") and not given.has("--dry-run", "-C"):
        yield Effect(Action.DISCARD_GIT_WORK, "apply-reverse", command, what="patch -R")
    yield from patched(command, where)
    for word in given.operands[:1]:
        yield Effect(Action.WRITE, "patch", command, resolve(word, command, where), what="patch")


_OTHER: dict[str, dict[str, tuple[str, ...]]] = {
    "hg": {
        "update": ("-C", "--clean"),
        "up": ("-C", "--clean"),
        "revert": (),
        "purge": (),
        "strip": (),
        "rollback": (),
    },
    "svn": {"revert": (), "cleanup": ("--remove-unversioned", "--remove-ignored")},
    "jj": {"abandon": (), "restore": ()},
    "fossil": {"revert": (), "clean": ()},
}


def _other(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    name = given.operands[0].text if given.operands else ""
    needed = _OTHER[command.name].get(name)
    if (
        needed is not None
        and (not needed or given.has(*needed))
        and not given.has("-n", "--dry-run", "--help")
    ):
        yield Effect(Action.DISCARD_GIT_WORK, "other-vcs", command, what=f"{command.name} {name}")


TABLE: dict[str, EffectReader] = {"bfg": _bfg, "patch": _patch, **dict.fromkeys(_OTHER, _other)}
