"""Disks and file systems."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.judging.losses.own_apps import is_not_our_app
from fairlead.packs.rule import Pack, Rule, Severity
from fairlead.shell.effects.effect import Action
from fairlead.shell.places.targets import Place

PACK = Pack(
    id="disks",
    summary="Formatting, partitioning, writing to devices, mounting over what is in use",
    rules=(
        Rule(
            id="disks/write-device",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.OVERWRITE, Action.WRITE, Action.TRUNCATE),
            places=frozenset((Place.DEVICE,)),
            reason="`{what}` writes to the device {target} itself, past any file system.",
            person="Everything on the disk could be destroyed.",
            alternative="Write to a file: `dd if=/dev/zero of=disk.img bs=1M count=8`.",
            dangerous=(
                "dd if=/dev/zero of=/dev/sda",
                "cat x > /dev/nvme0n1",
                "tee /dev/sda < x",
                "cp a.img /dev/sdb",
            ),
            harmless=(
                "dd if=/dev/zero of=disk.img bs=1M count=8",
                "echo x > /dev/null",
                "make 2> /dev/stderr",
            ),
        ),
        Rule(
            id="disks/format",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.FORMAT,),
            names=frozenset(("format", "partition")),
            reason="`{what}` destroys a file system or the layout of a disk.",
            person="A file system or partition would be erased.",
            alternative="Look at the disks: `lsblk`, or make a file system in a file: `mkfs.ext4 disk.img`.",
            dangerous=(
                "mkfs.ext4 /dev/sdb1",
                "wipefs -a /dev/sda",
                "parted /dev/sda rm 1",
                "sgdisk --zap-all /dev/sda",
                "lvremove -f vg/data",
                "zpool destroy tank",
                "diskutil eraseDisk JHFS+ X disk2",
            ),
            harmless=(
                "fdisk -l",
                "parted -l",
                "lsblk",
                "mkfs.ext4 disk.img",
                "wipefs /dev/sda",
                "zpool status",
            ),
        ),
        Rule(
            id="disks/resize",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.FORMAT,),
            names=frozenset(("resize",)),
            when=is_not_our_app,
            reason="`{what}` changes a file system in place.",
            person="A mistake here loses a whole file system.",
            alternative="Look first: `df -h`.",
            dangerous=("resize2fs /dev/sda1 10G", "fsck -y /dev/sda1"),
            harmless=("df -h",),
        ),
        Rule(
            id="disks/mount-over-system",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.MOUNT,),
            places=frozenset(
                (Place.SYSTEM, Place.ROOT, Place.HOME_ROOT, Place.HOME, Place.PROJECT_ROOT, Place.VCS)
            ),
            when=lambda effect, scene: effect.name == "mount" or effect.target_place is not Place.HOME,
            reason="`{what}` puts another file system over {target}, or takes it away.",
            person="Files that programs rely on would no longer be reachable.",
            alternative="Mount at a place of its own: `mount /dev/sdb1 /mnt/data`.",
            dangerous=("mount --bind /mnt /", "mount -t tmpfs none /etc", "umount -l /usr", "umount /"),
            harmless=("mount", "mount /dev/sdb1 /mnt/data", "umount /mnt/data"),
        ),
        Rule(
            id="disks/unmount-all",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.MOUNT,),
            names=frozenset(("umount-all",)),
            reason="`{what}` unmounts everything.",
            person="Every mounted file system would be taken away.",
            alternative="Unmount one: `umount /mnt/data`.",
            dangerous=("umount -a",),
            harmless=("umount /mnt/usb",),
        ),
    ),
)
