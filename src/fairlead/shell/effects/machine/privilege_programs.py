"""Accounts and privileges."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import is_dry_run, same_reader, shown
from fairlead.shell.places.targets import Surroundings, resolve
from fairlead.shell.script import Command

_ROOT_GROUPS = frozenset(("sudo", "wheel", "root", "admin", "docker", "adm", "lxd", "disk", "shadow"))


def _always(name: str, *looks: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        given = read_arguments(command.argv[1:])
        if not is_dry_run(given) and not given.has("--version", *looks):
            yield Effect(Action.CHANGE_ACCOUNTS, name, command, what=shown(command))

    return read


def _only_looks(command: Command) -> bool:
    """Help, or the defaults: `useradd -D` alone prints them."""
    texts = [word.text for word in command.argv[1:]]
    return bool({"--help", "-h", "--version"} & set(texts)) or texts in (["-D"], ["--defaults"])


def _usermod(command: Command, where: Surroundings) -> Iterator[Effect]:
    if _only_looks(command):
        return
    texts = [part for word in command.argv[1:] for part in word.text.split(",")]
    name = "join-root-group" if _ROOT_GROUPS & set(texts) else "change-account"
    yield Effect(Action.CHANGE_ACCOUNTS, name, command, what=shown(command))


def _useradd(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`adduser NAME sudo` joins a group; `useradd -ou 0` makes another root."""
    if _only_looks(command):
        return
    texts = {part for word in command.argv[1:] for part in word.text.split(",")}
    zero = "0" in texts and {"-u", "-ou", "-g", "--uid", "--gid"} & texts
    risky = _ROOT_GROUPS & texts or zero or {"-u0", "-ou0", "-g0", "--uid=0", "--gid=0"} & texts
    name = "join-root-group" if risky else "add-account"
    yield Effect(Action.CHANGE_ACCOUNTS, name, command, what=shown(command))


def _su(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A shell of another user; `su -c` is read as the command that it runs."""
    given = read_arguments(command.argv[1:], valued=("-c", "-s", "--command", "--shell"))
    if not given.has("-c", "--command", "--version", "--help"):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))


def _sudo(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-u", "-g", "-h", "-p", "-C", "-r", "-t"), until_operand=True
    )
    fed = given.has("-S", "--stdin") and command.stdin.kind != "inherit"
    if fed or (given.has("-i", "-s", "--login", "--shell") and not given.operands):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))
    elif given.has("-e", "--edit"):
        for word in given.operands:
            yield Effect(
                Action.WRITE, "sudoedit", command, resolve(word, command, where), what=shown(command)
            )


def _setcap(command: Command, where: Surroundings) -> Iterator[Effect]:
    if len(command.argv) > 2:
        yield Effect(Action.GAIN_PRIVILEGE, "setcap", command, what=shown(command))


def _nsenter(command: Command, where: Surroundings) -> Iterator[Effect]:
    texts = [word.text for word in command.argv]
    if "1" in texts or "-t1" in texts or "--target=1" in texts:
        yield Effect(Action.GAIN_PRIVILEGE, "escape", command, what=shown(command))


def _setfacl(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-m", "-x", "-M", "-X", "--modify"))
    recursive = given.has("-R", "--recursive")
    for word in given.operands:
        target = resolve(word, command, where)
        mode = given.text("-m", "--modify")
        yield Effect(
            Action.CHANGE_PERMISSIONS, "setfacl", command, target, recursive, what=shown(command), detail=mode
        )


def _xhost(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(word.text.startswith("+") for word in command.argv[1:]):
        yield Effect(Action.GAIN_PRIVILEGE, "xhost", command, what=shown(command))


def _dscl(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(
        word.text.lstrip("-") in ("delete", "create", "passwd", "append", "change", "merge")
        for word in command.argv
    ):
        yield Effect(Action.CHANGE_ACCOUNTS, "change-account", command, what=shown(command))


TABLE: dict[str, EffectReader] = {
    **same_reader(_always("delete-account"), "userdel deluser groupdel delgroup"),
    **same_reader(_useradd, "useradd adduser groupadd addgroup newusers"),
    **same_reader(_usermod, "usermod gpasswd groupmod"),
    **same_reader(_always("change-password", "-S", "--status"), "passwd chpasswd vipw vigr"),
    "chage": _always("change-password", "-l", "--list"),
    **same_reader(_always("sudoers", "-c", "--check"), "visudo"),
    "chsh": _always("change-account", "-l"),
    "su": _su,
    **same_reader(_sudo, "sudo doas sudoedit pkexec"),
    "setcap": _setcap,
    "nsenter": _nsenter,
    "setfacl": _setfacl,
    "xhost": _xhost,
    "dscl": _dscl,
}
