"""Programs that start, watch, trace or serve a script that they are given."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.any_files import language_of
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word

_SHELL = (".sh", ".bash", ".zsh")
_MODULE = lazy(r"[A-Za-z_][\w.]*(?::[\w.()]+)?")


def read_started(project: Project) -> Iterator[Step]:
    """The first operand that is a script: what follows is given to it."""
    words = [word for name in project.loads.recipe_options for word in project.given.values.get(name, ())]
    for word in (*words, *project.operands):
        if word.known and (language_of(word.text) or word.text.endswith(_SHELL)):
            yield from _steps(project, project.file(word.text))
            return


def read_served(project: Project) -> Iterator[Step]:
    """`uvicorn app.main:app`, `flask --app wsgi run`: a module of the project."""
    words = [word for name in project.loads.recipe_options for word in project.given.values.get(name, ())]
    words += [word for word in project.operands if ":" in word.text]
    for word in words:
        if word.known and _MODULE.fullmatch(word.text):
            yield from _steps(project, _module(project, word))
        elif word.known and word.text.endswith(".py"):
            yield from _steps(project, project.file(word.text))


def _module(project: Project, word: Word) -> File | None:
    path = word.text.partition(":")[0].replace(".", "/")
    return project.file(f"{path}.py") or project.file(f"{path}/__init__.py")


def _steps(project: Project, file: File | None) -> Iterator[Step]:
    if file is None:
        return
    via = f"{project.name} {file.path.rsplit('/', 1)[-1]}"
    if file.path.endswith(_SHELL):
        yield Step(f"bash {quote(file.path)}", via, folder=project.folder)
    else:
        yield Step(file.text, via, language_of(file.path), project.folder, path=file.path, line=1)
