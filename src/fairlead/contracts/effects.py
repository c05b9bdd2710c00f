"""What contract lines do to the script that called: variables that they set, and where it goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache

from fairlead.contracts.directives import NAMED, Directive, Malformed
from fairlead.contracts.grammar import PROTECTED
from fairlead.contracts.modes import Flow, change_to
from fairlead.model.value import Value


class Effects(Value):
    variables: Mapping[str, str]
    flow: Flow
    warnings: tuple[str, ...] = ()


def effects_of(
    asked: Iterable[Directive | Malformed],
    environment: Mapping[str, str],
    *,
    flow: Flow | None = None,
    allow: Sequence[str] | None = None,
) -> Effects:
    """What these lines change, in their order. `allow`: see `may_set`."""
    reading = _Reading(environment, flow or Flow(), allow)
    for one in asked:
        reading.take(one)
    return Effects(reading.variables, reading.flow, tuple(reading.warnings))


def may_set(name: str, allow: Sequence[str] | None) -> bool:
    """Without a list, everything but PROTECTED. A list of names and globs narrows that to its entries;
    an entry with a leading `+` widens it instead."""
    narrowing = tuple(entry for entry in allow or () if not entry.startswith("+"))
    widening = tuple(entry[1:] for entry in allow or () if entry.startswith("+"))
    if _any_of((*narrowing, *widening)).match(name):
        return True
    return not narrowing and not _any_of(PROTECTED).match(name)


@lru_cache(maxsize=8)
def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)) or "(?!)")


class _Reading:
    def __init__(self, environment: Mapping[str, str], flow: Flow, allow: Sequence[str] | None) -> None:
        self._environment = environment
        self._allow = allow
        self.variables: dict[str, str] = {}
        self.flow = flow
        self.warnings: list[str] = []

    def take(self, asked: Directive | Malformed) -> None:
        if isinstance(asked, Malformed):
            self._warn(asked.line, f"contract:{asked.text[:200]} is ignored: {asked.why}")
        elif asked.kind == "exit":
            self.flow = self.flow.then(Flow(True, int(asked.value), result="exit"))
        elif asked.kind == "route":
            self.flow = self.flow.then(Flow(True, route=asked.value, result="route"))
        elif asked.kind == "mode":
            self._change_mode(asked)
        elif not NAMED.fullmatch(asked.name):
            self._warn(asked.line, f"{asked.name[:200]!r} cannot be the name of a variable")
        elif not may_set(asked.name, self._allow):
            self._warn(asked.line, f"a contract may not set {asked.name}; an allow-list can permit it")
        else:
            self.variables[asked.name] = self._changed(asked)

    def _change_mode(self, asked: Directive) -> None:
        change = change_to(asked.value)
        if isinstance(change, str):
            self._warn(asked.line, f"contract:mode={asked.value[:200]} is ignored: {change}")
            return
        self.variables.update(change.variables)
        self.flow = self.flow.then(change.flow)

    def _changed(self, asked: Directive) -> str:
        if asked.kind == "set":
            return asked.value
        now = self.variables.get(asked.name, self._environment.get(asked.name, ""))
        if asked.kind == "append":
            return f"{now}:{asked.value}" if now else asked.value
        if asked.kind == "prepend":
            return f"{asked.value}:{now}" if now else asked.value
        return ":".join(part for part in now.split(":") if part and part != asked.value)

    def _warn(self, line: int, message: str) -> None:
        self.warnings.append(f"line {line}: {message}" if line else message)
