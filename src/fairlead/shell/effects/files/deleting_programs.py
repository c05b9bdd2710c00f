"""Programs that delete files: rm, and all that does the same by another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.file_programs import on_each, read_copy, read_move
from fairlead.shell.effects.program_effects import reader_named, shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word

_RM_LONG = (
    "--recursive",
    "--force",
    "--verbose",
    "--interactive",
    "--dir",
    "--no-preserve-root",
    "--preserve-root",
)


def read_rm(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], long=_RM_LONG)
    recursive = given.has("-r", "-R", "--recursive")
    forced = given.has("-f", "--force")
    yield from on_each(
        Action.DELETE, "rm", command, given.operands, where, recursive=recursive, forced=forced
    )


def read_unlink(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-n", "--iterations", "-s", "--size", "--random-source"))
    yield from on_each(Action.DELETE, command.name, command, given.operands, where)


def read_rmdir(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """It removes empty directories only: nothing is lost but where a system needs the directory."""
    for effect in read_unlink(command, where):
        yield effect.replace(name="rmdir")


def read_shred(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-n", "--iterations", "-s", "--size", "--random-source"))
    recursive = given.has("-r", "-R")
    yield from on_each(
        Action.DELETE, "shred", command, given.operands, where, recursive=recursive, forced=True
    )


def read_rimraf(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("--impl", "--max-retries", "--backoff", "--filter"))
    yield from on_each(Action.DELETE, "rm", command, given.operands, where, recursive=True, forced=True)


def read_shx(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    name = command.argv[1].text if len(command.argv) > 1 else ""
    inner = reader_named(name)
    if inner is not None:
        yield from inner(command.replace(argv=command.argv[1:]), where)


def read_trash(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    yield from on_each(Action.MOVE_AWAY, "trash", command, given.operands, where, recursive=True)


def read_gio(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`gio trash`, `gio remove`: a desktop's own ways to move and delete."""
    inner = command.replace(argv=command.argv[1:])
    verb = inner.name
    if verb in ("remove", "rm", "del"):
        yield from read_rimraf(inner, where)
    elif verb in ("trash", "move", "mv"):
        empties = any(word.text == "--empty" for word in inner.argv)
        yield from (read_emptied_bin if empties else read_trash if verb == "trash" else read_move)(
            inner, where
        )
    elif verb in ("copy", "cp"):
        yield from read_copy(inner, where)


def read_emptied_bin(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """What was put into the waste bin could be had back until now."""
    place = Word(f"{where.home}/.local/share/Trash")
    given = read_arguments(command.argv[1:])
    if not given.has("--dry-run", "--help", "--version"):
        yield Effect(
            Action.DELETE, "trash-empty", command, resolve(place, command, where), True, True, shown(command)
        )


def read_tmpwatch(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if not given.has("-t", "--test"):
        yield from on_each(Action.DELETE, command.name, command, given.operands[1:], where, recursive=True)


def read_fdupes(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if given.has("-d", "--delete") or any(word.text.startswith("-deleteduplicates") for word in command.argv):
        yield from on_each(Action.DELETE, command.name, command, given.operands, where, recursive=True)


def read_bleachbit(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if given.has("-s", "--shred"):
        yield from on_each(
            Action.DELETE, "shred", command, given.operands, where, recursive=True, forced=True
        )
    elif given.has("-c", "--clean"):
        home = Word(f"{where.home}/.config")
        yield Effect(
            Action.DELETE, "clean", command, resolve(home, command, where), True, True, shown(command)
        )


def read_tmpfiles(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """What is removed stands in the machine's own settings: homes and services are among it."""
    if any(re.match(r"^--(?:remove|purge|clean)$", word.text) for word in command.argv[1:]):
        yield Effect(
            Action.DELETE,
            "tmpfiles",
            command,
            resolve(Word("/var"), command, where),
            True,
            True,
            shown(command),
        )


def read_virtualenv(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`python -m venv --clear DIR` deletes what is in the folder first."""
    given = read_arguments(command.argv[1:], valued=("-p", "--python", "--prompt"))
    if given.has("--clear"):
        yield from on_each(Action.DELETE, "clear", command, given.operands, where, recursive=True)
