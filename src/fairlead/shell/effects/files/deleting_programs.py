"""Programs that delete files: rm, and all that does the same by another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.files import file_programs as files
from fairlead.shell.effects.files.file_programs import on_each
from fairlead.shell.effects.subcommand_tables import same_reader, shown
from fairlead.shell.places.targets import Surroundings, resolve
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


def _rm(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], long=_RM_LONG)
    recursive = given.has("-r", "-R", "--recursive")
    forced = given.has("-f", "--force")
    yield from on_each(
        Action.DELETE, "rm", command, given.operands, where, recursive=recursive, forced=forced
    )


def _unlink(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-n", "--iterations", "-s", "--size", "--random-source"))
    yield from on_each(Action.DELETE, command.name, command, given.operands, where)


def _rmdir(command: Command, where: Surroundings) -> Iterator[Effect]:
    """It removes empty directories only: nothing is lost but where a system needs the directory."""
    for effect in _unlink(command, where):
        yield effect.replace(name="rmdir")


def _shred(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-n", "--iterations", "-s", "--size", "--random-source"))
    recursive = given.has("-r", "-R")
    yield from on_each(
        Action.DELETE, "shred", command, given.operands, where, recursive=recursive, forced=True
    )


def _rimraf(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("--impl", "--max-retries", "--backoff", "--filter"))
    yield from on_each(Action.DELETE, "rm", command, given.operands, where, recursive=True, forced=True)


def _shx(command: Command, where: Surroundings) -> Iterator[Effect]:
    name = command.argv[1].text if len(command.argv) > 1 else ""
    inner = TABLE.get(name) or files.TABLE.get(name)
    if inner is not None:
        yield from inner(command.replace(argv=command.argv[1:]), where)


def _trash(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    yield from on_each(Action.MOVE_AWAY, "trash", command, given.operands, where, recursive=True)


def _gio(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`gio trash`, `gio remove`: a desktop's own ways to move and delete."""
    inner = command.replace(argv=command.argv[1:])
    verb = inner.name
    if verb in ("remove", "rm", "del"):
        yield from _rimraf(inner, where)
    elif verb in ("trash", "move", "mv"):
        empties = any(word.text == "--empty" for word in inner.argv)
        yield from (_emptied_bin if empties else _trash if verb == "trash" else files.TABLE["mv"])(
            inner, where
        )
    elif verb in ("copy", "cp"):
        yield from files.TABLE["cp"](inner, where)


def _emptied_bin(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What was put into the waste bin could be had back until now."""
    place = Word(f"{where.home}/.local/share/Trash")
    given = read_arguments(command.argv[1:])
    if not given.has("--dry-run", "--help", "--version"):
        yield Effect(
            Action.DELETE, "trash-empty", command, resolve(place, command, where), True, True, shown(command)
        )


def _reaped(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if not given.has("-t", "--test"):
        yield from on_each(Action.DELETE, command.name, command, given.operands[1:], where, recursive=True)


def _deduplicated(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if given.has("-d", "--delete") or any(word.text.startswith("-deleteduplicates") for word in command.argv):
        yield from on_each(Action.DELETE, command.name, command, given.operands, where, recursive=True)


_CMAKE = {
    "rm": "rm", "remove": "rm", "remove_directory": "rimraf", "rename": "mv", "copy": "cp",
    "copy_directory": "cp", "copy_if_different": "cp", "touch": "touch", "create_symlink": "ln",
}  # fmt: skip


def _cmake(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`cmake -E rm -rf DIR`: the same tools for every system."""
    if len(command.argv) < 3 or command.argv[1].text != "-E":
        return
    name = _CMAKE.get(command.argv[2].text, "")
    reader = TABLE.get(name) or files.TABLE.get(name)
    if reader is not None:
        yield from reader(command.replace(argv=(Word(name), *command.argv[3:])), where)


def _bleachbit(command: Command, where: Surroundings) -> Iterator[Effect]:
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


def _tmpfiles(command: Command, where: Surroundings) -> Iterator[Effect]:
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


def cleared(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`python -m venv --clear DIR` deletes what is in the folder first."""
    given = read_arguments(command.argv[1:], valued=("-p", "--python", "--prompt"))
    if given.has("--clear"):
        yield from on_each(Action.DELETE, "clear", command, given.operands, where, recursive=True)


TABLE: dict[str, EffectReader] = {
    **same_reader(_rm, "rm grm gvfs-rm safe-rm saferm"),
    "rmdir": _rmdir,
    "unlink": _unlink,
    **same_reader(_shred, "shred gshred wipe srm"),
    **same_reader(_rimraf, "rimraf del-cli premove"),
    "shx": _shx,
    **same_reader(_trash, "trash trash-cli trash-put gomi rip rmtrash gvfs-trash"),
    **same_reader(_gio, "gio kioclient kioclient5"),
    **same_reader(_emptied_bin, "trash-empty trash-rm"),
    **same_reader(_reaped, "tmpwatch tmpreaper"),
    **same_reader(_deduplicated, "fdupes jdupes rdfind"),
    "cmake": _cmake,
    "virtualenv": cleared,
    "bleachbit": _bleachbit,
    "systemd-tmpfiles": _tmpfiles,
}
