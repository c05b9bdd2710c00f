"""Whether a command that prints a secret shows it, or gives it to the program that needs it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from fairlead.packs.rule import Scene
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SHOWING = names(
    "echo printf cat tee less more head tail base64 xxd od rev tac grep sed awk env printenv bat tr fold nl "
    "hexdump sort uniq strings"
)
_SENDING = names(
    "curl wget http https xh nc ncat netcat socat telnet mail sendmail dig nslookup host ping ssh ftp lftp"
)
_KEEPING = names("export declare local readonly typeset set read")
_TAKES_INPUT = names("--password-stdin --with-token --token-stdin --stdin")
_DECRYPTING = names("sops")
"""Whether a file can be decrypted at all may be asked."""
_MEASURING = names("wc sha256sum sha1sum md5sum shasum cksum")
_HOSTS = (
    ("gh", re.compile(r"https://(?:api\.|uploads\.)?github\.com/|https://ghcr\.io/")),
    (
        "gcloud",
        re.compile(
            r"https://[\w.-]+\.(?:googleapis\.com|run\.app|pkg\.dev|gcr\.io|cloudfunctions\.net)\b|https://gcr\.io/"
        ),
    ),
    (
        "az",
        re.compile(r"https://[\w.-]+\.(?:azure\.com|azure\.net|windows\.net|microsoft\.com|azurecr\.io)\b"),
    ),
    ("glab", re.compile(r"https://gitlab\.com/")),
    ("oc", re.compile(r"https://(?:kubernetes\.default\b|[\w.-]+:6443\b)")),
)
"""Whose token it is says where it may go."""


def is_only_used(command: Command, scene: Scene) -> bool:
    """`gh auth token | docker login --password-stdin`, `GH_TOKEN=$(gh auth token) npm test`."""
    if command.name in _DECRYPTING and goes_nowhere(command):
        return True
    commands = scene.script.commands
    after = [c for c in commands if c.pipeline == command.pipeline and c.position > command.position]
    if after:
        return all(map(_takes, after)) or _lists_names(min(after, key=lambda other: other.position))
    if "$()" not in command.via:
        return False
    around = command_around(command, commands)
    if around is None or around.name in _SHOWING:
        return False
    if around.name in _SENDING:
        return _goes_home(command, around)
    return not any(_passes_on(later, command) for later in commands if later is not around)


def comes_to_light(command: Command, scene: Scene) -> bool:
    """Whether what it prints is shown: at once, or by the program that gets it through a pipe or as a word."""
    commands = scene.script.commands
    piped = (c for c in commands if c.pipeline == command.pipeline)
    last = max(piped, key=lambda c: (c.position, len(c.wrappers)))  # a wrapper stands beside what it runs
    if last is not command and (last.name not in _SHOWING or last.redirects):
        return False
    if "$()" not in last.via and "<()" not in last.via:
        return True
    around = command_around(last, commands)
    if around is None or around.name not in _SHOWING:
        return any(
            _passes_on(later, last) and later.name in _SHOWING for later in commands if later is not around
        )
    return not around.redirects and comes_to_light(around, scene)


def command_around(command: Command, commands: Sequence[Command]) -> Command | None:
    """The command in whose words it stands: the smallest around it; in text that a shell runs, where all stand
    at the same place, the nearest that runs after it in the same text."""
    place = next(index for index, each in enumerate(commands) if each is command)
    outer = [
        (each.end - each.start, -len(each.via), index < place, abs(index - place), index)
        for index, each in enumerate(commands)
        if each.start <= command.start and command.end <= each.end and len(each.via) < len(command.via)
    ]
    return commands[min(outer)[-1]] if outer else None


def _takes(command: Command) -> bool:
    texts = {word.text for word in command.argv[1:]}
    stored = "secret" in texts and bool(texts & {"set", "put", "create", "update"})
    applied = command.name in ("kubectl", "oc") and bool(texts & _APPLYING) and "-" in texts
    applied = applied and not any(text.startswith(("-o", "--output")) for text in texts)
    return bool(texts & _TAKES_INPUT) or stored or applied or command.name in _MEASURING


_APPLYING = names("apply create replace")
_NAMES_OF_JSON = lazy(
    r"(?:\.[\w.\[\]\"-]*\s*\|\s*)?(?:keys(?:_unsorted)?|length)(?:\s*\[\]|\s*\|\s*(?:length|\.\[\]))?"
)


def _lists_names(command: Command) -> bool:
    """`jq keys`: what the values are called, and not one of them."""
    words = [word.text for word in command.argv[1:] if word.text not in ("-r", "-c", "-rc", "-cr")]
    return command.name == "jq" and len(words) == 1 and bool(_NAMES_OF_JSON.fullmatch(words[0]))


def goes_nowhere(command: Command) -> bool:
    """`> /dev/null`, whatever becomes of its complaints."""
    outputs = [
        redirect
        for redirect in command.redirects
        if ">" in redirect.operator and (redirect.descriptor in (None, 1) or "&" in redirect.operator[:1])
    ]
    return bool(outputs) and all(
        redirect.target.known and redirect.target.text == os.devnull and redirect.operator != ">&"
        for redirect in outputs
    )


def _goes_home(command: Command, sender: Command) -> bool:
    addresses = " ".join(word.text for word in sender.argv if "://" in word.text)
    return any(command.name == name and hosts.search(addresses) for name, hosts in _HOSTS)


def _passes_on(later: Command, command: Command) -> bool:
    """Whether a later command shows or sends what was kept in a variable."""
    if later.name not in _SHOWING and later.name not in _SENDING:
        return False
    printed = tuple([word.text for word in command.argv])
    carried = any(printed in word.opaque.commands() for word in later.argv[1:] if word.opaque is not None)
    return carried and not (later.name in _SENDING and _goes_home(command, later))
