"""Loads middleware files: from the bytes that were given, with the modules beside them.

Python's own import would read compiled files that lie beside a source, so a trusted source could run as
something else. Here the files of a middleware's folder are always compiled from what they say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from fairlead import middleware_base

Process = Callable[..., Any]
Signature = tuple[int, int, int, int]


class Disk:
    """Modules as they lie there."""

    def has(self, file: str) -> bool:
        return os.path.isfile(file)

    def read(self, file: str) -> bytes:
        with open(file, "rb") as opened:
            return opened.read()

    def signature(self, file: str) -> Signature | None:
        try:
            info = os.stat(file)
        except OSError:
            return None
        return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino


class Pinned:
    """Modules as they were trusted: what lies there by now does not matter."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def has(self, file: str) -> bool:
        return file in self._files

    def read(self, file: str) -> bytes:
        return self._files[file]

    def signature(self, file: str) -> Signature | None:
        return None


Modules = Disk | Pinned


class MiddlewareFiles:
    """The `process` functions of the files, loaded again when their bytes or a module beside them changed."""

    def __init__(self) -> None:
        self._modules: Modules = Disk()
        self._sources: dict[str, bytes] = {}
        self._functions: dict[str, Process] = {}
        self._folders: dict[str, _Folder] = {}
        self._entered: _Folder | None = None

    def use(self, modules: Modules) -> None:
        """From now on these are the modules beside the files; nothing of the old ones is kept."""
        if self._entered is not None:
            self._entered.leave()
        self._modules, self._entered = modules, None
        self._functions.clear()
        self._folders.clear()

    def function(self, path: str, source: bytes | None) -> Process:
        """`process` of the file at `path`; `source` is given when it differs from the last one given."""
        folder = self._enter(os.path.dirname(path))
        if source is not None:
            self._sources[path] = source
            self._functions.pop(path, None)
        if folder.changed():
            folder.forget()
            self._functions = {
                known: function
                for known, function in self._functions.items()
                if os.path.dirname(known) != folder.path
            }
        if path not in self._functions:
            self._functions[path] = _loaded(path, self._sources[path])
        return self._functions[path]

    def _enter(self, path: str) -> _Folder:
        """Makes the folder's modules, and no other folder's, importable."""
        folder = self._folders.setdefault(path, _Folder(path, self._modules))
        if folder is not self._entered:
            if self._entered is not None:
                self._entered.leave()
            folder.enter()
            self._entered = folder
        return folder


def _loaded(path: str, source: bytes) -> Process:
    name = f"middleware_file_{abs(hash(path))}"
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - its purpose
    except BaseException:
        del sys.modules[name]
        raise
    process: Process | None = getattr(module, "process", None)
    if not callable(process):
        raise TypeError("the file has no function process(hook_input, config, previous_results)")
    return process


class _Folder:
    """A finder for the modules beside a middleware. They shadow nothing of Python's own library."""

    def __init__(self, path: str, files: Modules) -> None:
        self.path = path
        self._files = files
        self._modules: dict[str, ModuleType] = {}
        self._seen: dict[str, Signature | None] = {}

    def enter(self) -> None:
        sys.meta_path.insert(0, self)
        sys.modules.update(self._modules)
        if self._located("middleware_base", [self.path]) is None:
            sys.modules["middleware_base"] = middleware_base

    def leave(self) -> None:
        sys.meta_path.remove(self)
        self._modules = self._own_modules()
        for name in self._modules:
            del sys.modules[name]
        sys.modules.pop("middleware_base", None)

    def forget(self) -> None:
        """Drops what was imported from here, so that it is read again."""
        self.leave()
        self._modules.clear()
        self._seen.clear()
        self.enter()

    def changed(self) -> bool:
        return any(self._files.signature(file) != signature for file, signature in self._seen.items())

    def _own_modules(self) -> dict[str, ModuleType]:
        return {
            name: module
            for name, module in list(sys.modules.items())
            if getattr(getattr(module, "__spec__", None), "origin", None) in self._seen
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None
        places = [self.path] if path is None else [place for place in path if self._holds(place)]
        file = self._located(name.rpartition(".")[2], places)
        if file is None:
            return None
        self._seen[file] = self._files.signature(file)
        spec = ModuleSpec(name, _Fresh(name, file, self._files), origin=file)
        spec.has_location = True
        if os.path.basename(file) == "__init__.py":
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def _holds(self, place: str) -> bool:
        return place == self.path or place.startswith(self.path + os.sep)

    def _located(self, name: str, places: Sequence[str]) -> str | None:
        for place in places:
            for file in (os.path.join(place, name, "__init__.py"), os.path.join(place, f"{name}.py")):
                if self._files.has(file):
                    return file
        return None


class _Fresh(SourceFileLoader):
    """Compiles the source, whatever compiled files there are."""

    def __init__(self, name: str, file: str, files: Modules) -> None:
        super().__init__(name, file)
        self._files = files

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self._files.read(self.path), self.path)
        return code
