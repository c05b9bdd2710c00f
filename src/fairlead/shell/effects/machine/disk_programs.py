"""Programs that format and partition disks, and mounts: on what, and how."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import is_dry_run, shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_LOOKS = names(
    "-l --list --dump -p --print -V --version -v -n --no-act -i --info -b --backup --verify -J --json"
)


def read_formatting(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """On a file, as for an image, it loses nothing but the file."""
    given = read_arguments(command.argv[1:], valued=("-t", "-L", "-b", "-n", "-m", "-O", "-U"))
    devices = [word for word in command.argv[1:] if "/dev/" in word.text or not word.known]
    tried = given.has("-n") and command.name in ("mke2fs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4")
    if is_dry_run(given) or tried or given.has("-V", "--version") or not (devices or given.operands):
        return
    target = resolve((devices or given.operands)[0], command, where)
    if target.place not in (Place.PROJECT, Place.GENERATED, Place.TEMPORARY):
        yield Effect(Action.FORMAT, "format", command, target, what=shown(command))


def read_partitioning(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    texts = {word.text for word in given.operands}
    dumps = command.name == "sfdisk" and given.has("-d")
    looks = _LOOKS - {"-n"} if command.name == "sgdisk" else _LOOKS
    if is_dry_run(given) or dumps or looks & given.flags or {"print", "p"} & texts or not given.operands:
        return
    named = [word for word in given.operands if "/" in word.text or "." in word.text or not word.known]
    places = {resolve(word, command, where).place for word in named}
    if places and places <= {Place.PROJECT, Place.GENERATED, Place.TEMPORARY}:
        return  # an image, as for a virtual machine
    yield Effect(Action.FORMAT, "partition", command, what=shown(command))


def read_mount(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "-o", "--types", "--options", "-L", "-U"))
    options = ",".join(
        word.text for word in (*given.values.get("-o", ()), *given.values.get("--options", ()))
    )
    if "remount" in options and {"suid", "dev", "exec"} & set(options.split(",")):
        yield Effect(Action.CHANGE_SYSTEM, "kernel", command, what=shown(command))
    if len(given.operands) >= 2 or options:
        target = resolve(given.operands[-1], command, where) if given.operands else None
        yield Effect(Action.MOUNT, "mount", command, target, what=shown(command))
        if given.has("-M", "--move") and len(given.operands) > 1:
            away = resolve(given.operands[0], command, where)
            yield Effect(Action.MOVE_AWAY, "mount", command, away, True, what=shown(command))
        if target is not None and (given.has("-B", "--bind", "-R", "--rbind") or "bind" in options):
            yield Effect(Action.READ, "mount", command, resolve(given.operands[0], command, where))
            yield Effect(Action.WRITE, "ln", command, target, what=shown(command))


def read_umount(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "-O"))
    if given.has("-a", "--all"):
        yield Effect(Action.MOUNT, "umount-all", command, what=shown(command))
    for word in given.operands:
        yield Effect(Action.MOUNT, "umount", command, resolve(word, command, where), what=shown(command))
