"""Programs that start another one of the project's: `npx tsc`, `uv run pytest`."""

from __future__ import annotations

import os

from fairlead.packs.approval.pattern import Pattern
from fairlead.packs.project_files.owners import Bounds, is_installed
from fairlead.sessions.memory import Memory
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Wrapper

_ADD_NOTHING = frozenset(("timeout", "nice", "time"))
_OF_NODE = frozenset(("npx", "pnpm", "bunx", "yarn"))
_INSTALLED = "node_modules/.bin"


def wrapper_obstacle(
    wrapper: Wrapper, command: Command, pattern: Pattern | None, where: Surroundings, memory: Memory
) -> str:
    """Why a command that runs through it is more than the command; empty where it is not."""
    words = [word.text for word in wrapper.argv]
    plain = not wrapper.place and all(word.known and not word.glob for word in wrapper.argv)
    if plain and words[0] in _ADD_NOTHING and (words[0] != "time" or len(words) == 1):
        return ""
    if not plain or pattern is None or " ".join(words) not in pattern.through:
        return f"it runs through `{wrapper.name}`"
    if words[0] in _OF_NODE:
        return _uninstalled(command, where, memory)
    return ""


def is_installed_tool(path: str, where: Surroundings) -> bool:
    """A file in a folder of packages, which does not lead to one of the project's own."""
    bounds = Bounds(where.project, where.home)
    real = os.path.realpath(path)
    return is_installed(path, bounds) and (
        is_installed(real, bounds) or not real.startswith(f"{where.root}/")
    )


def _uninstalled(command: Command, where: Surroundings, memory: Memory) -> str:
    """A program that is not there would be fetched, and one that this session put there is its own."""
    root = where.root
    folder = command.cwd or root
    while folder == root or folder.startswith(f"{root}/"):
        path = f"{folder}/{_INSTALLED}/{command.name}"
        if os.path.lexists(path):
            real = os.path.realpath(path)
            own = memory.wrote(path) or memory.wrote(real) or memory.fetched(real)
            return "" if is_installed_tool(path, where) and not own else f"{path} is not what was installed"
        folder = os.path.dirname(folder)
    return f"`{command.name}` is not installed in {_INSTALLED}, and would be fetched"
