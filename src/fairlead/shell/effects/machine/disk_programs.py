"""Disks, file systems and mounts."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, is_dry_run, same_reader, shown, subcommand_reader
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.script import Command

_LOOKS = frozenset(
    (
        "-l",
        "--list",
        "--dump",
        "-p",
        "--print",
        "-V",
        "--version",
        "-v",
        "-n",
        "--no-act",
        "-i",
        "--info",
        "-b",
        "--backup",
        "--verify",
        "-J",
        "--json",
    )
)


def _formats(command: Command, where: Surroundings) -> Iterator[Effect]:
    """On a file, as for an image, it loses nothing but the file."""
    given = read_arguments(command.argv[1:], valued=("-t", "-L", "-b", "-n", "-m", "-O", "-U"))
    devices = [word for word in command.argv[1:] if "/dev/" in word.text or not word.known]
    tried = given.has("-n") and command.name in ("mke2fs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4")
    if is_dry_run(given) or tried or given.has("-V", "--version") or not (devices or given.operands):
        return
    target = resolve((devices or given.operands)[0], command, where)
    if target.place not in (Place.PROJECT, Place.GENERATED, Place.TEMPORARY):
        yield Effect(Action.FORMAT, "format", command, target, what=shown(command))


def _partitions(command: Command, where: Surroundings) -> Iterator[Effect]:
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


def _wipefs(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-o", "-t"))
    if given.has("-a", "--all", "-o", "--offset") and not given.has("-n", "--no-act"):
        yield Effect(Action.FORMAT, "format", command, what=shown(command))


def _when(*needs: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        texts = [word.text for word in command.argv[1:]]
        if any(text.startswith(need) for text in texts for need in needs):
            yield Effect(Action.FORMAT, "format", command, what=shown(command))

    return read


def _badblocks(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`-w` writes over everything; `-n` puts back what was there."""
    if read_arguments(command.argv[1:], valued=("-b", "-c", "-t", "-o", "-i", "-p")).has("-w"):
        yield Effect(Action.FORMAT, "format", command, what=shown(command))


def _always(action: Action, name: str, *looks: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        given = read_arguments(command.argv[1:])
        aimed = given.operands or given.has("-A", "-a", "--all", "--autonuke")
        if aimed and not is_dry_run(given) and not given.has(*looks):
            yield Effect(action, name, command, what=shown(command))

    return read


def _mount(command: Command, where: Surroundings) -> Iterator[Effect]:
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


def _umount(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "-O"))
    if given.has("-a", "--all"):
        yield Effect(Action.MOUNT, "umount-all", command, what=shown(command))
    for word in given.operands:
        yield Effect(Action.MOUNT, "umount", command, resolve(word, command, where), what=shown(command))


def _relabel(command: Command, where: Surroundings) -> Iterator[Effect]:
    """With the device alone it prints the label."""
    if len(command.argv) > 2:
        yield Effect(Action.FORMAT, "resize", command, what=shown(command))


_OTHER: dict[str, tuple[Danger, ...]] = {
    "cryptsetup": (
        Danger(
            "luksformat|erase|lukserase|lukskillslot|reencrypt|luksremovekey|luksheaderrestore|convert|lukschangekey",
            "format",
        ),
    ),
    "zpool": (
        Danger(
            "destroy|labelclear|remove|detach|offline|create|add|replace|split|reguid",
            "format",
            unless=("-n",),
        ),
        Danger("export", "format", needs=("-f", "-a")),
    ),
    "zfs": (
        Danger("destroy|rollback", "format", unless=("-n",)),
        Danger("receive|recv", "format", needs=("-F",)),
        Danger("unmount|umount|unload-key", "format", needs=("-a", "-f")),
        Danger("set mountpoint=none|mountpoint=legacy|readonly=*|canmount=off", "resize"),
        Danger("inherit", "resize", needs=("-r",)),
    ),
    "btrfs": (
        Danger("sub* del*", "format"),
        Danger("dev* rem*|rm|del*", "format"),
        Danger("check", "format", needs=("--repair", "--init-csum-tree", "--init-extent-tree")),
        Danger("rescue", "resize"),
        Danger("fi* resize", "resize"),
        Danger("bal* start", "resize", needs=("-f", "--force")),
    ),
    "nvme": (
        Danger(
            "format|sanitize|delete-ns|detach-ns|create-ns|write*|dsm|fw-commit|fw-activate|fw-download|reset|subsystem-reset",
            "format",
        ),
    ),
    "diskutil": (
        Danger("apfs delete*|erase*", "format"),
        Danger("apple* delete|remove", "format"),
        Danger("unmountdisk|unmount force", "format"),
        Danger(
            "erase*|mergepartitions|splitpartition|resizevolume|partitiondisk|zerodisk|randomdisk|secureerase|reformat",
            "format",
        ),
    ),
    "hdiutil": (Danger("erase*", "format"),),
    "dmsetup": (Danger("remove|remove_all|wipe_table", "format"),),
}

TABLE: dict[str, EffectReader] = {
    **same_reader(
        _formats,
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs "
        "mkfs.exfat mke2fs mkswap mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs newfs newfs_apfs",
    ),
    **same_reader(_partitions, "fdisk sfdisk cfdisk gdisk sgdisk parted"),
    "wipefs": _wipefs,
    "badblocks": _badblocks,
    "hdparm": _when(
        "--security-erase",
        "--trim-sector",
        "--write-sector",
        "--user-master",
        "--security-",
        "--sanitize-",
        "--dco-restore",
        "--dco-setmax",
        "--fwdownload",
        "--make-bad-sector",
    ),
    "mdadm": _when(
        "--zero-superblock",
        "--stop",
        "-S",
        "--remove",
        "--fail",
        "--create",
        "-C",
        "--grow",
        "-G",
        "-f",
        "-r",
    ),
    "tune2fs": _when("-O", "-U", "-L"),
    **same_reader(
        _always(Action.FORMAT, "format", "--test", "--version"),
        "blkdiscard lvremove vgremove pvremove pvcreate vgreduce sg_format scrub nwipe lvreduce",
    ),
    **same_reader(
        _always(Action.FORMAT, "resize", "-n", "-N", "-P"), "resize2fs xfs_growfs e2fsck fsck xfs_repair"
    ),
    "debugfs": _when("-w"),
    "e2label": _relabel,
    "mount": _mount,
    "umount": _umount,
    "swapoff": _when("-a", "--all"),
    "flashrom": _when("-w", "-E", "--write", "--erase"),
    **{name: subcommand_reader(Action.FORMAT, table) for name, table in _OTHER.items()},
}
