"""Whose secret it is says where it may go: a token for one service, sent to another, is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.requests import LOCAL
from fairlead.shell.effects.token_hosts import hosts_of
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.tables import names

SENDERS = names("curl curlie wget wget2 http https xh xhs")
_SECRET_NAME = lazy(
    r"\$\{?(\w{0,60}?(?:secret|token|password|passwd|api_?key|private_?key|access_?key|deploy_?key)(?![a-z]{2})\w{0,60})",
    re.IGNORECASE,
)
_ADDRESS = lazy(r"https?://[^\s\"'$]+")
_KINDS = names("secret secrets token key password passwd access private auth bearer id user username ssh the")
"""What says that it is a secret, not whose."""
_AUTHORIZATION = lazy(r"^(?:proxy-)?(?:authorization|[\w-]*(?:token|key|auth|authorization|secret))\s*:")
_SERVICES = ("api", "hook", "deploy")
"""Where a token without a name most likely belongs."""


def secrets_in(command: Command) -> bool:
    """Whether one of its words holds a variable that is a secret by its name."""
    return command.name in SENDERS and any(True for word in command.argv[1:] for _ in _named(word))


def sent_astray(command: Command) -> bool:
    """Whether a request carries a secret to an address that the secret's name says nothing of."""
    if command.name not in SENDERS:
        return False
    texts = " ".join(word.text for word in command.argv[1:])
    addresses = [found[0].lower() for found in _ADDRESS.finditer(texts)]
    if not addresses or all(LOCAL.match(address) for address in addresses):
        return False
    return any(
        not _belongs(name, addresses, header=bool(_AUTHORIZATION.match(word.text.lower())))
        for word in command.argv[1:]
        for name in _named(word)
    )


_POSTING = lazy(
    r"\b(?:fetch|axios|got|request|post|put|urlopen|urlretrieve|Invoke-RestMethod|Invoke-WebRequest)\b",
    re.IGNORECASE,
)


def posted_astray(line: str) -> bool:
    """The same for a line of code: a call that sends, a secret, and an address."""
    addresses = [found[0].lower() for found in _ADDRESS.finditer(line)]
    if not addresses or not _POSTING.search(line) or all(LOCAL.match(address) for address in addresses):
        return False
    header = "authorization" in line.lower()
    return any(not _belongs(match[1], addresses, header=header) for match in _SECRET_NAME.finditer(line))


def _named(word: Word) -> Iterator[str]:
    """The secrets in a word, where they are not all of it: an address may be a secret itself."""
    if not word.known:
        for match in _SECRET_NAME.finditer(word.text):
            yield match[1]


def _belongs(name: str, addresses: list[str], *, header: bool) -> bool:
    owners = hosts_of(name.removeprefix("SECRET_"))
    if owners:
        return any(hosts.search(address) for hosts in owners for address in addresses)
    words = [part for part in name.lower().split("_") if part not in _KINDS and len(part) > 2]
    telling = words or (_SERVICES if header else ())
    return any(word in address for address in addresses for word in telling)
