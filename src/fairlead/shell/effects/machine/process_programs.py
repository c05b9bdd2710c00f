"""Processes, services, and the machine itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.machine.listed_processes import is_everyone, is_service
from fairlead.shell.effects.network.firewalls import firewall, network
from fairlead.shell.effects.own.guard_names import GUARDS
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.effects.words.word_choice import choice_of
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Unknown
from fairlead.shell.word_sets import names

_VITAL = names(
    """
    init systemd launchd sshd dockerd containerd kubelet dbus-daemon Xorg gnome-shell loginwindow WindowServer
    NetworkManager bash sh zsh
    systemd-logind kernel_task
    gnome-session gdm gdm3 sddm lightdm kwin_wayland
    plasmashell Xwayland Dock
    mongod mariadbd redis-server etcd kube-apiserver kube-proxy rsyslogd systemd-journald
    systemd-udevd Finder explorer.exe csrss.exe postgres mysqld cron crond udevd
    """
)
_SIGNALS = ("-s", "--signal", "-n")


def _kill(command: Command, where: Surroundings) -> Iterator[Effect]:
    shared = any(word.text == "--pid=host" for wrapper in command.wrappers for word in wrapper.argv)
    inside = any(wrapper.place and not wrapper.place.startswith("ssh:") for wrapper in command.wrappers)
    if inside and not shared:
        return  # process 1 of a container is the program that it was made for
    words = list(command.argv[1:])
    forced = bool(words) and words[0].text in ("-9", "-KILL", "-SIGKILL")
    if words and words[0].text.startswith("-") and words[0].text != "--":
        option = words.pop(0).text
        if option in ("-l", "-L", "--list", "-0") or not words:
            return
        if option in _SIGNALS:
            words.pop(0)
    for word in words:
        if word.known and (word.text in ("1", "-1") or (word.text == "0" and forced)):
            yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
        elif not word.known and word.text in ("$PPID", "${PPID}", "-$$"):
            yield Effect(
                Action.KILL, "kill-vital", command, what=shown(command), detail="the process that runs this"
            )
        elif word.opaque is not None:
            yield from _kill_listed(command, word.text, word.opaque)


def _kill_listed(command: Command, text: str, unknown: Unknown) -> Iterator[Effect]:
    """Processes that another command or a file names."""
    mentioned = unknown.mentions()
    if "/proc/[0-9]" in text or any("/proc/[0-9]" in each for each in mentioned):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
    elif any(map(GUARDS.search, mentioned)):
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
    elif any(map(is_service, unknown.roots())):
        yield Effect(
            Action.KILL, "kill-vital", command, what=shown(command), detail="a service of the machine"
        )
    elif any(map(is_everyone, unknown.roots())):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))


def _pkill(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(
        [_signal(word) for word in command.argv[1:]],
        valued=(
            "-u",
            "-U",
            *(() if command.name == "killall" else ("-g",)),
            "-G",
            "-P",
            "-s",
            "-t",
            "--signal",
            "--euid",
            "--uid",
            "--user",
            "-o",
            "-y",
        ),
    )
    if given.has("-0", "-l", "--list"):
        return
    if given.has("-v", "--inverse") and command.name == "pkill":
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
    patterns = [word.text for word in given.operands]
    by_user = given.has("-u", "-U", "--user", "--euid", "--uid")
    if (
        command.name in ("killall5", "skill")
        or (command.name == "xkill" and given.has("-a", "-all"))
        or ((by_user or given.has("-t", "--terminal")) and not patterns)
        or any(re.match(r"^\^?/(?:usr|bin|sbin|lib)?/?$", pattern) for pattern in patterns)
        or any(pattern in ("", ".", ".*", "*", "-1") for pattern in patterns)
    ):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
    for pattern in patterns:
        if GUARDS.search(pattern):
            yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
        elif pattern in ("python", "python3"):
            yield Effect(Action.CHANGE_SERVICE, "stop-service", command, what=shown(command))
        elif pattern in _VITAL or pattern.strip("^$") in _VITAL:
            yield Effect(Action.KILL, "kill-vital", command, what=shown(command), detail=pattern)


def _signal(word: Word) -> Word:
    """`-9` and `-KILL` are signals, not bundles of options."""
    return (
        word.replace(text="--signal-given")
        if re.match(r"^-(?:\d+|SIG[A-Z]+|[A-Z]{3,})$", word.text)
        else word
    )


def _always(action: Action, name: str, *looks: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        given = read_arguments(command.argv[1:])
        if not given.has("--help", "--version", "--dry-run", *looks):
            yield Effect(action, name, command, what=shown(command))

    return read


def _date(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(re.match(r"^(?:-s|--set)", word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_SYSTEM, "kernel", command, what=shown(command))


def _bus(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(
        re.search(r"(?:^|\.)(?:PowerOff|Reboot|Halt|Suspend|Hibernate|KExec)$", word.text)
        for word in command.argv
    ):
        yield Effect(Action.SHUTDOWN, "shutdown", command, what=shown(command))
    if any("Secret.Item.GetSecret" in w.text or "Service.GetSecrets" in w.text for w in command.argv[1:]):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))


def _fuser(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`fuser -km /` kills everyone who uses the file system."""
    given = read_arguments(command.argv[1:], valued=("-n", "-s"))
    wide = (Place.ROOT, Place.SYSTEM, Place.HOME_ROOT)
    named = [word for word in given.operands if word.text.startswith(("/", "~"))]
    login = any(word.text in ("22/tcp", "ssh/tcp") for word in given.operands) or (
        given.text("-n") == "tcp" and any(word.text in ("22", "ssh") for word in given.operands)
    )
    whole = login or any(resolve(word, command, where).place in wide or word.text == "/dev" for word in named)
    kills = given.has("-k", "--kill")
    guarded = any(
        resolve(word, command, where).place is Place.GUARD or "/fairlead/" in word.text
        for word in given.operands
    )
    if kills and guarded:
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
    if kills and (given.has("-m", "-c", "--mount") or whole):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
    elif given.has("-k", "--kill") and any(
        resolve(word, command, where).place is Place.GUARD for word in given.operands
    ):
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))


