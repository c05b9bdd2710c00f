"""Ways into this machine: tunnels, shells in a browser, servers that let others in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_OPENING = names("tcp tunnel local 22 ssh funnel client -c --port share host http start tls run")
_LOOKS = names("version --version -v -V help --help -h -t -T list ls status completion info config check")


def read_tunnel(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    texts = [word.text for word in command.argv[1:]]
    looks = any(text in _LOOKS for text in texts[:2])
    if not looks and any(text in _OPENING for text in texts):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))


def read_opening(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """To start it is to let someone in."""
    if not any(word.text in _LOOKS for word in command.argv[1:2]):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))


_SSH_VALUED = ("-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-W", "-b", "-c", "-m", "-E", "-M")


def read_ssh(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`ssh -R`: the other end gets a port of this machine. Options may stand behind the host, too."""
    given = read_arguments(
        command.argv[1:],
        valued=_SSH_VALUED,
        until_operand=True,
    )
    options = " ".join(word.text for word in given.values.get("-o", ())).lower()
    behind = read_arguments(given.operands[1:], valued=_SSH_VALUED, until_operand=True)
    bound = [word.text for option in ("-D", "-L") for word in given.values.get(option, ())]
    open_to_all = any(text.startswith(("0.0.0.0:", "*:", "[::]:")) for text in bound)
    if given.has("-R") or "remoteforward" in options or behind.has("-R") or open_to_all:
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))
    if "proxycommand" in options or "localcommand" in options:
        yield Effect(Action.RUN_UNKNOWN_CODE, "ssh-option", command, what=shown(command))


_ANYWHERE = lazy(r"^(?:(?:0\.0\.0\.0|::|\[::\]|\*)(?::\d+)?)$")
_UNLOCKED = lazy(
    r"^--(?:auth=none|no-auth|without-password|NotebookApp\.token=|ServerApp\.token=|IdentityProvider\.token="
    r"|NotebookApp\.password=|ServerApp\.password=)$"
)


def read_workbench(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A workbench in a browser runs whatever is typed: for everyone, or without a password."""
    texts = [word.text for word in command.argv[1:]]
    values = [text.rpartition("=")[2] for text in texts]
    unlocked = any(_UNLOCKED.match(text) for text in texts) or "none" in texts
    if unlocked or any(_ANYWHERE.match(value) for value in values):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))


_PRIVATE = frozenset((Place.ROOT, Place.HOME_ROOT, Place.SYSTEM))
_KEYS = lazy(r"/\.(?:ssh|aws|gnupg|kube|azure|docker|config|password-store)(?:/|$)")
_LOCAL = lazy(r"127\.0\.0\.1|localhost|::1")


_FOLDER_OPTIONS = names("--directory -d -t --root -h --webroot --path")


def served(command: Command, words: Sequence[Word], where: Surroundings) -> Iterator[Effect]:
    """A server of files, of a folder that is nobody else's business; where none is named, of the one here."""
    folders = [
        word.replace(text=word.text.rpartition("=")[2]) if word.text.startswith("-") else word
        for word in words
    ]
    folders = [word for word in folders if word.text[:1] in ("/", "~", ".")]
    named = bool(folders) or any(
        word.text.partition("=")[0] in _FOLDER_OPTIONS or _is_folder(word) for word in words
    )
    if not named and not any(_LOCAL.search(word.text) for word in words):
        folders = [Word(".")]
    if any(_is_private(resolve(word, command, where)) for word in folders):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))


def _is_folder(word: Word) -> bool:
    return bool(re.match(r"^[A-Za-z_]", word.text)) and ":" not in word.text


def _is_private(target: Target) -> bool:
    return target.place in _PRIVATE or bool(_KEYS.search(target.path))


def read_file_server(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from served(command, command.argv[1:], where)


def read_httpd(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """Two programs have this name: a service, and the small one of busybox, which serves a folder."""
    yield from known(command, where)
    yield from served(command, command.argv[1:], where)


def read_caddy(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """It serves files only when it is told so; all else it does by its settings."""
    if any(word.text == "file-server" for word in command.argv[1:2]):
        yield from served(command, command.argv[2:], where)


def read_display(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A terminal on someone else's screen."""
    for option, value in pairwise(command.argv):
        if option.text in ("-display", "--display") and not re.match(r"^(?:localhost|unix)?:\d", value.text):
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))


def read_open_service(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`dockerd -H tcp://…`, `redis-server --protected-mode no`: whoever finds the port is let in."""
    texts = [word.text for word in command.argv[1:]]
    plain = any(text.rpartition("=")[2].startswith("tcp://") for text in texts) and "--tlsverify" not in texts
    if plain or ("--protected-mode", "no") in pairwise(texts):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))
