"""Sends something to a stranger after a secret was shown to the model."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.earlier.moments import when
from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory
from fairlead.shell.effects.effect import SENDS_AFTER_SECRET, Action, Effect
from fairlead.shell.effects.network.token_hosts import is_known_service, is_own_network, named_hosts
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SENDING = names("curl curlie wget wget2 http https xh xhs nc ncat netcat socat telnet")
_BODY = lazy(
    r"^-[a-zA-Z]*[dFT](?:$|[^a-zA-Z])|^-[dF]."
    r"|^--(?:data[\w-]*|form[\w-]*|json|upload-file|url-query|post-(?:data|file)|body-(?:data|file)|raw)(?:=|$)"
)
_FIELD = lazy(r"^[\w.-]+:?={1,2}.")
"""`name=value`, as some clients take what they send."""
_LONG_QUERY = lazy(r"\?.{24,}|/[A-Za-z0-9+/=_-]{40,}(?:$|[/?])")
"""An address that can carry a key."""


def sends_after_secret(call: Call, memory: Memory) -> Iterator[Effect]:
    for command in call.script.commands:
        if command.name in _SENDING and (host := _stranger(command)):
            yield from _sent(command, host, memory, shown(command))
    if call.is_address and _LONG_QUERY.search(call.content):
        for host in named_hosts(call.content.split("\n")):
            if _is_stranger(host):
                yield from _sent(Command((), None), host, memory, call.content[:80])


def _sent(command: Command, host: str, memory: Memory, what: str) -> Iterator[Effect]:
    note = memory.secret_read()
    if note is not None:
        detail = f"{note.subject} was read {when(note)}, and {host} is a stranger"
        yield Effect(Action.SEND_DATA, SENDS_AFTER_SECRET, command, what=what, detail=detail)


def _stranger(command: Command) -> str:
    """The host that would get a body or a long address; empty where none does."""
    texts = [word.text or word.prefix for word in command.argv[1:]]
    if command.name in ("nc", "ncat", "netcat", "socat", "telnet"):
        sends = command.position > 0 or command.stdin.kind in ("file", "text")
        hosts = [text for text in texts if not text.startswith("-") and not text.isdigit()]
    else:
        hosts = [text for text in texts if "://" in text] or [text for text in texts if _BARE.match(text)]
        sends = any(_BODY.search(text) for text in texts) or any(map(_LONG_QUERY.search, hosts))
        if command.name in ("http", "https", "xh", "xhs"):
            sends = sends or any(map(_FIELD.match, texts)) or command.position > 0
    found = named_hosts(hosts) if sends else iter(())
    return next((host for host in found if _is_stranger(host)), "")


_BARE = lazy(r"^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/|$)")


def _is_stranger(host: str) -> bool:
    return not is_own_network(host) and not is_known_service(host)
