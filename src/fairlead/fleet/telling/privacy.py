"""What of a journal line may leave a machine: the rules of the signed bundle, and what no bundle can change.

A bundle's `privacy` names fields. Prompts, contents, results, environments, transcripts and home folders have
no name in it: nothing that a bundle says lets them out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping

from fairlead.errors import PolicyError
from fairlead.model.value import Value

ALWAYS = ("id", "request", "writer", "seq", "prev", "ts")
"""Sent with every line, so that a missing one and a doubled one show."""

DEFAULT_FIELDS = (
    "agent",
    "event",
    "session",
    "policy",
    "gating",
    "canary",
    "kind",
    "decision",
    "rule",
    "hook",
    "would",
    "failures",
    "outcomes",
    "degraded",
    "ms",
    "user",
)
MORE_FIELDS = ("tool", "mcp_server", "mcp_tool", "agent_version", "native_event", "attended")
"""Known, and left out unless the bundle names them."""

_LEAST_KEY = 16
_KEYS = frozenset({"fields", "commands", "paths", "people"})


class Privacy(Value):
    """`commands` and `paths` are rules (`git/force-push`, `git/*`, `*`) whose lines may carry these."""

    fields: frozenset[str] = frozenset(DEFAULT_FIELDS)
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    people: bytes = b""
    """The fleet's key for pseudonyms; without one, people and sessions have none and are left out."""

    def pseudonym(self, kind: str, name: str) -> str:
        if not self.people or not name:
            return ""
        text = f"fairlead-{kind}-v1\n{name}".encode("utf-8", "surrogatepass")
        return hmac.new(self.people, text, hashlib.sha256).hexdigest()[:20]

    def lets_command(self, rule: str) -> bool:
        return _matches(self.commands, rule)

    def lets_path(self, rule: str) -> bool:
        return _matches(self.paths, rule)


def _matches(patterns: tuple[str, ...], rule: str) -> bool:
    if not rule:
        return False
    pack = rule.split("/", 1)[0]
    return any(pattern in (rule, f"{pack}/*", "*") for pattern in patterns)


def read_privacy(given: object) -> tuple[Privacy, tuple[str, ...]]:
    """The rules of a manifest, and what is wrong with them. What is wrong lets nothing more out."""
    if given is None:
        return Privacy(), ()
    if not isinstance(given, Mapping):
        return Privacy(), ("`privacy` is no mapping",)
    problems = [f"privacy: unknown key {key!r}" for key in sorted(map(str, given)) if key not in _KEYS]
    fields, wrong = _fields(given.get("fields"))
    commands, paths = _patterns(given.get("commands")), _patterns(given.get("paths"))
    people = _key(given.get("people"))
    problems += wrong
    problems += [
        f"privacy: `{name}` is no list of rules"
        for name, found in (("commands", commands), ("paths", paths))
        if found is None
    ]
    if people is None:
        problems.append(f"privacy: `people` is no key: base64 of at least {_LEAST_KEY} bytes")
    return Privacy(fields, commands or (), paths or (), people or b""), tuple(problems)


def require_privacy(given: object) -> None:
    """For who makes a bundle. Raises PolicyError."""
    _, problems = read_privacy(given)
    if problems:
        known = ", ".join((*DEFAULT_FIELDS, *MORE_FIELDS))
        raise PolicyError(problems[0], hint=f"keys are fields, commands, paths, people; fields are {known}")


def _fields(given: object) -> tuple[frozenset[str], list[str]]:
    if given is None:
        return frozenset(DEFAULT_FIELDS), []
    if not isinstance(given, list | tuple):
        return frozenset(), ["privacy: `fields` is no list"]
    known = frozenset((*DEFAULT_FIELDS, *MORE_FIELDS))
    named = [name for name in given if isinstance(name, str)]
    unknown = sorted({str(name) for name in given} - known - set(ALWAYS))
    return known & frozenset(named), [f"privacy: there is no field {name!r}" for name in unknown]


def _patterns(given: object) -> tuple[str, ...] | None:
    if given is None:
        return ()
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) and each for each in given):
        return None
    return tuple(given)


def _key(given: object) -> bytes | None:
    if given in (None, ""):
        return b""
    if not isinstance(given, str):
        return None
    try:
        key = base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if len(key) >= _LEAST_KEY else None
