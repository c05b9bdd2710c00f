"""Which functions read the files of a runner; each is loaded when its runner is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.programs.running import RECIPE_READERS, recipe_readers_of

RecipeReader = Callable[[Project], Iterator[Step]]


def steps_of(project: Project) -> Iterator[Step]:
    """All that the runner of this project runs."""
    for reader in _readers(project.name) if project.name in RECIPE_READERS else ():
        yield from reader(project)


@cache
def _readers(name: str) -> tuple[RecipeReader, ...]:
    return tuple(map(_loaded, recipe_readers_of(name)))


def _loaded(place: str) -> RecipeReader:
    module, _, function = place.partition(":")
    found: RecipeReader = getattr(import_module(f"fairlead.shell.following.recipe_files.{module}"), function)
    return found
