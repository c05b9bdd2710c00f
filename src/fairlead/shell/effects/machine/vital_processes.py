"""Processes that the machine or its users depend on, by their names and by the ports that they listen at."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.guard_names import GUARDS, PROTECTING
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
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
    syspolicyd tccd XProtect endpointsecurityd
    auditd osqueryd falcon-sensor falcond clamd mdatp wdavdaemon fail2ban-server firewalld syslogd
    nginx apache2 httpd postmaster ssh-agent gpg-agent wpa_supplicant systemd-resolved libvirtd
    """
)
_VITAL_PORTS = names("22 ssh 53 1433 2375 2376 2379 3306 5432 6379 6443 9200 10250 27017 mysql postgresql")
_TELLING = lazy(r"^(?:-|--signal=|-s)?(?:SIG)?(?:HUP|USR1|USR2|WINCH|CONT)$|^-(?:0|1|10|12)$")
"""Signals by which a service is told to read its settings again, and the like."""
_MOST_PARTS = 32
_MANY_PROGRAMS = ("python", "python3")
"""Interpreters that much of a desktop is written in."""


def effects_of_name(command: Command, name: str) -> Iterator[Effect]:
    """What it means to end the processes of that name, or those that a pattern finds."""
    found = [part.strip("^$ ()\\").rsplit("/", 1)[-1] for part in name.split("|")[:_MOST_PARTS]]
    vital = next((part for part in found if part in _VITAL or PROTECTING.search(part)), "")
    if GUARDS.search(name):
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
    elif not set(found).isdisjoint(_MANY_PROGRAMS):
        yield Effect(Action.CHANGE_SERVICE, "stop-service", command, what=shown(command))
    elif vital and not only_tells(command):
        yield Effect(Action.KILL, "kill-vital", command, what=shown(command), detail=vital)


def effects_of_port(command: Command, port: str) -> Iterator[Effect]:
    """What it means to end whatever listens at that port."""
    if port in _VITAL_PORTS and not only_tells(command):
        detail = f"what listens at port {port}"
        yield Effect(Action.KILL, "kill-vital", command, what=shown(command), detail=detail)


def only_tells(command: Command) -> bool:
    return any(_TELLING.match(word.text) for word in command.argv[1:3])
