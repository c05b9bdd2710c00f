"""Finds out where this guard lives: its folders, the Python that runs it, and the one that its client starts.

Found by looking, once for each system, and never by running anything: the recorded interpreter need not be
the one that runs here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from fairlead.errors import FairleadError
from fairlead.model.installation import Environment, Installation
from fairlead.model.value import Value
from fairlead.policy.places import Places, find_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Thing = TypeVar("Thing")
_LONGEST_RECORD = 64 * 1024
_MOST_FOLDERS = 2000
_PACKAGES = ("site-packages", "dist-packages")
_CUSTOMIZED = ("sitecustomize.py", "sitecustomize", "usercustomize.py", "usercustomize")
"""What every Python imports when it starts, from wherever on its path it is found first."""


class _Ground(Value):
    """What one interpreter stands on."""

    environment: Environment
    kept: tuple[str, ...]
    free: tuple[str, ...] = ()


def find_installation(
    places: Places, settings: Sequence[str] = (), servers: Sequence[str] = ()
) -> Installation:
    """`settings` are the files of agents that `install` wrote to, `servers` those of MCP clients."""
    both = (places, *_default_places())
    grounds = [_ground_of(interpreter, both) for interpreter in _interpreters(both)]
    folders = (
        folder
        for each in both
        for folder in (each.config, each.state, each.share, each.system, each.system_fleet)
    )
    runs = _with_links_followed(each.run for each in both)
    linked = (link for each in both for root in (each.config, each.system) for link in _links_in(root))
    kept = _with_links_followed(
        (*folders, *linked, *_own_code(), *(path for ground in grounds for path in ground.kept))
    )
    free = _with_links_followed(path for ground in grounds for path in ground.free)
    return Installation(
        kept=_unique((*kept, *runs)),
        free=tuple(path for path in free if path not in kept),
        passing=runs,
        environments=_unique(form for ground in grounds for form in _forms(ground.environment)),
        settings=_with_links_followed(map(os.path.normpath, settings)),
        servers=_with_links_followed(map(os.path.normpath, servers)),
        named=_named(both),
    )


def _links_in(root: str) -> Iterator[str]:
    """Links of a policy folder: what they lead to, as into a repository of settings, is read as if it stood
    there. One that leads to where the folder itself lies would make everything the guard's."""
    trees = [os.path.realpath(f"{root}/{name}") for name in ("hooks", "programs")]
    walks = (islice(os.walk(tree), _MOST_FOLDERS) for tree in trees)
    found = [root, *(folder for walk in walks for folder, _, _ in walk)]
    for folder in found:
        for path in _links_of(folder):
            if not os.path.realpath(root).startswith(os.path.realpath(path).rstrip("/") + "/"):
                yield path


def _links_of(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return []  # the policy's own reading tells of it


def _named(both: Iterable[Places]) -> tuple[str, ...]:
    """Folders that a text cannot name without being noticed; those with our own name in them are anyway."""
    found = _with_links_followed(path for each in both for path in (each.config, each.state, each.share))
    return tuple(path for path in found if "fairlead" not in path)


def _default_places() -> Iterable[Places]:
    """Those of the user: another home does not make them anybody's."""
    try:
        return (find_places(),)
    except FairleadError:
        return ()  # a user without a home has none


def _interpreters(both: Iterable[Places]) -> tuple[str, ...]:
    recorded = (_settings_in(each.client_record, "interpreter") for each in both)
    return _unique(path for path in (sys.executable, *recorded) if path and os.path.isabs(path))


def _ground_of(interpreter: str, both: Iterable[Places]) -> _Ground:
    """In a virtual environment: its packages, and the library of the Python that it was made from."""
    programs = os.path.dirname(interpreter)
    prefix = os.path.dirname(programs)
    marker = f"{prefix}/pyvenv.cfg"
    home = _settings_in(marker, "home")
    real = os.path.realpath(interpreter)
    started = (interpreter, real, *_spellings(programs, real))
    if not home:
        base = os.path.dirname(os.path.dirname(real))
        library = (*_libraries(base, real),)
        packages = (f"{folder}/{name}" for folder in library for name in _PACKAGES)
        kept = (*started, *library, *packages, *_shared_libraries(base, real))
        return _Ground(Environment(base, programs), kept)
    base = os.path.dirname(home)
    library = (*_libraries(base, real),)
    own = os.path.basename(prefix) == "fairlead" or any(_is_below(prefix, each.share) for each in both)
    packages = (f"{folder}/{name}" for folder in _libraries(prefix, real) for name in _PACKAGES)
    inside = (prefix,) if own else (marker, *packages)
    kept = (*started, *_spellings(home, real), *inside, *library, *_shared_libraries(base, real))
    free = (f"{folder}/{name}" for folder in library for name in _PACKAGES)
    return _Ground(Environment(prefix, programs, own), kept, tuple(free))


def _forms(environment: Environment) -> Iterator[Environment]:
    yield environment
    prefix, programs = map(os.path.realpath, (environment.prefix, environment.programs))
    yield environment.replace(prefix=prefix, programs=programs)


def _spellings(programs: str, real: str) -> Iterator[str]:
    """The names under which one interpreter is started, links to each other as a rule."""
    for name in {"python", "python3", os.path.basename(real)}:
        path = f"{programs}/{name}"
        if os.path.lexists(path):
            yield path


def _libraries(prefix: str, real: str) -> Iterator[str]:
    """`lib/python3.12`; those of all versions, where the interpreter does not say which it is."""
    version = os.path.basename(real)
    for folder in (f"{prefix}/lib", f"{prefix}/lib64"):
        named = f"{folder}/{version}"
        if version.startswith("python3."):
            yield from filter(os.path.isdir, (named,))
        elif os.path.isdir(folder):
            yield from (f"{folder}/{name}" for name in os.listdir(folder) if name.startswith("python3."))


def _shared_libraries(prefix: str, real: str) -> Iterator[str]:
    """What the interpreter itself is made of, where it is not all in one file."""
    name = f"{prefix}/lib/lib{os.path.basename(real)}.so"
    yield from filter(os.path.lexists, (name, f"{name}.1.0"))


def _own_code() -> Iterator[str]:
    """What is imported in this very process: our own code where an editable install has it, the standard
    library, the packages; and what would be imported at the start from folders that are others'."""
    standard = os.path.dirname(os.__file__)
    yield os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield standard
    behind = sys.path.index(standard) + 1 if standard in sys.path else len(sys.path)
    for folder in sys.path[behind:]:
        if os.path.basename(folder) in (*_PACKAGES, "lib-dynload"):
            yield folder
        elif os.path.isdir(folder):
            yield from (f"{folder}/{name}" for name in _CUSTOMIZED)


def _settings_in(path: str, key: str) -> str:
    """The value of a key in a file of `key = value` lines; empty where there is none."""
    try:
        with open(path, "rb") as file:
            lines = file.read(_LONGEST_RECORD).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        name, given, value = line.partition("=")
        if given and name.strip() == key:
            return value.strip()
    return ""


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def _with_links_followed(paths: Iterable[str]) -> tuple[str, ...]:
    known: dict[str, str] = {"/": "/"}
    return _unique(form for path in paths for form in (path, _real(path, known)))


def _real(path: str, known: dict[str, str]) -> str:
    """As `realpath` says it, with one look at each folder that several lie in."""
    found = known.get(path)
    if found is None:
        parent, _, name = path.rpartition("/")
        found = os.path.join(_real(parent or "/", known), name)
        found = known[path] = os.path.realpath(found) if os.path.islink(found) else found
    return found


def _unique(things: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(things))
