"""One call of a library function, with what is known of its arguments."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Mapping

from fairlead.model.value import Value, derived
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    UNKNOWN,
    Thing,
    paths_of,
    shown_as,
    ways_of,
)

_HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)", re.IGNORECASE)
_LOOPBACK = re.compile(
    r"^(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?|\[::ffff:127\.[\d.]+\]|[\w.-]+\.localhost|host\.docker\.internal)$",
    re.IGNORECASE,
)


class Call(Value):
    """`name` is the full name of what is called; `owner` is the object whose method that is."""

    name: str
    given: tuple[Thing, ...]
    named: Mapping[str, Thing]
    owner: Thing
    node: ast.Call
    method: str = derived(lambda call: call.name.rpartition(".")[2])

    def at(self, index: int, *keywords: str) -> Thing:
        if index < len(self.given):
            return self.given[index]
        return next((self.named[each] for each in keywords if each in self.named), UNKNOWN)

    def has(self, index: int, *keywords: str) -> bool:
        return index < len(self.given) or any(each in self.named for each in keywords)

    def paths(self, index: int, *keywords: str) -> list[str]:
        return paths_of(self.at(index, *keywords))

    def told(self, index: int, *keywords: str) -> str:
        """One text, or nothing."""
        texts = self.at(index, *keywords).texts
        return texts[0] if texts else ""

    def is_true(self, keyword: str) -> bool:
        return bool(self.named[keyword].number) if keyword in self.named else False

    def hosts(self, peer: Thing) -> tuple[str, ...]:
        """The machines that an address names; a hole where that cannot be told."""
        first = peer.items[0] if peer.items else peer
        return tuple(host_of(each) for way in ways_of(first) for each in shown_as(way))


def host_of(address: str) -> str:
    found = _HOST.match(address)
    return found[1] if found else HOLE


def is_elsewhere(hosts: tuple[str, ...]) -> bool:
    """Whether one of them is another machine, or may be."""
    return any(not _LOOPBACK.match(host) for host in hosts)


def as_word(text: str) -> str:
    """A word of a command line; what cannot be told in it is a variable that nobody set."""
    if text == HOLE:
        return "$UNKNOWN"
    return '"$UNKNOWN"'.join(shlex.quote(part) if part else "" for part in text.split(HOLE)) or "''"


def as_line(text: str) -> str:
    return text.replace(HOLE, "$UNKNOWN")
