"""`go generate`: commands that stand in comments of the source; `go run` and `go test`: the source itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.script import COMPILED

_MARK = "//go:generate "
_MOST_FILES = 80
_MOST_RUN = 20
_MOST_FOLDERS = 60
_DEEPEST = 6


def read_go(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands if word.known]
    if words[:1] == ["run"]:
        yield from _run(project, words[1] if len(words) > 1 else ".")
    elif words[:1] in (["build"], ["install"], ["test"]):
        for source in project.collected("", ("*.go",)):
            yield Step(source.text, f"go {words[0]}", COMPILED, path=source.path, line=1)
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


def _run(project: Project, place: str) -> Iterator[Step]:
    """A package of the project; a file by its name is read as any script is."""
    if place.endswith(".go") or "@" in place or not place.startswith("."):
        return
    paths = (path for path in _sources(project, place) if not path.endswith("_test.go"))
    for path in islice(paths, _MOST_RUN):
        file = project.file(path)
        if file is not None:
            yield _code(file, "go run")


def _code(file: File, via: str) -> Step:
    return Step(file.text, via, "any", path=file.path, line=1)


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
