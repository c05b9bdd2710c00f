"""What else keeps versions, and what rewrites git's history from outside."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git.path_arguments import patched
from fairlead.shell.effects.subcommand_tables import Danger, subcommand_reader
from fairlead.shell.places.targets import Surroundings, resolve
from fairlead.shell.script import Command, Word


def _bfg(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield Effect(Action.REWRITE_HISTORY, "filter-branch", command, what=command.name)


def read_patch(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-p", "-i", "-d", "-o", "-r", "-D", "-F", "-B", "-z"))
    if given.has("-R", "--reverse") and not given.has("--dry-run", "-C"):
        yield Effect(Action.DISCARD_GIT_WORK, "apply-reverse", command, what="patch -R")
    yield from patched(command, where)
    directory = given.values.get("-d", ()) + given.values.get("--directory", ())
    written = given.values.get("-o", ()) + given.values.get("--output", ())
    for word in () if given.has("--dry-run") else directory + written:
        yield Effect(Action.WRITE, "patch", command, resolve(word, command, where), what="patch")
    for word in given.operands[:1]:
        yield Effect(Action.WRITE, "patch", command, resolve(word, command, where), what="patch")


_PREVIEWS = ("-n", "-p", "--print", "--preview", "--list")
_CLEAN = ("-C", "--clean", "-c")
_FORCE = ("-f", "--force")
_REWRITE = Action.REWRITE_HISTORY


def _loses(path: str, needs: tuple[str, ...] = ()) -> Danger:
    return Danger(path, "other-vcs", needs=needs, unless=_PREVIEWS)


def _overwrites(path: str, needs: tuple[str, ...] = ()) -> Danger:
    return Danger(path, "push-force", needs=needs, unless=("-n",), action=_REWRITE)


def _forgets(path: str, needs: tuple[str, ...] = ()) -> Danger:
    return Danger(path, "prune", needs=needs, unless=("-n", "--dry"), action=_REWRITE)


_MERCURIAL = (
    _loses("update|up|checkout|co|goto|go", _CLEAN),
    _loses("revert|purge|clean|rollback|strip"),
    _loses("shelve", ("-d", "--delete", "--cleanup")),
    _overwrites("push", ("-f", "--force", "--delete")),
    _forgets("prune|obsolete|debugstrip|hide"),
)
_OTHER: dict[str, tuple[Danger, ...]] = {
    "hg": _MERCURIAL,
    "sl": _MERCURIAL,
    "svn": (
        _loses("revert"),
        _loses("cleanup", ("--remove-unversioned", "--remove-ignored")),
        _loses("delete|del|remove|rm", ("--force",)),
        _overwrites("delete|del|remove|rm *://*"),
    ),
    "jj": (
        _loses("abandon|restore"),
        _loses("op|operation restore|revert"),
        _forgets("op|operation abandon"),
        _forgets("util gc", ("--expire",)),
        _overwrites("git push", ("--deleted", "--delete")),
    ),
    "fossil": (_loses("revert|clean"), _forgets("purge|scrub")),
    **dict.fromkeys(
        ("bzr", "brz"),
        (_loses("revert|clean-tree|uncommit"), _overwrites("push", ("--overwrite",))),
    ),
    "p4": (
        _loses("revert|clean"),
        _loses("sync", _FORCE),
        _forgets("obliterate", ("-y",)),
        _loses("** delete|-d", _FORCE),
    ),
    "darcs": (_loses("revert|rollback"), _forgets("obliterate|unpull|unrecord")),
    "pijul": (_loses("reset"), _forgets("unrecord")),
    "cvs": (_loses("update|up", ("-C",)),),
    "repo": (_loses("sync", ("--force-sync", "--force-checkout", "-d", "--detach")), _loses("abandon")),
    "dvc": (
        _forgets("gc|destroy", _FORCE),
        _loses("checkout", _FORCE),
    ),
}


def _etckeeper(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`etckeeper vcs …` is git in /etc."""
    from fairlead.shell.effects.git.git_command import read_git  # only for this one

    if len(command.argv) > 1 and command.argv[1].text == "vcs":
        words = (Word("git"), *command.argv[2:])
        yield from read_git(command.replace(argv=words), where)


_SHOWING = frozenset(("cat", "diff", "annotate", "blame", "print", "export", "finfo"))


def _reader(table: tuple[Danger, ...]) -> EffectReader:
    losing = subcommand_reader(
        Action.DISCARD_GIT_WORK,
        table,
        valued=("--config", "-R", "--repository", "-m", "--message", "--cwd"),
    )

    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        yield from losing(command, where)
        if any(word.text in _SHOWING for word in command.argv[1:3]):
            for word in command.argv[2:]:
                yield Effect(Action.READ, "version", command, resolve(word, command, where))

    return read


TABLE: dict[str, EffectReader] = {
    "bfg": _bfg,
    "patch": read_patch,
    "etckeeper": _etckeeper,
    **{name: _reader(table) for name, table in _OTHER.items()},
}
