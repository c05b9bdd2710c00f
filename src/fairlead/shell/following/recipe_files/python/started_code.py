"""Programs that start code of the project which a word names: `streamlit run a.py`, `uvicorn a:app`."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.any_files import language_of
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_MODULE = lazy(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,8})(?::[A-Za-z_][\w.]*(?:\(\))?)?")
_NAMING = ("-A", "--app", "-m", "--module")
_MOST = 20
"""Words among which the code is named."""


def read_file_given(project: Project) -> Iterator[Step]:
    """The first word that names a file of code; what follows is the code's own."""
    for word in project.words[1:_MOST]:
        name = word.text.partition("=")[2] if word.text.startswith("--") else word.text
        language = language_of(name) if word.known else ""
        file = project.file(name) if language else None
        if file is not None:
            yield _step(project, file, language)
            return


def read_application(project: Project) -> Iterator[Step]:
    """The module of an application, with or without what it is called there."""
    texts = [word.text if word.known else "" for word in project.words[1:_MOST]]
    for before, text in zip(["", *texts], texts, strict=False):
        option, equals, value = text.partition("=")
        named = value if equals and option in _NAMING else text
        if ":" not in named and before not in _NAMING and not equals and text != texts[-1]:
            continue
        file = _module(project, named)
        if file is not None:
            yield _step(project, file, "python")
            return


def _module(project: Project, named: str) -> File | None:
    match = _MODULE.fullmatch(named.removesuffix(".py"))
    if match is None:
        return None
    path = match[1].replace(".", "/")
    return project.file(f"{path}.py") or project.file(f"{path}/__init__.py")


def _step(project: Project, file: File, language: str) -> Step:
    return Step(file.text, project.name, language, project.folder, path=file.path, line=1)
