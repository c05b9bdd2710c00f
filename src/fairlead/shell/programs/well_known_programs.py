"""Programs that everybody has, for patterns in the place of a command's name."""

from __future__ import annotations

from fairlead.shell.language.glob_patterns import compile_pattern
from fairlead.shell.word_sets import names

_DIRECTORIES = (
    "/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin",
)  # fmt: skip
_NAMES = names(
    """
    rm rmdir mv cp ln dd shred truncate unlink install tee cat ls chmod chown chgrp mkfs mke2fs fdisk
    parted wipefs mount umount sh bash zsh dash ksh fish env sudo su doas xargs find kill pkill killall
    reboot shutdown halt poweroff init systemctl service crontab at git curl wget nc ncat socat ssh scp
    rsync sftp python python3 perl ruby node php awk gawk sed tar zip unzip docker kubectl psql mysql
    sqlite3 redis-cli mongo base64 xxd rev tr head tail cut sort grep eval exec nohup timeout nice
    setsid useradd userdel usermod passwd visudo iptables nft ufw dmsetup lvremove vgremove pvremove
    zpool zfs apt apt-get dpkg yum dnf pacman brew npm npx pip pip3 uv aws gcloud az terraform helm gh
    make busybox chroot fairlead
    """
)
MAX_CANDIDATES = 40


def is_well_known(name: str) -> bool:
    return name.rsplit("/", 1)[-1] in _NAMES


def candidates(pattern: str) -> list[str]:
    """The well-known programs that a pattern in the place of a command may mean, sorted as the shell does."""
    folder, slash, name = pattern.rpartition("/")
    compiled = compile_pattern([(name, False)], 20)
    if compiled is None:
        return []
    places = _places(folder) if slash else [""]
    names = sorted(each for each in _NAMES if compiled.fullmatch(each))
    found = [f"{place}/{each}" if slash else each for place in places for each in names]
    return found[:MAX_CANDIDATES]


def _places(folder: str) -> list[str]:
    compiled = compile_pattern([(folder, False)], 30)
    if compiled is None:
        return []
    known = [place for place in _DIRECTORIES if compiled.fullmatch(place)]
    return known[:1] or ([] if folder.startswith("/") else [folder])
