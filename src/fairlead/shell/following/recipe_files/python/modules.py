"""`python -m pytest` is `pytest`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.python.loaded_tests import read_unittest
from fairlead.shell.following.recipe_files.python.package_builds import read_builds
from fairlead.shell.following.recipe_files.readers import RecipeReader, steps_of
from fairlead.shell.following.recipe_files.scripts.started_programs import read_started
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.script import Word

_PROGRAMS: Mapping[str, str] = MappingProxyType({"pre_commit": "pre-commit", "poethepoet": "poe"})
"""Modules whose program is called otherwise."""
_FEW = 10
"""Words among which the name of a module stands."""


_MODULES: Mapping[str, RecipeReader] = MappingProxyType(
    {
        "unittest": read_unittest,
        "build": read_builds,
        **dict.fromkeys(("pdb", "cProfile", "profile", "trace", "debugpy", "viztracer"), read_started),
        **dict.fromkeys(("scalene", "memory_profiler", "kernprof", "ipdb", "pudb"), read_started),
    }
)
"""Those that are no programs."""


def read_module(project: Project) -> Iterator[Step]:
    for place, word in enumerate(project.words[1:_FEW], 1):
        if word.text.startswith("-m"):
            joined, rest = word.text[2:], project.words[place + 1 :]
            module, arguments = (Word(joined), rest) if joined else (rest[0] if rest else Word(""), rest[1:])
            yield from _steps(project, module, arguments)
            return
        if not word.text.startswith("-"):
            return


def _steps(project: Project, module: Word, arguments: list[Word]) -> Iterator[Step]:
    name = _PROGRAMS.get(module.text, module.text)
    if name:
        inner = project.rerun([module.replace(text=name), *arguments])
        yield from _MODULES.get(name, steps_of)(inner)


def read_coverage(project: Project) -> Iterator[Step]:
    """`coverage run -m pytest` and `coverage run x.py` are those of Python."""
    words = project.words
    place = next((number for number, word in enumerate(words) if word.text == "run"), 0)
    for number, word in enumerate(words[place + 1 :], place + 1) if place else ():
        if word.text == "-m":
            yield from read_module(project.rerun([Word("python"), *words[number:]]))
            return
        if word.text.endswith(".py"):
            file = project.file(word.text)
            if file is not None:
                yield Step(file.text, "coverage", "python", project.folder, path=file.path, line=1)
            return
