"""Other programs that end sessions and services, cut the network, or change how the machine starts."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.network.tunnels import served
from fairlead.shell.effects.subcommand_tables import Danger, grouped_readers, subcommand_reader
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command

_OFF = "off|down|halt|poweroff|reboot|reset|cycle|restart|soft|shutdown|powerdown|powercycle|hardreset"

_SHUTDOWNS: dict[str, tuple[Danger, ...]] = {
    "pm-suspend pm-hibernate pm-suspend-hybrid openrc-shutdown zzz": (Danger("", "shutdown"),),
    "ipmitool": (
        Danger(f"** power {_OFF}", "shutdown"),
        Danger("** mc reset", "shutdown"),
        Danger("** user set|disable|enable", "kernel", action=Action.CHANGE_SYSTEM),
    ),
    "racadm": (
        Danger(f"** serveraction {_OFF}", "shutdown"),
        Danger("** racreset|racresetcfg|systemerase", "shutdown"),
    ),
    "dinitctl": (
        Danger("shutdown", "shutdown"),
        Danger("stop|disable|unload", "stop-service", action=Action.CHANGE_SERVICE),
    ),
    "softwareupdate": (Danger("", "shutdown", needs=("-R", "--restart")),),
    "pmset": (Danger("sleepnow|halt|restart|schedule|repeat", "shutdown"),),
    "gnome-session-quit xfce4-session-logout mate-session-save lxqt-leave": (Danger("", "shutdown"),),
    "swaymsg i3-msg": (Danger("exit", "shutdown"),),
    "hyprctl": (Danger("dispatch exit", "shutdown"),),
    "bspc": (Danger("quit", "shutdown"),),
    "qdbus qdbus6": (Danger("** logout*|*shutdown*|*.logoutandshutdown", "shutdown"),),
}

_WEB_SERVER = (Danger("** stop|graceful-stop", "stop-service", needs=("-k",)),)
_SERVICES: dict[str, tuple[Danger, ...]] = {
    "circusctl": (Danger("quit|stop|rm", "stop-service"),),
    "god eye": (Danger("terminate|quit|stop", "stop-service"),),
    "zellij": (Danger("kill-all-sessions|delete-all-sessions", "stop-service"),),
    "s6-rc": (Danger("change", "stop-service", needs=("-d", "-a")),),
    "chkconfig": (Danger("* off|reset", "stop-service"), Danger("", "stop-service", needs=("--del",))),
    "update-rc.d": (Danger("* remove|disable", "stop-service"),),
    "insserv": (Danger("", "stop-service", needs=("-r", "--remove")),),
    "rc-update": (Danger("del|delete|remove", "stop-service"),),
    "invoke-rc.d": (Danger("* stop", "stop-service"),),
    "rcctl": (Danger("stop|disable", "stop-service"),),
    "svcadm": (Danger("disable|clear|delegate", "stop-service"),),
    "stop": (Danger("*", "stop-service"),),
    "sysrc": (Danger("*_enable=no", "stop-service"),),
    "sc": (Danger("** stop|delete|config", "stop-service"),),
    "net": (
        Danger("stop", "stop-service"),
        Danger(
            "user|localgroup|group ** /add|/delete|/active:*", "change-account", action=Action.CHANGE_ACCOUNTS
        ),
        Danger("user * *", "change-password", action=Action.CHANGE_ACCOUNTS),
        Danger("share ** /delete", "stop-service"),
    ),
    "taskkill": (
        Danger("** explorer.exe|csrss.exe|svchost.exe|lsass.exe|wininit.exe|winlogon.exe|[*]", "stop-vital"),
        Danger("** /fi", "stop-vital"),
    ),
    "schtasks": (Danger("/delete|/create|/change", "stop-service"),),
    "at": (
        Danger("", "stop-service", needs=("-d", "-r")),
        Danger("", "start-later", needs=("-f",), unless=("-l", "-c")),
        Danger("*", "start-later", unless=("-l", "-c", "-V")),
    ),
    "pcs": (
        Danger("** destroy", "stop-vital"),
        Danger(
            "cluster|node|resource|property|stonith stop|standby|disable|delete|remove|kill|ban|fence",
            "stop-service",
        ),
    ),
    "crm": (
        Danger("node standby|delete|fence|maintenance", "stop-service"),
        Danger("resource stop|delete|ban", "stop-service"),
        Danger("cluster stop|remove", "stop-service"),
        Danger("configure erase|delete", "stop-service"),
    ),
    "crm_resource crm_node": (
        Danger("", "stop-service", needs=("--ban", "-B", "--delete", "-D", "--remove", "-R")),
    ),
    "corosync-cfgtool": (Danger("", "stop-service", needs=("-H", "-R")),),
    "nginx": (Danger("stop|quit", "stop-service", needs=("-s",)),),
    "apachectl apache2ctl": (Danger("stop|graceful-stop", "stop-service"),),
    "apache2 lighttpd": _WEB_SERVER,
    "squid": (Danger("shutdown|interrupt|kill", "stop-service", needs=("-k",)),),
    "pg_ctlcluster": (Danger("* * stop", "stop-service"),),
    "mongod": (Danger("", "stop-service", needs=("--shutdown",)),),
    "rndc": (Danger("stop|halt|flush|delzone", "stop-service"),),
    "postfix": (Danger("stop|abort", "stop-service"),),
    "postsuper": (Danger("", "stop-service", needs=("-d",)),),
    "exim exim4": (Danger("", "stop-service", needs=("-Mrm", "-Mg", "-Mes", "-Mar", "-qff")),),
    "mdatp": (
        Danger("config", "stop-vital", needs=("--value",)),
        Danger("exclusion add|remove", "stop-service"),
    ),
    "birdc birdcl": (
        Danger("disable|restart|down", "stop-service"),
        Danger("configure undo|soft|timeout", "stop-service"),
    ),
    "dsrm dsmod": (Danger("*", "delete-account", action=Action.CHANGE_ACCOUNTS),),
    "mlflow": (Danger("gc", "stop-service"), Danger("** delete|delete-*", "stop-service")),
    "salt-key": (
        Danger("", "stop-service", needs=("-d", "-D", "--delete", "--delete-all", "-R", "-A", "-a")),
    ),
    "salt-cloud": (Danger("", "stop-vital", needs=("-d", "--destroy", "-a", "--action")),),
    "pihole": (
        Danger("disable|uninstall|flush", "stop-service"),
        Danger("", "stop-service", needs=("-f", "--flush")),
    ),
    "flink": (Danger("cancel|stop|savepoint", "stop-service"),),
    "memcached-tool": (Danger("* flush*", "stop-service"),),
    "postqueue": (Danger("", "stop-service", needs=("-f",)),),
    "nsupdate": (Danger("", "network-down", unless=("-V",), action=Action.CHANGE_SYSTEM),),
    "acme.sh": (
        Danger("", "stop-service", needs=("--remove", "--revoke", "--deactivate-account", "--uninstall")),
    ),
    "tarsnap": (Danger("", "format", needs=("-d", "--nuke", "--fsck-prune"), action=Action.FORMAT),),
    "checkmk cmk": (Danger("", "stop-service", needs=("-O", "-R", "--restart", "--reload")),),
    "asterisk": (
        Danger("** core*stop*|core*restart*|*deltree*", "stop-service"),
        Danger("core stop*|restart*", "stop-service"),
    ),
    "splunk": (Danger("clean|remove|stop|offline", "stop-service"),),
    "doveadm": (Danger("** expunge|delete|purge|kick|stop", "stop-service"),),
    "zmprov": (
        Danger("da|ddl|dd|dc|delete*", "delete-account", action=Action.CHANGE_ACCOUNTS),
        Danger("sp|setpassword|ma", "change-account", action=Action.CHANGE_ACCOUNTS),
    ),
    "fs_cli": (Danger("fsctl*shutdown*", "stop-service"), Danger("fsctl", "stop-service")),
    "grafana-cli": (Danger("admin reset-admin-password", "change-password", action=Action.CHANGE_ACCOUNTS),),
    "elasticsearch-reset-password": (Danger("", "change-password", action=Action.CHANGE_ACCOUNTS),),
    "kibana-keystore elasticsearch-keystore": (Danger("remove|create", "stop-service"),),
    "mosquitto_passwd": (Danger("", "change-account", needs=("-D",), action=Action.CHANGE_ACCOUNTS),),
    "gam": (
        Danger("delete|undelete|suspend *", "delete-account", action=Action.CHANGE_ACCOUNTS),
        Danger("** remove|delete|suspended|transfer", "change-account", action=Action.CHANGE_ACCOUNTS),
    ),
    "varnishadm": (Danger("stop|ban", "stop-service"),),
    "ctdb": (Danger("shutdown|stop|disable|wipedb", "stop-service"),),
    "smbcontrol": (Danger("* shutdown", "stop-service"),),
    "gitlab-ctl": (Danger("stop|kill|cleanse|uninstall|int|term", "stop-service"),),
    "qdel": (Danger("all", "stop-service"), Danger("", "stop-service", needs=("-u",))),
    "scancel": (Danger("", "stop-service", needs=("-u", "--user", "-A", "--account", "-p", "--partition")),),
    "bkill": (Danger("0", "stop-service"), Danger("", "stop-service", needs=("-u",))),
    "condor_rm": (Danger("", "stop-service", needs=("-all",)), Danger("-all", "stop-service")),
    "scontrol": (Danger("shutdown|reboot|takeover|delete|update", "stop-service"),),
}

_DEVICES: dict[str, tuple[Danger, ...]] = {
    "snmpset": (Danger("", "network-down"),),
    "upscmd": (Danger("** load.off*|shutdown*|*.off", "network-down"),),
    "ipmi-power ipmipower": (
        Danger("", "kernel", needs=("--off", "--cycle", "--reset", "--soft", "-f", "-c", "-r")),
    ),
}

_NETWORK: dict[str, tuple[Danger, ...]] = {
    "iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft ebtables arptables": (
        Danger("", "firewall", needs=("-F", "--flush", "-X", "-P", "--policy", "-D", "--delete")),
    ),
    "ipset": (Danger("destroy|flush|x", "firewall"), Danger("", "firewall", needs=("-X", "-F"))),
    "firewall-offline-cmd": (
        Danger(
            "", "firewall", needs=("--disabled", "--remove-service", "--remove-port", "--set-default-zone")
        ),
    ),
    "shorewall shorewall6 npfctl": (Danger("clear|stop|flush", "firewall"),),
    "csf": (Danger("", "firewall", needs=("-x", "--disable", "-f", "--stop")),),
    "apf": (Danger("", "firewall", needs=("-f", "--stop", "--flush")),),
    "ipfw": (Danger("flush|delete|disable", "firewall"),),
    "socketfilterfw": (Danger("", "firewall", needs=("--setglobalstate", "--setblockall", "--remove")),),
    "networkctl": (Danger("down|delete", "network-down"),),
    "wg-quick": (Danger("down", "network-down"),),
    "wg": (
        Danger("set ** remove", "network-down"),
        Danger("showconf", "read-secret", action=Action.READ_SECRET),
        Danger("show * private-key|preshared-keys|dump", "read-secret", action=Action.READ_SECRET),
    ),
    "wpa_cli": (Danger("disconnect|terminate|remove_network|disable_network", "network-down"),),
    "iwctl": (Danger("** disconnect|forget", "network-down"),),
    "iw": (Danger("dev * del|disconnect", "network-down"),),
    "dhclient": (Danger("", "network-down", needs=("-r", "-x")),),
    "dhcpcd": (Danger("", "network-down", needs=("-k", "-x", "--release", "--exit")),),
    "ovs-vsctl": (Danger("del-*|emer-reset|clear|destroy", "network-down"),),
    "brctl": (Danger("delbr|delif", "network-down"),),
    "bridge": (Danger("* del|delete", "network-down"),),
    "ethtool": (Danger("", "network-down", needs=("-s", "--change", "-E", "-f", "--reset")),),
    "zerotier-cli": (Danger("leave", "network-down"),),
}

_SYSTEM: dict[str, tuple[Danger, ...]] = {
    "setsebool": (Danger("", "firewall"),),
    "resolvectl": (Danger("dns|domain|dnssec|dnsovertls|revert * *", "network-down"),),
    "fdesetup": (Danger("disable|remove|removerecovery", "firewall"),),
    "xattr": (Danger("com.apple.quarantine", "firewall", needs=("-d",)),),
    "profiles": (Danger("remove|install|renew", "firewall"),),
    "gsettings": (Danger("set *screensaver*|*lockdown*|*privacy*", "firewall"),),
    "semanage": (Danger("permissive|dontaudit", "firewall", needs=("-a", "--add", "off")),),
    "semodule": (Danger("", "firewall", needs=("-r", "--remove", "-d", "--disable", "-R", "-B")),),
    "aa-complain": (Danger("", "firewall"),),
    "apparmor_parser": (Danger("", "firewall", needs=("-R", "--remove", "-C")),),
    "kpatch": (Danger("unload|uninstall|load", "load-kernel"),),
    "depmod": (Danger("", "kernel", needs=("-b",)),),
    "wevtutil": (Danger("cl|clear-log|sl", "delete-logs"),),
    "log": (Danger("erase", "delete-logs"),),
    "logrotate": (Danger("", "delete-logs", needs=("-f", "--force"), unless=("-d", "--debug")),),
    "hostname domainname nisdomainname ypdomainname": (Danger("*", "kernel"),),
    "grub-mkconfig grub2-mkconfig": (Danger("", "kernel", needs=("-o", "--output")),),
    "grub-set-default grub2-set-default grub-reboot grub2-reboot grub2-install fw_setenv mkinitcpio": (
        Danger("", "kernel"),
    ),
    "grubby": (
        Danger("", "kernel", needs=("--remove-kernel", "--update-kernel", "--set-default", "--remove-args")),
    ),
    "kernel-install": (Danger("remove", "kernel"),),
    "bootctl": (Danger("remove|install|set-default|set-oneshot|unlink|cleanup", "kernel"),),
    "update-initramfs": (Danger("", "kernel", needs=("-u", "-d", "-c")),),
    "dracut": (Danger("", "kernel", needs=("-f", "--force", "--regenerate-all")),),
    "bcdedit": (Danger("/set|/delete|/deletevalue|/import|/default", "kernel"),),
    "vssadmin": (Danger("delete|resize", "kernel"),),
    "wmic": (
        Danger("** delete|terminate|uninstall", "kernel"),
        Danger("** call reboot|shutdown|win32shutdown|uninstall|stopservice|create|terminate", "kernel"),
    ),
    "wbadmin": (Danger("delete", "kernel"),),
    "mokutil": (
        Danger("", "kernel", needs=("--disable-validation", "--delete", "--reset", "--import", "-d", "-i")),
    ),
    "nvram": (Danger("", "kernel", needs=("-c", "-d")), Danger("*=*", "kernel")),
    "bless": (Danger("", "kernel", unless=("--info", "-info", "--getboot")),),
    "fwupdmgr": (Danger("update|upgrade|install|downgrade|reinstall", "kernel"),),
    "prlimit": (Danger("", "kernel", needs=("--nofile", "--nproc", "--as", "--cpu")),),
    "ldconfig": (Danger("", "kernel", needs=("-C",), unless=("-p",)),),
}

_apache = subcommand_reader(Action.CHANGE_SERVICE, _WEB_SERVER)


def _httpd(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Two programs have this name: a service, and the small one of busybox, which serves a folder."""
    yield from _apache(command, where)
    yield from served(command, command.argv[1:], where)


TABLE: dict[str, EffectReader] = {
    "httpd": _httpd,
    **grouped_readers(Action.SHUTDOWN, _SHUTDOWNS, valued=("-H", "-U", "-P", "-I", "-t")),
    **grouped_readers(Action.CHANGE_SERVICE, _SERVICES, single_dash=("condor_rm", "exim", "exim4")),
    **grouped_readers(Action.CHANGE_SYSTEM, {**_NETWORK, **_DEVICES}),
    **grouped_readers(Action.CHANGE_SYSTEM, _SYSTEM),
}
