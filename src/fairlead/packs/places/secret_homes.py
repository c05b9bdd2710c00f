"""Whose secret it is says where it may go: a token for one service, sent to another, is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.effects.network.token_hosts import hosts_of, named_hosts
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

SENDERS = names("curl curlie wget wget2 http https xh xhs")
_SECRET_NAME = lazy(
    r"(?:\$\{?(?:env:)?|process\.env\.|\bENV\[['\"]|environ\[['\"]|getenv\(['\"])(\w{0,60}?(?:secret|token|password|passwd|api_?key|private_?key|access_?key|deploy_?key)(?![a-z]{2})\w{0,60})",
    re.IGNORECASE,
)
_ADDRESS = lazy(r"https?://[^\s\"'$]+")
_HOST = lazy(r"@([\w.-]{1,200})")
_KINDS = names("secret secrets token key password passwd access private auth bearer id user username ssh the")
"""What says that it is a secret, not whose."""
_LOGIN = names("-u --user -a --auth")
"""Who logs in says so to the host where the account is."""
_AUTHORIZATION = lazy(r"^(?:proxy-)?(?:authorization|[\w-]*(?:token|key|auth|authorization|secret))\s*:")
_SERVICES = ("api", "hook", "deploy")
"""Where a token without a name most likely belongs."""


def secrets_in(command: Command) -> bool:
    """Whether one of its words holds a variable that is a secret by its name."""
    return command.name in SENDERS and any(True for word in command.argv[1:] for _ in _named(word))


def sent_astray(command: Command) -> bool:
    """Whether a request carries a secret to an address that the secret's name says nothing of."""
    if command.name == "git":
        return _logged_in_astray(command)
    if command.name not in SENDERS:
        return False
    texts = " ".join(word.text for word in command.argv[1:])
    addresses = [found[0].lower() for found in _ADDRESS.finditer(texts)]
    if not addresses or all(LOCAL.match(address) for address in addresses):
        return False
    return any(
        not _belongs(name, addresses, unnamed=_where_unnamed(before.text, word.text))
        for before, word in pairwise(command.argv)
        for name in _named(word)
    )


def _where_unnamed(before: str, text: str) -> tuple[str, ...]:
    """What an address has in it to which a secret without a name may go: a login goes to any."""
    if before in _LOGIN:
        return ("",)
    return _SERVICES if _AUTHORIZATION.match(text.lower()) else ()


def _logged_in_astray(command: Command) -> bool:
    """`git push https://x:$TOKEN@host/…`: whose token it is, and whose host."""
    return any(
        not _belongs(name, _HOST.findall(word.text), unnamed=("",))
        for word in command.argv[1:]
        if "://" in word.text and "@" in word.text
        for name in _named(word)
    )


def kept_and_sent(commands: Sequence[Command]) -> Command | None:
    """The request that sends a file into which a secret was written before."""
    kept: set[str] = set()
    for command in commands:
        if any(True for word in command.argv[1:] for _ in _named(word)):
            kept |= {redirect.target.text for redirect in command.redirects if ">" in redirect.operator}
        elif kept and command.name in SENDERS:
            words = " ".join(word.text for word in command.argv[1:])
            if "://" in words and any(f"@{path}" in words or f"-T {path}" in words for path in kept):
                return command
    return None


_POSTING = lazy(
    r"\b(?:fetch|axios|got|get|request|post|put|urlopen|urlretrieve|Invoke-RestMethod|Invoke-WebRequest)\b",
    re.IGNORECASE,
)


def posted_astray(line: str) -> bool:
    """The same for a line of code: a call that sends, a secret, and an address."""
    addresses = [found[0].lower() for found in _ADDRESS.finditer(line)]
    if not addresses or not _POSTING.search(line) or all(LOCAL.match(address) for address in addresses):
        return False
    unnamed = _SERVICES if "authorization" in line.lower() else ()
    return any(not _belongs(match[1], addresses, unnamed=unnamed) for match in _SECRET_NAME.finditer(line))


def _named(word: Word) -> Iterator[str]:
    """The variables in a word that are secrets by their name."""
    if not word.known:
        for match in _SECRET_NAME.finditer(word.text):
            yield match[1]


def _belongs(name: str, addresses: list[str], *, unnamed: tuple[str, ...]) -> bool:
    owners = hosts_of(name.removeprefix("SECRET_"))
    if owners:
        return any(hosts.search(host) for hosts in owners for host in named_hosts(addresses))
    words = [part for part in name.lower().split("_") if part not in _KINDS and len(part) > 2]
    return any(word in address for address in addresses for word in words or unnamed)
