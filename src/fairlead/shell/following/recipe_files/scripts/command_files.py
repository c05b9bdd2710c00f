"""Scripts for editors, debuggers, databases and tests that have commands of a shell in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fairlead.shell.following.editor_escapes import find_in_emacs, find_in_vim
from fairlead.shell.following.recipe_files.formats.structured_text import line_of
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.following.text_options import Found, escapes
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word

_MOST_COMMANDS = 50
_TEST = lazy(r"(?m)^([ \t]*)@test[ \t].*\{[ \t]*$")


def read_escapes(project: Project) -> Iterator[Step]:
    """`psql -f a.sql`, `gdb -x a.gdb`: lines that leave to a shell."""
    for file in project.named_files():
        yield from _steps(project, file, escapes()(project.words[:1], file.text))


def read_statements(project: Project) -> Iterator[Step]:
    """`psql -f a.sql`: what it tells the database, and lines that leave to a shell."""
    yield from read_escapes(project)
    for file in project.named_files():
        yield Step(file.text, f"{project.name} {file.path}", "sql", path=file.path, line=1)


def read_vim(project: Project) -> Iterator[Step]:
    """`vim -S a.vim`."""
    for file in project.named_files():
        yield from _steps(project, file, find_in_vim(project.words[:1], file.text))


def read_emacs(project: Project) -> Iterator[Step]:
    """`emacs --script a.el`."""
    for file in project.named_files():
        told = [project.words[0], Word("--eval"), Word(str(file.text))]
        yield from _steps(project, file, find_in_emacs(told, None))
        yield Step(file.text, f"{project.name} {file.path}", "elisp", path=file.path, line=1)


def _steps(project: Project, file: File, found: Found) -> Iterator[Step]:
    for how, text in islice(found, _MOST_COMMANDS):
        if isinstance(text, str):
            yield Step(text, how, folder=project.folder, path=file.path, line=line_of(file.text, text))


def read_bats(project: Project) -> Iterator[Step]:
    """Tests in the language of the shell, each in a block of its own."""
    named = [word.text for word in project.operands if word.known]
    files = [project.file(name) for name in named if name.endswith((".bats", ".sh"))]
    found = [file for name in named if not name.endswith(".bats") for file in _in_folder(project, name)]
    for file in (*files, *found):
        if file is not None:
            text = _TEST.sub(r"\1{", file.text)
            yield Step(text, f"bats {file.path}", folder=file.folder, path=file.path, line=1)


def _in_folder(project: Project, folder: str) -> Iterator[File]:
    return project.collected(folder, ("*.bats",))
