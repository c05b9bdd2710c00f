"""Other programs that format, shrink, detach or restore over disks, volumes, flash and snapshots."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, grouped_readers

_LOSES = "format"
_DELETE = "** del|delete|erase|clear|init|initialize"

_VOLUMES: dict[str, tuple[Danger, ...]] = {
    "lvm": (
        Danger(
            "lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate|vgcfgrestore|vgexport",
            _LOSES,
            unless=("-t", "--test"),
        ),
    ),
    "lvresize": (Danger("", "resize", needs=("-L", "-l", "--size"), unless=("-t", "--test")),),
    "lvconvert": (
        Danger("", _LOSES, needs=("--merge", "--repair", "--uncache", "-m"), unless=("-t", "--test")),
    ),
    "lvchange vgchange": (Danger("", _LOSES, needs=("-a", "--activate"), unless=("-t", "--test", "-ay")),),
    "vgcfgrestore vgexport pvmove vgmerge vgsplit": (
        Danger("", _LOSES, unless=("-t", "--test", "-l", "--list")),
    ),
    "storcli storcli64 perccli perccli64 tw_cli ssacli hpssacli hpacucli arcconf": (Danger(_DELETE, _LOSES),),
    "megacli MegaCli MegaCli64": (
        Danger(
            "",
            _LOSES,
            needs=("-CfgClr", "-CfgLdDel", "-CfgForeign", "-PDOffline", "-LDInit", "-AdpFacDefSet"),
        ),
    ),
    "bcachefs": (
        Danger("format|device", _LOSES),
        Danger("subvolume delete", _LOSES),
        Danger("fsck", "resize"),
    ),
    "gpart gpt": (Danger("destroy|delete|create|add|restore|bootcode|label|remove", _LOSES),),
    "geli": (Danger("init|kill|delkey|clear", _LOSES),),
    "growpart partx delpart kpartx": (Danger("", "resize", unless=("-l", "-s", "--show", "--list", "-N")),),
    "snapper": (Danger("delete|rollback|undochange|delete-config", _LOSES),),
    "timeshift": (Danger("", _LOSES, needs=("--delete-all", "--delete", "--restore")),),
    "tmutil": (Danger("delete*|disable|removedestination|restore|thinlocalsnapshots", _LOSES),),
    "qemu-img": (
        Danger("convert|dd|create|bench ** /dev/*|of=/dev/*", _LOSES),
        Danger("commit|rebase", "resize"),
        Danger("resize", _LOSES, needs=("--shrink",)),
        Danger("snapshot", "resize", needs=("-d", "-a")),
    ),
    "qemu-nbd": (Danger("", "resize", needs=("-d", "--disconnect")),),
    "losetup": (Danger("", "resize", needs=("-D", "--detach-all", "-d", "--detach")),),
    "rbd": (
        Danger("rm|remove|unmap|resize|import|flatten", _LOSES),
        Danger("snap|trash|pool|group rm|remove|purge|rollback", _LOSES),
    ),
    "ceph": (
        Danger("** rm|purge|delete|destroy|rmsnap|rmfailed|down|out|lost|fail|zap|purge-new|del", _LOSES),
        Danger("osd set|reweight|crush", "resize"),
    ),
    "ceph-volume": (Danger("** zap", _LOSES),),
    "ceph-deploy cephadm": (Danger("purge*|rm-*|zap-osds|disk zap", _LOSES),),
    "rados": (Danger("rmpool|purge|rm|cppool|rollback", _LOSES),),
    "gluster": (
        Danger("volume|peer delete|stop|remove-brick|reset|detach|reset-brick", _LOSES),
        Danger("snapshot delete|restore|deactivate", _LOSES),
    ),
    "drbdadm": (Danger("wipe-md|create-md|invalidate|invalidate-remote|down|detach|disconnect", _LOSES),),
    "iscsiadm": (
        Danger("", _LOSES, needs=("--logout", "-u")),
        Danger("** delete", _LOSES),
        Danger("", _LOSES, needs=("--logoutall",)),
    ),
    "targetcli": (Danger("clearconfig|delete", _LOSES), Danger("** delete", _LOSES)),
    "multipath": (Danger("", "resize", needs=("-F", "-f")),),
    "stratis": (Danger("** destroy", _LOSES),),
    "vdo": (Danger("remove|stop", _LOSES),),
    "veracrypt": (Danger("", _LOSES, needs=("--create", "-c")),),
    "sedutil-cli": (
        Danger(
            "",
            _LOSES,
            needs=(
                "--revertTPer",
                "--PSIDrevert",
                "--revertNoErase",
                "--yesIreallywanttoERASEALLmydatausingthePSID",
                "--setLockingRange",
            ),
        ),
    ),
}

_MEDIA: dict[str, tuple[Danger, ...]] = {
    "fdformat flashcp flash_erase flash_eraseall nandwrite ubiformat ubirmvol ubiupdatevol dvd+rw-format": (
        Danger("*", _LOSES),
    ),
    "mtd": (Danger("erase|write|fixtrx|resetbc", _LOSES),),
    "mmc": (Danger("erase|write_reliability|enh_area|secure|ffu", _LOSES),),
    "fastboot": (
        Danger("erase|flash|flashall|format*|update|wipe-super|delete-logical-partition|set_active", _LOSES),
        Danger("oem|flashing unlock*|lock*|format*", _LOSES),
        Danger("", _LOSES, needs=("-w",)),
    ),
    "efivar": (Danger("", _LOSES, needs=("-w", "--write", "-a", "--append")),),
    "esptool.py esptool": (Danger("** erase_*|erase-*|write_flash|write-flash", _LOSES),),
    "avrdude": (Danger("** *:w:*", _LOSES), Danger("", _LOSES, needs=("-e",))),
    "bossac stm32loader": (Danger("", _LOSES, needs=("-e", "--erase")),),
    "edl mtk": (Danger("e|es|erase*|rl|wl|w|wf|ws|reset", _LOSES),),
    "rkdeveloptool": (Danger("ef|wl|ul|gpt|prm|wlx", _LOSES),),
    "uuu": (Danger("*", _LOSES, unless=("-lsusb", "-h")),),
    "pio platformio": (Danger("run erase", _LOSES, needs=("-t", "--target")),),
    "tpm2_evictcontrol tpm2_clear tpm2_changeauth": (Danger("", _LOSES),),
    "mmdelfs mmdelnode mmdeldisk mmdelnsd mmdelsnapshot mmdelfileset": (Danger("*", _LOSES),),
    "irm irmtrash": (Danger("", _LOSES, needs=("-r", "-f")),),
    "dfu-util": (Danger("", _LOSES, needs=("-D", "--download"), unless=("-l",)),),
    "nvflash openocd": (Danger("** *erase*|*program*|*flash*write*", _LOSES),),
    "adb": (
        Danger("shell recovery|wipe", _LOSES),
        Danger("shell reboot|shutdown", "resize"),
        Danger("shell ** --wipe_data*", _LOSES),
        Danger("shell recovery|wipe|svc reboot|power|data|shutdown", _LOSES),
        Danger("shell pm|cmd uninstall|clear|package", "resize"),
        Danger("disable-verity|sideload", "resize"),
        Danger("pull /data/data*|/data/user*|/data/system*", "read-secret", action=Action.READ_SECRET),
        Danger("reboot bootloader|recovery|fastboot|sideload", "resize"),
    ),
    "heimdall odin4": (Danger("flash", _LOSES), Danger("", _LOSES, needs=("-a", "-b"))),
    "mt": (Danger("erase|weof|eof", _LOSES),),
    "mtx": (Danger("load|unload|transfer", "resize"),),
    "cdrecord wodim xorriso growisofs": (Danger("** blank=*", _LOSES), Danger("", _LOSES, needs=("-blank",))),
    "asr": (Danger("", _LOSES, needs=("--erase", "-erase")), Danger("restore", _LOSES)),
    "ocs-sr": (Danger("** restoredisk|restoreparts", _LOSES),),
    "fsarchiver": (Danger("restfs|restdir", _LOSES),),
    "partimage": (Danger("restore|restmbr", _LOSES),),
    "extlinux syslinux": (Danger("", "resize", needs=("--install", "-i", "-U", "--update")),),
    "format format.com": (Danger("?:", _LOSES),),
    "diskpart": (Danger("", _LOSES),),
    "cipher": (Danger("/w:*", _LOSES),),
    "manage-bde": (Danger("", _LOSES, needs=("-off", "-forcerecovery", "-o")),),
    "fusermount fusermount3": (Danger("/|/home*|/usr*|/var*|/etc*", _LOSES, needs=("-u",)),),
    "pivot_root switch_root": (Danger("*", _LOSES),),
}

_SINGLE_DASH = ("megacli", "MegaCli", "MegaCli64", "manage-bde")

TABLE: dict[str, EffectReader] = {
    **grouped_readers(Action.FORMAT, _VOLUMES, single_dash=_SINGLE_DASH),
    **grouped_readers(Action.FORMAT, _MEDIA, valued=("-f", "-s"), single_dash=_SINGLE_DASH),
}
