"""What is piped out of the machine: variables, private files, a shell on a connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.server_requests import LOCAL, is_local
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.secret_material.secret_searches import SECRET_VARIABLE
from fairlead.shell.effects.secret_material.variable_names_only import keeps_names
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.effects.together.run_downloads import INTERPRETERS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

SENDERS = names("curl wget nc ncat netcat socat ssh telnet ftp lftp http https xh openssl mail sendmail")
DUMPS = names("env printenv set export history declare compgen")
TALKERS = names("nc ncat netcat socat telnet openssl")
_ENCODERS = names("base64 base32 xxd od hexdump gzip bzip2 xz tar zip openssl gpg")
_SHELLS = names("sh bash zsh dash ksh")
_TCP = lazy(r"^/dev/(?:tcp|udp)/")


def sent(commands: tuple[Command, ...], sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """Variables and encoded files that reach a program which sends."""
    senders = [c for c in commands if c.name in SENDERS and not _stays_here(c)]
    if not senders:
        return
    for sender in senders:
        feeding = list(sources.of(sender))
        dumped = any(_dumps(command) or _tells(command) for command in feeding)
        encoded = any(command.name in _ENCODERS for command in feeding)
        if dumped:
            yield Effect(Action.SEND_DATA, "environment", sender, what=shown(sender))
        elif any(
            _reads_private(command, where) or (sender.name != "ssh" and _tells_all(command))
            for command in feeding
        ):
            yield Effect(Action.SEND_DATA, "upload", sender, what=shown(sender))
        elif encoded and sender.name != "openssl" and _reads_files(feeding):
            if sender.name == "ssh" and all(_is_output(command, where) for command in feeding):
                continue
            name = "upload" if sender.name == "ssh" else "encoded"
            yield Effect(Action.SEND_DATA, name, sender, what=shown(sender))


def _stays_here(command: Command) -> bool:
    """Whether it only talks to this machine."""
    addresses = [word.text for word in command.argv[1:] if "://" in word.text]
    if addresses or command.name in ("mail", "sendmail"):
        return is_local(addresses)
    return any(LOCAL.match(word.text) for word in command.argv[1:])


def piped_shells(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """A shell and a connection in one pipe: `sh -i | nc host port`."""
    shells = {command.pipeline for command in commands if command.name in ("sh", "bash", "zsh", "dash")}
    for command in commands:
        talks = command.name in TALKERS
        if command.name == "openssl":
            talks = any(word.text == "s_client" for word in command.argv)
        if talks and command.pipeline in shells:
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))


def _dumps(command: Command) -> bool:
    return command.name in DUMPS and all(word.text.startswith("-") for word in command.argv[1:])


def _tells(command: Command) -> bool:
    """`echo $TOKEN`: one variable that is a secret by its name."""
    return command.name in ("echo", "printf") and any(
        not word.known and SECRET_VARIABLE.search(word.text) for word in command.argv[1:]
    )


def stored_dumps(commands: tuple[Command, ...], where: Surroundings) -> Iterator[Effect]:
    """`env > /tmp/e && curl -F f=@/tmp/e …`: the variables go by way of a file."""
    stored: set[str] = set()
    for command in commands:
        if _dumps(command):
            stored |= {resolve(r.target, command, where).path for r in command.redirects if ">" in r.operator}
        elif command.name in SCREENS and len(command.argv) > 1:
            stored.add(resolve(command.argv[-1], command, where).path)
        elif stored and command.name in SENDERS:
            text = " ".join(word.text for word in command.argv[1:])
            if any(path and path in text for path in stored):
                yield Effect(Action.SEND_DATA, "environment", command, what=shown(command))


SCREENS = names("screencapture scrot maim grim gnome-screenshot spectacle import xwd")


def _reads_private(command: Command, where: Surroundings) -> bool:
    if command.name in _WHOLE_PROGRAMS or any(w.text == ".dump" for w in command.argv):
        return True
    if command.name not in ("cat", "head", "tail", "grep", "base64", "gzip", "sort"):
        return False
    operands = [word for word in command.argv[1:] if "/" in word.text or "~" in word.text]
    return any(resolve(word, command, where).place in (Place.HOME, Place.SYSTEM) for word in operands)


_WHOLE_PROGRAMS = names(
    "mysqldump mariadb-dump pg_dump pg_dumpall mongodump pbpaste wl-paste xsel last w who"
)
_WHOLE_ANSWERS = (
    *(("git", "archive"), ("git", "bundle"), ("docker", "save"), ("docker", "export"), ("crontab", "-l")),
    *(("terraform", "output"), ("tofu", "output"), ("terraform", "state"), ("tofu", "state")),
    *(("git", "diff"), ("git", "show"), ("ip", "addr"), ("ip", "a"), ("ip", "route"), ("arp", "-a")),
    *(("xclip", "-o"), ("ssh-add", "-L"), ("ps", "aux"), ("ps", "-ef")),
)


def _tells_all(command: Command) -> bool:
    """The whole history, an image, what is in the clipboard: no answer that was made for sending."""
    texts = [word.text for word in command.argv]
    patches = texts[:2] == ["git", "log"] and any(text in ("-p", "-u", "--patch") for text in texts)
    settings = texts[:2] == ["git", "config"] and any(text in ("-l", "--list") for text in texts)
    return patches or settings or any((texts[0], text) in _WHOLE_ANSWERS for text in texts[1:3])


def _is_output(command: Command, where: Surroundings) -> bool:
    """A release: what is packed was built here."""
    words = [word for word in command.argv[1:] if not word.text.startswith("-")]
    files = [word for word in words if not re.match(r"^[a-zA-Z]+$|^-$", word.text) or word.text in _BUILT]
    places = {resolve(word, command, where).place for word in files}
    return bool(files) and places <= {Place.GENERATED, Place.TEMPORARY}


_BUILT = names("dist build out target public")


def _reads_files(feeding: list[Command]) -> bool:
    for command in feeding:
        operands = [word for word in command.argv[1:] if not word.text.startswith("-")]
        if command.redirects or (operands and command.name not in ("echo", "printf", "date", "jq")):
            return True
    return False


_TELLING = (
    ("docker", "inspect"), ("podman", "inspect"), ("compose", "config"), ("docker-compose", "config"),
    ("systemctl", "show-environment"), ("systemctl", "cat"), ("systemctl", "show"), ("docker", "history"),
    ("tmux", "show-environment"), ("tmux", "showenv"), ("pm2", "env"),
)  # fmt: skip
TELLERS = frozenset(teller for teller, _ in _TELLING)
FILTERS = names("grep egrep rg awk sed")


def _tells_of_variables(command: Command) -> bool:
    """What else prints the variables of a program among other things."""
    words = [word.text for word in command.argv if not word.text.startswith("-")]
    return any(pair in _TELLING for pair in pairwise(words[:4]))


def filtered_dumps(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """`env | grep -i token`: the filter says what is looked for."""
    dumps = {command.pipeline for command in commands if _dumps(command) or _tells_of_variables(command)}
    dumps -= {command.pipeline for command in commands if keeps_names(command)}
    for command in commands:
        if command.pipeline in dumps and command.name in FILTERS:
            text = " ".join(word.text for word in command.argv[1:])
            counted = any(re.match(r"^-[a-z]*[cq]", word.text) for word in command.argv[1:])
            if (
                re.search(r"secret|token|passw|api.?key|credential|private|_key|aws_", text, re.IGNORECASE)
                and not counted
            ):
                yield Effect(Action.READ_SECRET, "print-variable", command, what=shown(command))


def connected(command: Command, commands: tuple[Command, ...]) -> Iterator[Effect]:
    """Redirections to `/dev/tcp`: bash opens a connection for them."""
    for redirect in command.redirects:
        if not _TCP.match(redirect.target.text) or redirect.target.text.startswith(
            ("/dev/tcp/localhost", "/dev/tcp/127.")
        ):
            continue
        both_ways = (redirect.operator == "<>" or redirect.descriptor == 0) and any(
            other.name in _SHELLS for other in commands
        )
        if command.name in INTERPRETERS or both_ways:
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))
        elif redirect.operator == "<>" and command.name == "exec":
            yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))
        elif ">" in redirect.operator and command.argv and command.name not in ("exec", "true", ":", "echo"):
            yield Effect(Action.SEND_DATA, "raw-device", command, what=shown(command))
