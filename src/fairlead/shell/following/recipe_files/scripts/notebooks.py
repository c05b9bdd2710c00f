"""Notebooks that are executed: the cells with code."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.formats.structured_text import (
    field,
    json_value,
    line_of,
    tables_of,
    text_of,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_MOST_CELLS = 200
_SHELL_CELL = lazy(r"\s*%%(?:bash|sh|script\s+(?:ba)?sh)\b.*\n")
_SHELL_LINE = lazy(r"(?m)^[ \t]*(?:!|%(?:sx|system)[ \t])[ \t]*(.+)$")
_MAGIC = lazy(r"(?m)^[ \t]*[!%].*$")


def read_notebooks(project: Project) -> Iterator[Step]:
    """`jupyter nbconvert --execute a.ipynb`, `papermill a.ipynb out.ipynb`."""
    for word in project.operands:
        file = project.file(word.text) if word.known and word.text.endswith(".ipynb") else None
        if file is not None:
            yield from _cells(project, file)


def _cells(project: Project, file: File) -> Iterator[Step]:
    via = f"{project.name} {file.path.rsplit('/', 1)[-1]}"
    for cell in tables_of(field(json_value(file.text), "cells"))[:_MOST_CELLS]:
        source = cell.get("source")
        text = "".join(map(text_of, source)) if isinstance(source, list) else text_of(source)
        if cell.get("cell_type") != "code" or not text:
            continue
        line = line_of(file.text, text.split("\n")[0].replace('"', '\\"'))
        shell = _SHELL_CELL.match(text)
        if shell:
            yield Step(text[shell.end() :], via, folder=file.folder, path=file.path, line=line)
            continue
        for command in _SHELL_LINE.findall(text):
            yield Step(command, via, folder=file.folder, path=file.path, line=line)
        yield Step(_MAGIC.sub("pass", text), via, "python", file.folder, path=file.path, line=line)
