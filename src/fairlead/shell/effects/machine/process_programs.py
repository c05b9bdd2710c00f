"""Programs that end, slow down or list processes, and messages that turn the machine off."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.machine.listed_processes import is_everyone, is_service
from fairlead.shell.effects.machine.searched_processes import effects_of_search
from fairlead.shell.effects.machine.vital_processes import effects_of_name, only_tells
from fairlead.shell.effects.own.guard_names import GUARDS
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Unknown

_SIGNALS = ("-s", "--signal", "-n")


def read_kill(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
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
        if not only_tells(command):
            detail = "a service of the machine"
            yield Effect(Action.KILL, "kill-vital", command, what=shown(command), detail=detail)
    elif any(map(is_everyone, unknown.roots())):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
    else:
        yield from effects_of_search(command, unknown.commands())


def read_pkill(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
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
        yield from effects_of_name(command, pattern)


def _signal(word: Word) -> Word:
    """`-9` and `-KILL` are signals, not bundles of options."""
    return (
        word.replace(text="--signal-given")
        if re.match(r"^-(?:\d+|SIG[A-Z]+|[A-Z]{3,})$", word.text)
        else word
    )


_UNIT_CALL = lazy(r"(?:^|\.)(?:StartTransientUnit|EnableUnitFiles\w*|LinkUnitFiles)$")
"""What systemd is asked for to run a command of its own."""


def read_bus_message(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    if any(
        re.search(r"(?:^|\.)(?:PowerOff|Reboot|Halt|Suspend|Hibernate|KExec)$", word.text)
        for word in command.argv
    ):
        yield Effect(Action.SHUTDOWN, "shutdown", command, what=shown(command))
    if any(_UNIT_CALL.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_SERVICE, "start-later", command, what=shown(command))
    if any("Secret.Item.GetSecret" in w.text or "Service.GetSecrets" in w.text for w in command.argv[1:]):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))


def read_fuser(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
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
    if kills:
        yield from effects_of_search(command, [("fuser", *(word.text for word in given.operands))])
    if kills and guarded:
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
    if kills and (given.has("-m", "-c", "--mount") or whole):
        yield Effect(Action.KILL, "kill-everything", command, what=shown(command))


_SECONDS = lazy(r"^[1-9]\d?s?$")


def read_stress(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """For less than two minutes it is a test."""
    given = read_arguments(command.argv[1:], valued=("-t", "--timeout"))
    if not (_SECONDS.match(given.text("-t", "--timeout")) or given.has("--help", "--version", "-n")):
        yield Effect(Action.CHANGE_SERVICE, "stop-service", command, what=shown(command))


def read_renice(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Before everything else, or for all that a user runs."""
    texts = [word.text for word in command.argv[1:]]
    if any(re.match(r"^(?:-n)?-\d+$", text) for text in texts) or {"-u", "--user"} & set(texts):
        yield Effect(Action.CHANGE_SYSTEM, "kernel", command, what=shown(command))


def read_crontab(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-u",))
    if given.has("-r"):
        yield Effect(Action.CHANGE_SERVICE, "delete-crontab", command, what=shown(command))
    edits = given.has("-e") and {"EDITOR", "VISUAL"} & set(command.assignments)
    reads = not given.has("-l", "-e", "-V") and (given.operands or command.stdin.kind != "inherit")
    if edits or (reads and not given.has("-r")):
        yield Effect(Action.CHANGE_SERVICE, "replace-crontab", command, what=shown(command))


_WITH_VARIABLES = lazy(r"^(?=[a-zA-Z]*e)(?=[a-zA-Z]*[wux])[a-zA-Z]+$")


def read_ps(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`ps auxe` shows the variables of each process; `ps -e` only names all of them."""
    if any(_WITH_VARIABLES.match(word.text) for word in command.argv[1:2]):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
