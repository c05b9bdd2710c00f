"""The installed distributions that Fairlead needs, with their files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata

from fairlead.doors.cli.installation.package_build import package_files
from fairlead.entry_points import installed
from fairlead.model.value import Value

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_OWN = "fairlead"


class Distribution(Value):
    """`files` are pairs of where a file is and what it is called below the folder of packages."""

    name: str
    version: str
    files: tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def needed_distributions() -> tuple[Distribution, ...]:
    """Fairlead's own metadata, plugins, and what they require without an extra, as far as it is here."""
    found: dict[str, Distribution] = {}
    waiting = [_OWN, *sorted({plugin.distribution for plugin in installed()})]
    while waiting:
        name = waiting.pop()
        if name.lower() in found:
            continue
        try:
            one = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system, or not needed: the trial of the environment would tell
        waiting += _required_by(one)
        files = _metadata_of(one) if name == _OWN else tuple(_files_of(one))
        found[name.lower()] = Distribution(name, one.version, files)
    return tuple(found[name] for name in sorted(found))


def _required_by(one: metadata.Distribution) -> Iterator[str]:
    for line in one.requires or ():
        name = _NAME.match(line)
        if name is not None and "extra" not in line.partition(";")[2]:
            yield name[0]


def _metadata_of(one: metadata.Distribution) -> tuple[tuple[str, str], ...]:
    """Its package is copied as a whole; an editable install has none among its files."""
    folder = _own_folder(one)
    kept = [(path, os.path.relpath(path, os.path.dirname(folder))) for path in package_files(folder)]
    return tuple(
        pair for pair in kept if os.path.basename(pair[0]) in ("METADATA", "WHEEL", "entry_points.txt")
    )


def _own_folder(one: metadata.Distribution) -> str:
    """The folder of its metadata. The base class knows it, and has no public name for it."""
    return str(getattr(one, "_path", ""))


def _files_of(one: metadata.Distribution) -> Iterator[tuple[str, str]]:
    """As recorded by whoever installed it; some systems drop the record, and then its packages by name."""
    top = os.path.dirname(_own_folder(one))
    if one.files is None:
        yield from _files_by_name(one, top)
        return
    for file in one.files:
        path = os.path.join(top, str(file))
        if ".." in file.parts or "__pycache__" in file.parts or file.suffix == ".pth":
            continue  # a line in a .pth leads to a folder that others write, or runs
        if os.path.isfile(path):
            yield path, str(file)


def _files_by_name(one: metadata.Distribution, top: str) -> Iterator[tuple[str, str]]:
    names = (one.read_text("top_level.txt") or one.metadata["Name"].replace("-", "_")).split()
    for name in (*names, os.path.basename(_own_folder(one))):
        place = os.path.join(top, name)
        for path in package_files(place) if os.path.isdir(place) else [f"{place}.py"]:
            if os.path.isfile(path):
                yield path, os.path.relpath(path, top)
