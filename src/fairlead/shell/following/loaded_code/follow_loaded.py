"""Follows code to the files of the project that it takes in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from fairlead.shell.expansion.reading import Reading
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.following.loaded_code.loaded_names import loaded_paths, loads_files, path_folders
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Code, Origin

_MOST, _DEEPEST = 40, 6
_LONGEST = 65536
"""Characters of code that can be read."""


class _Loading:
    """Code with the folders in which it looks for others; the first is its own."""

    __slots__ = ("code", "depth", "folders", "text")

    def __init__(self, code: Code, text: str, folders: tuple[str, ...], depth: int) -> None:
        self.code = code
        self.text = text
        self.folders = folders
        self.depth = depth


def follow_loaded(run: Reading) -> None:
    """Adds the code of the files that the code of a reading takes in, and of those that these take in."""
    first = [_first(code) for code in run.code if _may_load(code)]
    found = list(islice(_loaded(run, first), _MOST)) if first else []
    modules = [code for code in found if code.language == "python"]
    if modules:
        from fairlead.shell.following.loaded_code.imported_modules import imported_parts

        parts = iter(imported_parts([each.text for each in modules], [loading.text for loading in first]))
        found = [code.replace(text=next(parts)) if code.language == "python" else code for code in found]
    run.code += found


def _loaded(run: Reading, waiting: list[_Loading]) -> Iterator[Code]:
    seen = {code.text.path for code in run.code if isinstance(code.text, FileText)}
    listed: dict[str, frozenset[str]] = {}
    waiting = [*waiting]
    for loading in waiting:  # the list grows
        for path, place in loaded_paths(loading.code.language, loading.text, loading.folders):
            if path in seen or not _may_be_there(run, path, loading.folders, listed):
                continue
            seen.add(path)
            written = run.written.get(path)
            text = written if isinstance(written, str) else run.sources.text(path, searched=True)
            if text is None or len(text) > _LONGEST:
                continue
            code = _taken_in(run, text, loading, place)
            yield code
            if loading.depth < _DEEPEST and loads_files(text):
                folders = tuple(dict.fromkeys((_folder(path), *loading.folders)))
                waiting.append(_Loading(code, text, folders, loading.depth + 1))


def _may_load(code: Code) -> bool:
    """Where it runs on this machine, in a known place."""
    command = code.command
    if code.opaque is not None or command.cwd is None or len(code.text) > _LONGEST:
        return False
    return loads_files(code.text) and not any(wrapper.place for wrapper in command.wrappers)


def _first(code: Code) -> _Loading:
    own = [_folder(code.text.path)] if isinstance(code.text, FileText) else []
    told = code.command.assignments.get("PYTHONPATH") if code.language == "python" else None
    more = told.text.split(":")[:20] if told is not None and told.known else []
    more += path_folders(code.text) if code.language == "python" else []
    around = [*own, code.command.cwd or "/"]
    below = [absolute(folder, base) or base for folder in more for base in around]
    return _Loading(code, code.text, tuple(dict.fromkeys((*around, *below))), 1)


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _may_be_there(run: Reading, path: str, folders: Iterable[str], listed: dict[str, frozenset[str]]) -> bool:
    """Most of what code takes in is no file of the project: the names in a folder tell that at one look."""
    if run.list_folder is None or path in run.written:
        return True
    for folder in folders:
        start = folder.rstrip("/") + "/"
        if path.startswith(start):
            if folder not in listed:
                listed[folder] = frozenset(run.list_folder(folder))
            if path[len(start) :].partition("/")[0] not in listed[folder]:
                return False
    return True


def _taken_in(run: Reading, text: str, loading: _Loading, place: int) -> Code:
    outer = loading.code
    by = outer.origin
    if not isinstance(text, FileText):  # the line itself wrote it
        return Code(outer.language, text, outer.command, None, by)
    if by is not None and _is_whole(outer):
        by = by.replace(line=1 + loading.text.count("\n", 0, place))
    run.sources.note_loaded(text.path, outer.language, by)
    return Code(outer.language, text, outer.command, None, Origin(text.path, 1, by))


def _is_whole(code: Code) -> bool:
    """Whether its lines are those of the file in which it stands."""
    return isinstance(code.text, FileText)
