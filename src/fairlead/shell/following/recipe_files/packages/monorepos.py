"""Runners over many packages: lerna, turbo, nx."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.formats.structured_text import (
    field,
    json_value,
    line_of,
    table,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.packages.package_scripts import script_steps
from fairlead.shell.following.recipe_files.packages.workspaces import (
    Package,
    chosen,
    nearest_package,
    workspaces,
)
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step

_VERBS = ("run", "run-many", "affected", "affected:run", "watch")
_TASKS = ("-t", "--target", "--targets")
_ONLY = ("--scope", "--filter", "-F", "-p", "--project", "--projects")


def read_monorepo(project: Project) -> Iterator[Step]:
    """The scripts and targets of the given names, in all packages or in those that are named."""
    words = [word.text for word in project.operands]
    told = [
        text
        for name in _TASKS
        for word in project.given.values.get(name, ())
        for text in word.text.split(",")
    ]
    only = [
        text for name in _ONLY for word in project.given.values.get(name, ()) for text in word.text.split(",")
    ]
    if words[:1] and words[0] in _VERBS:
        words = words[1:]
    for word in words:
        name, colon, task = word.partition(":")
        told += [word, *([task.partition(":")[0]] if colon and task else [])]
        only += [name] if colon else []
    packages = list(workspaces(project))
    own = nearest_package(project)
    for package in [*chosen(packages, only, project), *([own] if own is not None else [])]:
        for task in dict.fromkeys(told):
            yield from script_steps(project, package, task)
            yield from _target_steps(project, package, task)


def _listed(project: Project, options: tuple[str, ...]) -> list[str]:
    """What these options are given, each with commas between."""
    given = [word for name in options for word in project.given.values.get(name, ())]
    return [text for word in given for text in word.text.split(",")]


def _target_steps(project: Project, package: Package, task: str) -> Iterator[Step]:
    """`project.json` of nx: commands that it is told to run."""
    if project.name != "nx":
        return
    file = project.file(f"{package.file.folder}/project.json")
    targets = table(json_value(file.text) if file is not None else None, "targets", task)
    options = table(targets, "options")
    folder = text_of(options.get("cwd"))
    told = options.get("commands")
    commands = [text_of(targets.get("command")), text_of(options.get("command")), *texts_of(told)]
    commands += [text_of(field(each, "command")) for each in told] if isinstance(told, list) else []
    for text in filter(None, commands):
        assert file is not None
        yield Step(
            text,
            f"nx {task}",
            folder=f"{project.folder}/{folder}" if folder else project.folder,
            path=file.path,
            line=line_of(file.text, text),
        )