def _when_given(*options: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        if any(word.text in options for word in command.argv[1:]):
            yield Effect(Action.CHANGE_SYSTEM, "firewall", command, what=shown(command))

    return read


_SECONDS = lazy(r"^[1-9]\d?s?$")


def _stress(command: Command, where: Surroundings) -> Iterator[Effect]:
    """For less than two minutes it is a test."""
    given = read_arguments(command.argv[1:], valued=("-t", "--timeout"))
    if not (_SECONDS.match(given.text("-t", "--timeout")) or given.has("--help", "--version", "-n")):
        yield Effect(Action.CHANGE_SERVICE, "stop-service", command, what=shown(command))


def _renice(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Before everything else, or for all that a user runs."""
    texts = [word.text for word in command.argv[1:]]
    if any(re.match(r"^(?:-n)?-\d+$", text) for text in texts) or {"-u", "--user"} & set(texts):
        yield Effect(Action.CHANGE_SYSTEM, "kernel", command, what=shown(command))


def _init(command: Command, where: Surroundings) -> Iterator[Effect]:
    if command.argv[1:] and command.argv[1].text in ("0", "1", "6", "S", "s"):
        yield Effect(Action.SHUTDOWN, "shutdown", command, what=shown(command))


_VITAL_SERVICES = (
    "*ssh*|*firewalld*|*ufw*|*apparmor*|*network*|*auditd*|*systemd-*|*docker*|*selinux*|*fail2ban*|cron|cron.*|*crond*|*dbus*|*kubelet*|*containerd*|*libvirtd*"
    "|*rsyslog*|*osquery*|*wazuh*|*falcon*|*clamav*|*unattended-upgrades*|gdm*|sddm*|lightdm*|display-manager*|getty*"
)
_SYSTEMCTL = (
    Danger(
        "poweroff|reboot|soft-reboot|halt|kexec|suspend*|hibernate|hybrid-sleep|emergency|rescue|isolate|exit|switch-root",
        "shutdown",
        action=Action.SHUTDOWN,
    ),
    Danger("stop|disable|mask|kill *fairlead*", "kill-guard", action=Action.CHANGE_GUARD),
    Danger(f"stop|disable|mask|kill {_VITAL_SERVICES}", "stop-vital", unless=("--user",)),
    Danger("stop|disable|mask|kill|revert", "stop-service", unless=("--user",)),
    Danger("enable|link|edit", "start-later", unless=("--user",)),
    Danger("enable|link", "start-later"),
    Danger(
        "start reboot.target|poweroff.target|halt.target|rescue.target|ctrl-alt-del.target|emergency.target",
        "shutdown",
        action=Action.SHUTDOWN,
    ),
    Danger("set-default|set-property|freeze|clean", "stop-service"),
)


def _service(command: Command, where: Surroundings) -> Iterator[Effect]:
    words = [word.text for word in command.argv[1:]]
    if len(words) >= 2 and words[1] in ("stop", "disable"):
        vital = words[0] in choice_of(_VITAL_SERVICES)
        yield Effect(
            Action.CHANGE_SERVICE, "stop-vital" if vital else "stop-service", command, what=shown(command)
        )


def _crontab(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-u",))
    if given.has("-r"):
        yield Effect(Action.CHANGE_SERVICE, "delete-crontab", command, what=shown(command))
    edits = given.has("-e") and {"EDITOR", "VISUAL"} & set(command.assignments)
    reads = not given.has("-l", "-e", "-V") and (given.operands or command.stdin.kind != "inherit")
    if edits or (reads and not given.has("-r")):
        yield Effect(Action.CHANGE_SERVICE, "replace-crontab", command, what=shown(command))


def _sysctl(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    if given.has("-w", "--write", "-p", "--load", "--system") or any(
        "=" in word.text for word in given.operands
    ):
        yield Effect(Action.CHANGE_SYSTEM, "kernel", command, what=shown(command))


def _setenforce(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield Effect(Action.CHANGE_SYSTEM, "firewall", command, what=shown(command))


def _journalctl(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(word.text.startswith("--vacuum") or word.text in ("--rotate", "--flush") for word in command.argv):
        yield Effect(Action.CHANGE_SYSTEM, "delete-logs", command, what=shown(command))


def _modprobe(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-C", "-d", "-S"))
    if given.has(
        "-n", "--dry-run", "--show-depends", "-c", "--showconfig", "-D", "-V", "--version", "--help"
    ):
        return
    name = "load-kernel" if given.has("-r", "--remove") else "kernel"
    yield Effect(Action.CHANGE_SYSTEM, name, command, what=shown(command))


TABLE: dict[str, EffectReader] = {
    "kill": _kill,
    **same_reader(_pkill, "pkill killall killall5 skill xkill"),
    **same_reader(_always(Action.SHUTDOWN, "shutdown", "-c", "-k"), "shutdown reboot poweroff halt"),
    **same_reader(_init, "init telinit"),
    "systemctl": subcommand_reader(
        Action.CHANGE_SERVICE, _SYSTEMCTL, valued=("-H", "-M", "-t", "-p", "-n", "-o")
    ),
    **same_reader(_service, "service rc-service"),
    "launchctl": subcommand_reader(
        Action.CHANGE_SERVICE,
        (
            Danger("unload|bootout|remove|disable|kill *fairlead*", "kill-guard", action=Action.CHANGE_GUARD),
            Danger("unload|bootout|remove|disable|kill|reboot", "stop-service"),
            Danger("kickstart system/*", "stop-service", needs=("-k",)),
            Danger("load|bootstrap|submit|enable", "start-later"),
        ),
    ),
    "loginctl": subcommand_reader(
        Action.CHANGE_SERVICE,
        (
            Danger(
                "poweroff|reboot|halt|suspend*|hibernate|hybrid-sleep", "shutdown", action=Action.SHUTDOWN
            ),
            Danger("enable-linger", "start-later"),
            Danger("kill-*|terminate-*", "stop-service"),
        ),
    ),
    "fuser": _fuser,
    "auditctl": _when_given("-D", "-e", "-e0", "-W"),
    "pm2": subcommand_reader(
        Action.CHANGE_SERVICE, (Danger("kill", "stop-service"), Danger("delete|stop all", "stop-service"))
    ),
    "supervisorctl": subcommand_reader(
        Action.CHANGE_SERVICE,
        (Danger("shutdown", "stop-service"), Danger("stop all", "stop-service")),
        valued=("-c", "-s", "-u", "-p"),
    ),
    "tmux": subcommand_reader(
        Action.CHANGE_SERVICE,
        (Danger("kill-server", "stop-service"), Danger("kill-session", "stop-service", needs=("-a",))),
    ),
    "sv": subcommand_reader(Action.CHANGE_SERVICE, (Danger("down|stop|exit|force-*|kill", "stop-service"),)),
    "timedatectl": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("set-*", "kernel"),)),
    "hostnamectl": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("set-*|hostname *", "kernel"),)),
    "date": _date,
    "atrm": _always(Action.CHANGE_SERVICE, "stop-service"),
    "rtcwake": _always(Action.SHUTDOWN, "shutdown"),
    "rfkill": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("block", "network-down"),)),
    "tc": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("qdisc|filter add|replace|del", "network-down"),)),
    "hwclock": _when_given("--set", "-w", "--systohc"),
    "dmesg": _when_given("-C", "--clear", "-c", "--read-clear"),
    "forever": subcommand_reader(Action.CHANGE_SERVICE, (Danger("stopall", "stop-service"),)),
    "monit": subcommand_reader(Action.CHANGE_SERVICE, (Danger("stop|quit", "stop-service"),)),
    "initctl": subcommand_reader(Action.CHANGE_SERVICE, (Danger("stop", "stop-service"),)),
    "s6-svc": _always(Action.CHANGE_SERVICE, "stop-service", "-u"),
    **same_reader(_stress, "stress stress-ng"),
    "renice": _renice,
    **same_reader(_bus, "dbus-send busctl gdbus"),
    "iptables-restore": _setenforce,
    "ip6tables-restore": _setenforce,
    "spctl": _when_given("--master-disable", "--global-disable", "--add", "--disable", "--remove"),
    **same_reader(_always(Action.CHANGE_SYSTEM, "load-kernel"), "kextload kextunload"),
    "kmutil": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("load|unload|install", "load-kernel"),)),
    "netplan": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("set|apply", "kernel"),)),
    "slay": _always(Action.KILL, "kill-everything"),
    "crontab": _crontab,
    **same_reader(firewall, "iptables ip6tables nft ufw firewall-cmd pfctl netsh"),
    **same_reader(network, "ip ifconfig route nmcli ifdown networksetup"),
    "sysctl": _sysctl,
    **same_reader(_setenforce, "setenforce aa-disable aa-teardown"),
    **same_reader(_always(Action.CHANGE_SYSTEM, "kernel"), "update-grub grub-install"),
    "efibootmgr": _when_given(
        "-b", "-B", "-c", "-o", "-n", "--delete-bootnum", "--create", "--bootorder", "-O"
    ),
    **same_reader(_always(Action.CHANGE_SYSTEM, "load-kernel"), "rmmod insmod kexec"),
    "modprobe": _modprobe,
    "journalctl": _journalctl,
    "csrutil": subcommand_reader(Action.CHANGE_SYSTEM, (Danger("disable|clear", "firewall"),)),
}
