"""What else keeps versions: which files it shows, besides what its record says."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git.path_arguments import patched
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word


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


def read_etckeeper(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`etckeeper vcs …` is git in /etc."""
    from fairlead.shell.effects.git.git_command import read_git  # only for this one

    if len(command.argv) > 1 and command.argv[1].text == "vcs":
        words = (Word("git"), *command.argv[2:])
        yield from read_git(command.replace(argv=words), where)


_SHOWING = frozenset(("cat", "diff", "annotate", "blame", "print", "export", "finfo"))


def read_version_control(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    yield from known(command, where)
    if any(word.text in _SHOWING for word in command.argv[1:3]):
        for word in command.argv[2:]:
            yield Effect(Action.READ, "version", command, resolve(word, command, where))
