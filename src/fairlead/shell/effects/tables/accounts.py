"""Other programs that change accounts, groups and directories of users, or open a shell as another user."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, grouped_readers, same_reader, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SHELLS = names("sh bash zsh dash ksh fish tcsh csh")
_CHANGED = "change-account"

_ACCOUNTS: dict[str, tuple[Danger, ...]] = {
    "groupmems": (Danger("", "join-root-group", needs=("-a", "--add", "-d", "--delete", "-p", "--purge")),),
    "pw": (
        Danger("userdel|groupdel", "delete-account"),
        Danger("useradd|usermod|groupmod|groupadd|lock|unlock", _CHANGED),
        Danger("user|group add|mod|del", _CHANGED),
    ),
    "dseditgroup": (Danger("edit|create|delete", _CHANGED, needs=("-o",)),),
    "sysadminctl": (
        Danger("", _CHANGED, needs=("-addUser", "-deleteUser", "-resetPasswordFor", "-newPassword")),
        Danger("", _CHANGED, needs=("-guestAccount", "-autologin")),
    ),
    "dsenableroot": (Danger("", _CHANGED),),
    "homectl": (
        Danger("remove", "delete-account"),
        Danger("create|update|passwd|lock|resize|deactivate", _CHANGED),
    ),
    "chgpasswd": (Danger("", "change-password"),),
    "chfn pwunconv grpunconv pwconv grpconv": (Danger("", _CHANGED),),
    "pam-auth-update": (Danger("", _CHANGED, needs=("--force", "--remove", "--enable", "--disable")),),
    "authselect": (Danger("select|enable-feature|disable-feature|apply-changes|opt-out", _CHANGED),),
    "authconfig": (Danger("", _CHANGED, needs=("--update", "--updateall", "--restore")),),
    "faillock pam_tally2": (Danger("", _CHANGED, needs=("--reset", "-r")),),
    "realm": (Danger("leave|permit|deny|join", _CHANGED),),
    "kadmin kadmin.local": (
        Danger("", _CHANGED, needs=("-q",)),
        Danger("delprinc|cpw|addprinc|modprinc|ktadd", _CHANGED),
    ),
    "samba-tool": (
        Danger("** delete|remove|demote|disable|removemembers", "delete-account"),
        Danger("** add|addmembers|create|setpassword|enable|setexpiry", _CHANGED),
    ),
    "smbpasswd": (Danger("", _CHANGED),),
    "pdbedit": (Danger("", _CHANGED, needs=("-x", "--delete", "-a", "--create", "-r", "--modify")),),
    "ldapdelete ldapmodify ldapadd ldapmodrdn ldappasswd": (Danger("", _CHANGED, unless=("-n",)),),
    "ipa": (
        Danger("*-del|*-disable|*-remove*", "delete-account"),
        Danger("*-add|*-add-*|*-mod|passwd|*-enable", _CHANGED),
    ),
    "dsconf dsidm": (Danger("** delete|remove|disable|set", _CHANGED),),
    "tccutil": (Danger("reset", _CHANGED),),
    "systemsetup": (
        Danger("", _CHANGED, needs=("-setremotelogin", "-setremoteappleevents", "-setusingnetworktime")),
    ),
    "defaults": (
        Danger("write|delete com.apple.screensaver*|com.apple.launchservices*|com.apple.alf*", _CHANGED),
        Danger("write|delete|import /library*|/system*|*loginwindow*|com.apple.security*", _CHANGED),
    ),
    "lpasswd luserdel luseradd lusermod lgroupdel": (Danger("", _CHANGED),),
    "restorecon": (Danger("/|/etc*|/usr*|/var*", _CHANGED, unless=("-n",)),),
    "fixfiles": (Danger("relabel|restore|onboot", _CHANGED),),
    "chcon": (Danger("** /etc*|/usr*|/bin*|/boot*|/lib*", _CHANGED),),
    "chflags": (Danger("** /system*|/etc*|/usr*|/bin*|/library*", _CHANGED),),
}


def _opens_shell(command: Command, where: Surroundings) -> Iterator[Effect]:
    """As another user or group: with no command, or with a shell and nothing more."""
    given = read_arguments(command.argv[1:], until_operand=True)
    if given.has("--help", "--version", "-V"):
        return
    if (
        command.name == "newgrp"
        or not given.operands
        or any(word.text.rsplit("/", 1)[-1] in _SHELLS for word in given.operands)
    ):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))


_ACCESS_LIST = lazy(r"(?i)(?:^|\s)/(?:grant|deny|reset|remove|setowner|inheritance|f|p|g)\b")


def _access_lists(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Windows' own: `icacls DIR /grant Everyone:F /T`."""
    if any(_ACCESS_LIST.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_ACCOUNTS, _CHANGED, command, what=shown(command))


def _enters(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`chroot DIR`, `unshare -r`, `systemd-run --shell`: with no command, a shell."""
    texts = [word.text for word in command.argv[1:]]
    if any(text in ("--help", "--version", "-h", "-V") for text in texts):
        return
    opens = command.name in ("chroot", "systemd-nspawn") or any(text in ("--shell", "-S") for text in texts)
    rooted = command.name == "unshare" and any(re.match(r"^-\w*[rU]|^--map-root", text) for text in texts)
    if texts and (opens or rooted):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))


_SHELL_DOORS: dict[str, tuple[Danger, ...]] = {
    "setpriv": (Danger("", "root-shell", needs=("--reuid", "--regid")),),
    "capsh": (Danger("", "root-shell", needs=("--user", "--uid", "--gid", "--caps", "--inh", "--addamb")),),
    "ssh-copy-id": (Danger("*", "root-shell", unless=("-n", "-h")),),
    "update-ca-certificates update-ca-trust": (Danger("", "root-shell"),),
    "trust": (Danger("anchor", "root-shell"),),
    "gksu gksudo kdesu kdesudo sux dzdo runas": (Danger("*", "root-shell"),),
}

TABLE: dict[str, EffectReader] = {
    **grouped_readers(
        Action.CHANGE_ACCOUNTS,
        _ACCOUNTS,
        single_dash=("sysadminctl", "systemsetup"),
        valued=("-s", "-p", "-D", "-H"),
    ),
    **same_reader(_opens_shell, "run0 newgrp"),
    **same_reader(_enters, "chroot unshare systemd-run systemd-nspawn"),
    **same_reader(_access_lists, "icacls cacls takeown"),
    **grouped_readers(Action.GAIN_PRIVILEGE, _SHELL_DOORS),
}
