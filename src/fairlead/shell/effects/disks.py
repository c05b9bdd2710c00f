"""Disks, file systems and mounts."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import Danger, is_dry_run, same_reader, shown, subcommand_reader
from fairlead.shell.script import Command
from fairlead.shell.targets import Place, Surroundings, resolve

_LOOKS = frozenset(
    ("-l", "--list", "-d", "--dump", "-p", "--print", "-V", "--version", "-v", "-n", "--no-act")
)


def _formats(command: Command, where: Surroundings) -> Iterator[Effect]:
    """On a file, as for an image, it loses nothing but the file."""
    given = read_arguments(command.argv[1:], valued=("-t", "-L", "-b", "-n", "-m", "-O", "-U"))
    if is_dry_run(given) or given.has("-V", "--version") or not given.operands:
        return
    devices = [word for word in given.operands if "/dev/" in word.text or not word.known]
    target = resolve((devices or given.operands)[0], command, where)
    if target.place not in (Place.PROJECT, Place.GENERATED, Place.TEMPORARY):
        yield Effect(Action.FORMAT, "format", command, target, what=shown(command))


def _partitions(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    texts = {word.text for word in given.operands}
    if is_dry_run(given) or _LOOKS & given.flags or {"print", "p"} & texts or not given.operands:
        return
    yield Effect(Action.FORMAT, "partition", command, what=shown(command))


def _wipefs(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-o", "-t"))
    if given.has("-a", "--all", "-o") and not given.has("-n", "--no-act"):
        yield Effect(Action.FORMAT, "format", command, what=shown(command))


def _when(*needs: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        texts = [word.text for word in command.argv[1:]]
        if any(text.startswith(need) for text in texts for need in needs):
            yield Effect(Action.FORMAT, "format", command, what=shown(command))

    return read


def _always(action: Action, name: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        given = read_arguments(command.argv[1:])
        if given.operands and not is_dry_run(given):
            yield Effect(action, name, command, what=shown(command))

    return read


def _mount(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "-o", "--types", "--options", "-L", "-U"))
    if len(given.operands) >= 2 or given.has("-o", "--options"):
        target = resolve(given.operands[-1], command, where) if given.operands else None
        yield Effect(Action.MOUNT, "mount", command, target, what=shown(command))


def _umount(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "-O"))
    if given.has("-a", "--all"):
        yield Effect(Action.MOUNT, "umount-all", command, what=shown(command))
    for word in given.operands:
        yield Effect(Action.MOUNT, "umount", command, resolve(word, command, where), what=shown(command))


_OTHER: dict[str, tuple[Danger, ...]] = {
    "cryptsetup": (Danger("luksformat|erase|lukserase|lukskillslot|reencrypt|luksremovekey", "format"),),
    "zpool": (Danger("destroy|labelclear|remove|detach|offline|create|add|replace", "format"),),
    "zfs": (Danger("destroy|rollback", "format"),),
    "btrfs": (
        Danger("subvolume delete", "format"),
        Danger("device remove|delete", "format"),
    ),
    "nvme": (Danger("format|sanitize|delete-ns|write-zeroes", "format"),),
    "diskutil": (
        Danger("apfs delete*|erase*", "format"),
        Danger("erase*|partitiondisk|zerodisk|randomdisk|secureerase|reformat", "format"),
    ),
    "hdiutil": (Danger("erase*", "format"),),
    "dmsetup": (Danger("remove|remove_all|wipe_table", "format"),),
}

TABLE: dict[str, EffectReader] = {
    **same_reader(
        _formats,
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs "
        "mkfs.exfat mke2fs mkswap mkdosfs mkntfs newfs newfs_apfs",
    ),
    **same_reader(_partitions, "fdisk sfdisk cfdisk gdisk sgdisk parted"),
    "wipefs": _wipefs,
    "badblocks": _when("-w"),
    "hdparm": _when("--security-erase", "--trim-sector", "--write-sector", "--user-master", "--security-set"),
    "mdadm": _when("--zero-superblock", "--stop", "-S", "--remove", "--fail", "--create", "-C"),
    "tune2fs": _when("-O", "-U", "-L"),
    **same_reader(
        _always(Action.FORMAT, "format"),
        "blkdiscard lvremove vgremove pvremove pvcreate vgreduce sg_format scrub nwipe lvreduce",
    ),
    **same_reader(_always(Action.FORMAT, "resize"), "resize2fs xfs_growfs e2fsck fsck"),
    "mount": _mount,
    "umount": _umount,
    "swapoff": _when("-a"),
    "flashrom": _when("-w", "-E", "--write", "--erase"),
    **{name: subcommand_reader(Action.FORMAT, table) for name, table in _OTHER.items()},
}
