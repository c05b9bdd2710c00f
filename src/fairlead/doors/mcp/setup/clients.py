"""The table of clients, and where the files of each lie for one person on one machine."""

from __future__ import annotations

import glob
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, Literal

from fairlead.errors import UsageError
from fairlead.model.value import Value

Scope = Literal["user", "project"]
Evidence = Literal["tried", "source", "documented"]
_PLACE = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class Shape(Value):
    """The names of an entry's members. Without `args`, the command is the whole vector."""

    command: str = "command"
    args: str = "args"
    env: tuple[str, ...] = ("env",)
    urls: tuple[str, ...] = ("url",)
    env_file: str = ""


class Example(Value):
    before: str
    after: str


class McpClient(Value):
    """What is known about one client. `evidence` is how it is known."""

    id: str
    title: str
    evidence: Evidence
    user: tuple[str, ...]
    project: tuple[str, ...]
    servers: tuple[tuple[str, ...], ...]
    shape: Shape
    note: str
    examples: tuple[Example, ...]


class Site(Value):
    """Whose files. Clients find theirs by $HOME and by variables of their own, so we do too."""

    home: str
    project: str
    environment: Mapping[str, str]
    platform: str = sys.platform

    def path_of(self, pattern: str) -> str:
        """A path of the table, on this machine."""
        named = _PLACE.sub(self._place, pattern)
        return os.path.normpath(named.replace("~", self.home, 1) if named.startswith("~") else named)

    def _place(self, found: re.Match[str]) -> str:
        name, otherwise = found.groups()
        config = self.environment.get("XDG_CONFIG_HOME", "") or "~/.config"
        if name == "config":
            return config
        if name == "apps":
            return "~/Library/Application Support" if self.platform == "darwin" else config
        return self.environment.get(name, "") or str(otherwise)


class ServerFile(Value):
    """A file that is there and may hold servers."""

    client: McpClient
    scope: Scope
    path: str
    project: str


def known_clients() -> dict[str, McpClient]:
    text = files(__package__).joinpath("clients.toml").read_text(encoding="utf-8")
    return {id: _client(id, record) for id, record in tomllib.loads(text).items()}


def _client(id: str, record: Mapping[str, Any]) -> McpClient:
    shape: dict[str, Any] = {key: record[key] for key in ("command", "args", "env_file") if key in record}
    shape |= {key: tuple(record[key]) for key in ("env", "urls") if key in record}
    return McpClient(
        id,
        record["title"],
        record["evidence"],
        tuple(record.get("user", ())),
        tuple(record.get("project", ())),
        tuple(map(tuple, record["servers"])),
        Shape(**shape),
        record.get("note", ""),
        tuple(Example(each["before"], each["after"]) for each in record.get("examples", ())),
    )


def clients_named(names: Sequence[str]) -> list[McpClient]:
    """All of them where none is named."""
    known = known_clients()
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(known)}"
            raise UsageError(f"{name!r} is no client of MCP that Fairlead knows", hint=hint)
    return [known[name] for name in dict.fromkeys(names)] if names else list(known.values())


def files_of(clients: Sequence[McpClient], site: Site, scope: Scope) -> Iterator[ServerFile]:
    """Those that are there, each once: some clients share one."""
    seen: set[str] = set()
    for client in clients:
        for pattern in client.user if scope == "user" else client.project:
            for path in _matching(site, pattern, scope):
                if path not in seen and os.path.lexists(path):
                    seen.add(path)
                    yield ServerFile(client, scope, path, site.project)


def _matching(site: Site, pattern: str, scope: Scope) -> list[str]:
    if scope == "project":
        return [os.path.join(site.project, pattern)]
    path = site.path_of(pattern)
    if "*" not in pattern:
        return [path]
    before, after = path.split("*")
    return sorted(glob.glob(f"{glob.escape(before)}*{glob.escape(after)}"))
