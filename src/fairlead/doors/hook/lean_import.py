"""Loads the modules of this package without looking for them.

A call without a daemon loads some three hundred modules, and the ordinary way spends a quarter of that time
on the question where each is: it asks every folder of the path, and whether a folder has changed. Where ours
are is known. What is not as expected, such as a source that is newer than what was compiled of it, is left
to the ordinary way.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_COMPILED = f".{sys.implementation.cache_tag}.pyc"
_HEAD = 16
"""Bytes before the code: which Python made it, how it is checked, and what it was made of."""
_BY_TIME = MAGIC_NUMBER + bytes(4)


def import_leanly(package: str, folder: str) -> None:
    """From now on, in this process, for the modules of a package that lies in a folder."""
    if sys.flags.optimize or sys.pycache_prefix is not None:
        return  # what was compiled lies somewhere else
    sys.meta_path.insert(0, LeanFinder(package, folder))


class LeanFinder:
    def __init__(self, package: str, folder: str) -> None:
        self._beginning = f"{package}."
        self._folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith(self._beginning):
            return None
        place = f"{self._folder}/{name[len(self._beginning) :].replace('.', '/')}"
        module = _found(name, place) or _found(name, f"{place}/__init__")
        if module is None:
            return None
        spec = ModuleSpec(name, module, origin=module.path, is_package=module.path.endswith("/__init__.py"))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
        spec.has_location = True
        spec.cached = module.compiled
        return spec


def _found(name: str, place: str) -> _Module | None:
    source = f"{place}.py"
    try:
        status = os.stat(source)
    except OSError:
        return None
    folder, _, stem = place.rpartition("/")
    return _Module(name, source, status, f"{folder}/__pycache__/{stem}{_COMPILED}")


class _Module(SourceFileLoader):
    def __init__(self, name: str, path: str, status: os.stat_result, compiled: str) -> None:
        super().__init__(name, path)
        self._status, self.compiled = status, compiled

    def get_code(self, name: str) -> CodeType | None:
        """What was compiled, if it is of the source as it is; else the ordinary way compiles it."""
        try:
            with open(self.compiled, "rb", buffering=0) as file:
                content = file.read()
        except OSError:
            return super().get_code(name)
        seconds, size = int(self._status.st_mtime), self._status.st_size
        made_of = (seconds & 0xFFFFFFFF).to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
        if content[:_HEAD] != _BY_TIME + made_of:
            return super().get_code(name)
        code: CodeType = loads(memoryview(content)[_HEAD:])  # noqa: S302 - as Python does with its own
        return code
