"""What contract lines do to the script that called: variables that they set, and where it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from fairlead.contracts.directives import NAME, Directive, Malformed
from fairlead.contracts.modes import Flow, change_to
from fairlead.model.value import Value

PROTECTED = (
    "PATH",
    "LD_*",
    "DYLD_*",
    "IFS",
    "ENV",
    "BASH*",
    "SHELLOPTS",
    "PROMPT_COMMAND",
    "PS[0-4]",
    "CDPATH",
    "GLOBIGNORE",
    "PYTHON*",
    "PERL*",
    "RUBY*",
    "NODE_*",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
    "GIT_*",
    "MAKEFLAGS",
    "GCONV_PATH",
    "HOME",
    "SHELL",
    "TMPDIR",
    "HOOKS_*",
    "__HOOKS_*",
    "FAIRLEAD_*",
    "LC_ALL",
    "OPENSSL_*",
    "JDK_JAVA_OPTIONS",
    "DOTNET_*",
    "LUA_INIT*",
    "LESSOPEN",
    "LESSCLOSE",
)
"""Variables that change how programs run, or how this one does: a line of output may not set them."""


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
    narrowing = [entry for entry in allow or () if not entry.startswith("+")]
    widening = [entry[1:] for entry in allow or () if entry.startswith("+")]
    if any(fnmatchcase(name, entry) for entry in (*narrowing, *widening)):
        return True
    return not narrowing and not any(fnmatchcase(name, entry) for entry in PROTECTED)


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
            self.flow = self.flow.replace(terminate=True, exit_code=int(asked.value), result="exit")
        elif asked.kind == "route":
            self.flow = self.flow.replace(terminate=True, route=asked.value, result="route")
        elif asked.kind == "mode":
            self._change_mode(asked)
        elif not NAME.fullmatch(asked.name):
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
        self.flow = change.flow

    def _changed(self, asked: Directive) -> str:
        if asked.kind == "set":
            return asked.value
        now = self.variables.get(asked.name, self._environment.get(asked.name, ""))
        parts = [part for part in now.split(":") if part] if now else []
        if asked.kind == "append":
            return ":".join([*parts, asked.value])
        if asked.kind == "prepend":
            return ":".join([asked.value, *parts])
        return ":".join(part for part in parts if part != asked.value)

    def _warn(self, line: int, message: str) -> None:
        self.warnings.append(f"line {line}: {message}" if line else message)
