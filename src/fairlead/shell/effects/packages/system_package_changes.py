"""Package managers of the system: what they remove, and whom they trust."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.packages.removed_packages import GUARD_PACKAGE, REMOVALS
from fairlead.shell.effects.program_effects import is_dry_run, options_of, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_VITAL_PACKAGE = lazy(
    r"^(?:sudo|systemd|bash|coreutils|libc6?|glibc|linux-(?:image|headers).*|kernel.*|python3?(?:-minimal|-base)?|openssh-server|apt|dpkg|rpm|dnf|yum"
    r"|init|musl|busybox|util-linux|grub.*|network-manager|netplan.*|docker(?:-ce|\.io)?|\*|.*\*)$"
)
_UNCHECKED_SETTING = lazy(r"AllowInsecure|AllowUnauth|Verify-(?:Peer|Host)=(?:false|0|no)", re.IGNORECASE)
_UNTRUSTED = (
    "--allow-unauthenticated",
    "--allow-untrusted",
    "--nogpgcheck",
    "--nodigest",
    "--nosignature",
    "--no-gpg-checks",
    "--no-gpg-verify",
    "--allow-insecure-repositories",
    "--force-all",
    "--force-bad-verify",
    "--force-overwrite",
    "--import",
)
_RISKY = (
    "--dangerous",
    "--devmode",
    "--add-repo",
    "--force-yes",
    "--allow-remove-essential",
    "--allow-change-held-packages",
)
_RISKY_WORDS = names(
    "dist-upgrade full-upgrade addrepo ar config-manager remote-add copr distro-sync system-upgrade"
)


def read_system_packages(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    given = options_of(command, where)
    if not given.has("-s"):  # it simulates
        yield from _changes(command, given, removes=_removes(given))


def read_package_files(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """`rpm -e x`, `dpkg --purge x`: programs below the package managers."""
    given = options_of(command, where)
    removes = given.has("-r", "-P", "-e", "--purge", "--remove", "--erase") or _removes(given)
    yield from _changes(command, given, removes=removes)


def read_pacman(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """`pacman -Rns x`: its subcommands look like options."""
    given = options_of(command, where)
    removes = any(word.text.startswith(("-R", "--remove")) for word in command.argv[1:2])
    yield from _changes(command, given, removes=removes or _removes(given))


def _changes(command: Command, given: Arguments, *, removes: bool) -> Iterator[Effect]:
    if is_dry_run(given) or given.has("--assume-no", "--assumeno"):
        return
    words = [word.text for word in given.operands]
    settings = given.values.get("-o", ())
    untrusted = given.has(*_UNTRUSTED) or any(_UNCHECKED_SETTING.search(word.text) for word in settings)
    if untrusted or any(re.match(r"^https?://", word) for word in words[1:] or words):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))
    risky = given.has(*_RISKY) or (bool(words) and words[0] in _RISKY_WORDS)
    if risky or given.text("--setopt").lower() in ("gpgcheck=0", "sslverify=0", "gpgcheck=false"):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    if any(GUARD_PACKAGE.search(word) for word in words[1:]) and words[:1] != ["install"]:
        yield Effect(Action.CHANGE_GUARD, "uninstall-guard", command, what=shown(command))
    if removes:
        packages = words[1:] if words and words[0] in REMOVALS else words
        way = "remove-vital" if any(map(_VITAL_PACKAGE.match, packages)) else "remove"
        yield Effect(Action.CHANGE_PACKAGES, way, command, what=shown(command))


_WITH_MINUS = lazy(r"^[a-z][\w.+-]+-$")
_UNDONE = names("remove undo rollback redo rm")


def _removes(given: Arguments) -> bool:
    """`apt remove x`, `dnf history undo`, `apt install x-`."""
    first, *rest = [word.text for word in given.operands] or [""]
    if first in REMOVALS or first in ("groupremove", "swap", "revert"):
        return True
    if first in ("group", "history", "module"):
        return bool(rest) and rest[0] in _UNDONE
    return first == "install" and any(map(_WITH_MINUS.match, rest))
