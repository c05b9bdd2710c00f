"""One element of something: of a list, a mapping, a text, a table of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.libraries.keepers import LABELS, labelled
from fairlead.shell.effects.code.python.running.shown_content import without_values
from fairlead.shell.effects.code.python.running.surrounding_values import variable
from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Thing, any_of

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

DIVIDED = (".split", ".partition", ".items")
"""Methods after which the first part is a name, and the other a value."""


def element(owner: Thing, key: Thing, run: Run) -> Thing:
    """`words[0]`, `settings["path"]`, `os.environ["HOME"]`, `globals()["os"]`, `parents[1]`."""
    if owner.ways:
        return any_of(element(way.replace(ways=()), key, run) for way in owner.ways)
    if owner.items is not None:
        if key.number is not None and -len(owner.items) <= key.number < len(owner.items):
            return owner.items[key.number]
        return any_of(owner.items)
    if owner.fields is not None:
        found = [owner.fields[each] for each in key.texts if each in owner.fields]
        return any_of(found or owner.fields.values()) if key.texts == () or found else UNKNOWN
    if owner.name == "os.environ":
        return variable(key, run)
    if owner.name.endswith(".parents") and owner.texts:
        steps = min(max(key.number or 0, 0), 16) + 1
        return owner.replace(texts=tuple(_up(each, steps) for each in owner.texts), name="pathlib.Path")
    if key.texts and (looked := _looked_up(owner.name, key.texts[0])):
        return run.scope.find(looked) or Thing(name=looked)
    if owner.name == "plumbum.local" and key.texts:
        return Thing(name=f"{owner.name}.{key.texts[0]}")
    if key.number == 0 and owner.name.endswith(DIVIDED):
        return without_values(Thing(name=owner.name, origins=owner.origins))
    origins = labelled(owner).origins if key.texts and key.texts[0] in LABELS else owner.origins
    if owner.texts and key.number is not None and not owner.name:
        return Thing(tuple(each[key.number] for each in owner.texts if -len(each) <= key.number < len(each)))
    return Thing(name=owner.name, origins=origins, peers=owner.peers)


def _up(path: str, steps: int) -> str:
    for _ in range(steps):
        path = path.rpartition("/")[0]
    return path or "/"


_TABLES = (
    "globals",
    "locals",
    "vars",
    "sys.modules",
    "__builtins__",
    "builtins.__dict__",
    "__builtins__.__dict__",
)


def _looked_up(table: str, name: str) -> str:
    """`os.__dict__['system']` is `os.system`, `sys.modules['os']` is `os`."""
    if table in _TABLES:
        return name
    if table.endswith("__globals__") and name in ("system", "popen", "spawnl", "execl"):
        return f"os.{name}"
    return f"{table.removesuffix('.__dict__')}.{name}" if table.endswith(".__dict__") else ""
