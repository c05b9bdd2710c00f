"""`go generate`: commands that stand in comments of the source."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step

_MARK = "//go:generate "
_MOST_FILES = 80
_MOST_FOLDERS = 60
_DEEPEST = 6


def read_go(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands if word.known]
    if words[:1] != ["generate"]:
        return
    count = 0
    for place in words[1:] or ["."]:
        paths = [place] if place.endswith(".go") else _sources(project, place)
        for path in paths:
            count += 1
            file = project.file(path) if count <= _MOST_FILES else None
            for number, line in (
                enumerate(file.text.split("\n"), 1) if file is not None and _MARK in file.text else ()
            ):
                if line.startswith(_MARK):
                    assert file is not None
                    text = line[len(_MARK) :].removeprefix("-command ")
                    yield Step(text, "go generate", folder=file.folder, path=file.path, line=number)


def _sources(project: Project, place: str) -> Iterator[str]:
    folder = place.removesuffix("...").rstrip("/") or "."
    waiting, looked = [(folder, 0)], 0
    while waiting and looked < _MOST_FOLDERS:
        folder, depth = waiting.pop(0)
        looked += 1
        for name in project.names(folder):
            if name.endswith(".go"):
                yield f"{folder}/{name}"
            elif (
                place.endswith("...")
                and "." not in name
                and name not in ("vendor", "node_modules", "testdata")
            ):
                waiting += [(f"{folder}/{name}", depth + 1)] if depth < _DEEPEST else []
