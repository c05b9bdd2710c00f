"""Logins that are tried with one password after the other: as the program that guesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word, is_elsewhere
from fairlead.shell.effects.code.python.calls.network import is_request
from fairlead.shell.effects.code.python.running.thing import HOLE, Thing, deep_origins
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_LOGGING_IN = names(
    "connect login extractall decrypt auth_password simple_bind_s create_connection Connection"
)
_PASSWORD = lazy(r"^(?:pass(?:word|wd|phrase|code)?|pwd|pw|pin|otp|mfa_?code|secret)$")
_HOSTS = ("host", "hostname", "server", "address", "uri")
_ENOUGH = 3
"""Different passwords for one login are no mistake any more."""
_WORD_LIST = lazy(r"\.(?:txt|lst|dic|list|csv)$|/words$|dict|wordlist|rockyou|seclists")


def guessing_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name.startswith(_HASHES) or call.name in _LOOKING_UP:
        paths = (path for each in call.given[:1] for path in _word_lists(each))
        for path in filter(_OF_WORDS.search, paths):
            yield Act("shell", f"hydra -P {as_word(path)} ssh://host")
        return
    if is_request(call):
        given, hosts = list(_in_request(call)), call.hosts(call.at(0, "url"))
    elif call.method in _LOGGING_IN:
        given = [value for key, value in call.named.items() if _PASSWORD.match(key)] or list(call.given[1:2])
        hosts = call.owner.peers or call.hosts(call.at(0, *_HOSTS))
    else:
        return
    listed = next((path for each in given for path in _word_lists(each)), "")
    if listed or (is_elsewhere(hosts) and any(_varies(each, call, run) for each in given)):
        host = hosts[0].replace(HOLE, "") if hosts else ""
        yield Act("shell", f"hydra -P {as_word(listed or 'guessed')} ssh://{host or 'host'}")


_OF_WORDS = lazy(r"(?i)rockyou|word|dict|seclists|passw|subs|\.lst$|\.dic$")
_HASHES = ("hashlib.", "crypt.", "passlib.", "bcrypt.")
_LOOKING_UP = names("socket.gethostbyname socket.getaddrinfo dns.resolver.resolve")


def fed_guesses(call: Call) -> Iterator[Act]:
    """`subprocess.run(["sudo", "-S", "id"], input=word)`, for each word of a list."""
    given = call.named.get("input")
    for path in _word_lists(given) if given is not None else ():
        yield Act("shell", f"hydra -P {as_word(path)} ssh://host")


def _in_request(call: Call) -> Iterator[Thing]:
    """What a form or a header has for a password."""
    for name in ("data", "json", "params"):
        fields = call.named[name].fields if name in call.named else None
        yield from (value for key, value in (fields or {}).items() if _PASSWORD.match(key.lower()))
    login = call.named["auth"].items if "auth" in call.named else None
    yield from (login or ())[1:2]


def _word_lists(password: Thing) -> Iterator[str]:
    paths = (path for kind, path in deep_origins(password) if kind == "file")
    return (path for path in paths if _WORD_LIST.search(path))


def _varies(password: Thing, call: Call, run: Run) -> bool:
    """Counted through, or another text each time that the loop comes to the same call."""
    if any(kind == "range" for kind, _ in deep_origins(password)):
        return True
    tried = run.tried.setdefault(id(call.node), set())
    tried.update(each for each in password.texts if HOLE not in each)
    return len(tried) >= _ENOUGH
