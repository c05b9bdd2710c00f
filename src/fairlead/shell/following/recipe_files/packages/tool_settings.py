"""Code that tools load: their settings, and the tests that are named."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.any_files import language_of
from fairlead.shell.following.recipe_files.formats.structured_text import json_value, line_of, table, text_of
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step

_MOST_FILES = 20
_TESTS = ("*.test.*", "*.spec.*", "*-test.*", "*_test.*", "*_spec.rb", "test.*", "test-*")
_IN_FOLDERS = ("test", "tests", "spec", "__tests__")
"""Folders all of whose files are tests to some runners."""


def read_settings(project: Project) -> Iterator[Step]:
    """The settings of a tool, where they are code."""
    file = project.recipe(above=True)
    if file is not None:
        yield from _code(project, file)


def read_settings_and_tests(project: Project) -> Iterator[Step]:
    """And the files that it is told to run, or finds."""
    yield from read_settings(project)
    yield from read_tests(project)


def read_tests(project: Project) -> Iterator[Step]:
    named = [word.text.split(":")[0] for word in project.operands if word.known]
    for path in [path for path in named if language_of(path)][:_MOST_FILES]:
        file = project.file(path)
        if file is not None:
            yield from _code(project, file)
    if not any(map(language_of, named)):
        yield from _found_tests(project)


def _found_tests(project: Project) -> Iterator[Step]:
    seen: set[str] = set()
    places = [("", _TESTS), *((folder, ("*",)) for folder in _IN_FOLDERS)]
    for file in (file for folder, names in places for file in project.collected(folder, names)):
        if file.path not in seen:
            seen.add(file.path)
            yield from _code(project, file)


def read_node_tests(project: Project) -> Iterator[Step]:
    """`node --test`."""
    if project.given.has("--test"):
        yield from read_tests(project)


def _code(project: Project, file: File) -> Iterator[Step]:
    name = file.path.rsplit("/", 1)[-1]
    language = language_of(name)
    if language:
        yield Step(file.text, f"{project.name} {name}", language, project.folder, path=file.path, line=1)


def read_nodemon(project: Project) -> Iterator[Step]:
    """Its settings name the command that it runs again and again, and others for its events."""
    for name in project.loads.recipes:
        file = project.file(name)
        value = json_value(file.text) if file is not None else None
        settings = table(value, "nodemonConfig") if name == "package.json" else table(value)
        for text in (text_of(settings.get("exec")), *map(text_of, table(settings, "events").values())):
            if text and file is not None:
                yield Step(text, "nodemon", folder=file.folder, path=file.path, line=line_of(file.text, text))
