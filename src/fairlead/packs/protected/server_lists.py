"""Lists of MCP servers: which of a project's an agent may propose to change, and which change takes a door away.

A project's list is part of its work, so a person is asked about a change; what stands in it starts programs,
so nobody is passed over. An entry with the door before it is the guard's own: it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.errors import SettingsError
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import beginning_of

_OF_PROJECT = lazy(
    r"/(?:\.mcp\.json|\.github/mcp\.json|\.air/mcp\.json|\.vscode/mcp\.json|\.cursor/mcp\.json|\.roo/mcp\.json"
    r"|\.kiro/settings/mcp\.json|\.junie/mcp/mcp\.json)$"
)
"""Files with nothing in them but servers."""
_DOOR = lazy(r"[\"'/]fairlead[\"'](?s:.){0,400}[\"']mcp[\"']")
_LONGEST = 1 << 20
_WHOLE = "tool-write"
"""A file tool that gives the whole content."""


def is_projects_list(path: str, where: Surroundings) -> bool:
    """One of the project that is worked on; in a home it is the person's own."""
    root = where.root.rstrip("/")
    return root != where.home and path.startswith(f"{root}/") and bool(_OF_PROJECT.search(path))


def loses_a_door(path: str, effect: Effect, scene: Scene) -> bool:
    """Whether a server that has the door before it may have none, or another one, after this."""
    before = beginning_of(path, _LONGEST)
    if not _DOOR.search(before):
        return False
    if effect.action is not Action.OVERWRITE or effect.name != _WHOLE:
        return True
    return not _doors(before) <= _doors(scene.content)


Door = tuple[tuple[str, ...], str]


def _doors(text: str) -> frozenset[Door]:
    """Each entry with a door, and all that it says; of what cannot be read, all of it."""
    from fairlead.settings.formats.json_text import parse  # only for a file with a door in it

    try:
        return frozenset(_found(parse(text).value, ()))
    except SettingsError:
        return frozenset({((), text)})


def _found(value: object, way: tuple[str, ...]) -> Iterator[Door]:
    if not isinstance(value, dict):
        return
    if _starts_the_door(value.get("command")):
        yield way, repr(sorted(value.items(), key=lambda item: str(item[0])))
        return
    for key, inner in value.items():
        yield from _found(inner, (*way, str(key)))


def _starts_the_door(command: object) -> bool:
    program = command[0] if isinstance(command, list) and command else command
    return isinstance(program, str) and program.rpartition("/")[2] == "fairlead"
