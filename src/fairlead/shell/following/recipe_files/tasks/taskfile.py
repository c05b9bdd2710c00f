"""What `task` runs: the tasks of a Taskfile, with what they depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType

from fairlead.shell.following.recipe_files.formats.structured_text import (
    field,
    line_of,
    table,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_NAMES = ("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml")
_TEMPLATE = lazy(r"\{\{-?\s*(.*?)\s*-?\}\}", re.S)
_VARIABLE = lazy(r"\.(\w+)\Z")
_LISTED = ("-l", "--list", "-a", "--list-all", "--summary", "-n", "--dry", "--init", "-i", "--version")
_NOTHING: Mapping[str, object] = MappingProxyType({})
_MOST_TASKS = 200
_MOST_FILES = 10


class _Task:
    __slots__ = ("file", "folder", "space", "told", "variables")

    def __init__(
        self, told: object, file: File, folder: str, space: str, variables: Mapping[str, object]
    ) -> None:
        self.told = told
        self.file = file
        self.folder = folder
        self.space = space
        self.variables = variables


def read_task(project: Project) -> Iterator[Step]:
    if project.given.has(*_LISTED):
        return
    file = project.recipe(*_NAMES, above=True)
    if file is not None:
        yield from _Taskfile(project, file).steps()


class _Taskfile:
    def __init__(self, project: Project, file: File) -> None:
        self._project = project
        self._tasks: dict[str, _Task] = {}
        self._given: dict[str, str] = {}
        self._files = 0
        self._read(file, "", file.folder)

    def _read(self, file: File, space: str, folder: str) -> None:
        self._files += 1
        value = yaml_value(file.text)
        variables = {**table(value, "vars"), **table(value, "env")}
        for name, told in table(value, "tasks").items():
            if len(self._tasks) < _MOST_TASKS:
                task = _Task(told, file, folder, space, variables)
                for each in (name, *texts_of(field(told, "aliases"))):
                    self._tasks.setdefault(space + each, task)
        for name, told in table(value, "includes").items():
            path = text_of(told) or text_of(field(told, "taskfile"))
            found = self._included(file, path) if path and self._files < _MOST_FILES else None
            if found is not None:
                inner = text_of(field(told, "dir"))
                self._read(found, f"{space}{name}:", f"{file.folder}/{inner}" if inner else found.folder)

    def _included(self, file: File, path: str) -> File | None:
        full = f"{file.folder}/{path}"
        names = [full, *(f"{full}/{name}" for name in _NAMES)]
        return next((found for name in names if (found := self._project.file(name)) is not None), None)

    def steps(self) -> Iterator[Step]:
        words = self._project.operands
        before = words if self._project.given.dashes is None else words[: self._project.given.dashes]
        rest = [] if self._project.given.dashes is None else words[self._project.given.dashes :]
        self._given["CLI_ARGS"] = " ".join(self._project.source(word) for word in rest)
        names: list[str] = []
        for word in before:
            name, equals, value = self._project.source(word).partition("=")
            if equals:
                self._given[name] = value
            elif word.opaque:
                names += self._tasks
            else:
                names.append(name)
        seen: set[str] = set()
        for name in names or ["default"]:
            yield from self._run(name, seen)

    def _run(self, name: str, seen: set[str], passed: Mapping[str, object] = _NOTHING) -> Iterator[Step]:
        task = self._tasks.get(name) or self._matching(name)
        if task is None or name in seen or len(seen) > 30:
            return
        inside = seen | {name}
        told = task.told if isinstance(task.told, dict) else {"cmds": task.told}
        variables = {**task.variables, **table(told, "vars"), **table(told, "env"), **passed}
        needed = told.get("deps")
        for each in needed if isinstance(needed, list) else ():
            yield from self._run(_inside(task, text_of(each) or text_of(field(each, "task"))), inside)
        folder = self._filled(text_of(told.get("dir")), variables)
        where = task.folder if not folder else folder if folder.startswith("/") else f"{task.folder}/{folder}"
        for text, other, given in _commands(told):
            if other:
                filled = {key: self._value(key, {**variables, **given}) for key in given}
                yield from self._run(_inside(task, self._filled(other, variables)), inside, filled)
            elif text.strip():
                yield Step(
                    self._filled(text, variables),
                    f"task {name}",
                    folder=where,
                    variables={key: self._value(key, variables) for key in list(variables)[:50]},
                    path=task.file.path,
                    line=line_of(task.file.text, text),
                )

    def _matching(self, name: str) -> _Task | None:
        """A task whose name is a pattern, as in `start:*`."""
        return next(
            (task for each, task in self._tasks.items() if "*" in each and fnmatchcase(name, each)), None
        )

    def _value(self, name: str, variables: Mapping[str, object], depth: int = 0) -> str:
        told = self._given.get(name, variables.get(name))
        if isinstance(told, str):
            return self._filled(told, variables, depth + 1)
        command = text_of(field(told, "sh"))
        if command:
            return self._project.output(self._filled(command, variables, depth + 1), f"task {name}")
        outside = self._project.variable(name)
        return self._project.unset(f"{{{{.{name}}}}}", f"${name}") if outside is None else outside

    def _filled(self, text: str, variables: Mapping[str, object], depth: int = 0) -> str:
        def value(match: re.Match[str]) -> str:
            name = _VARIABLE.match(match[1])
            if name is None or depth > 10:
                return self._project.unknown(match[0][:80])
            return self._value(name[1], variables, depth)

        return _TEMPLATE.sub(value, text)


def _inside(task: _Task, name: str) -> str:
    return name[1:] if name.startswith(":") else task.space + name


def _commands(told: Mapping[str, object]) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Each as a text for a shell, or as the name of another task and its variables."""
    for key in ("preconditions", "status", "cmds", "cmd"):
        value = told.get(key)
        for each in value if isinstance(value, list) else [value]:
            text, other = text_of(each), ""
            if isinstance(each, dict):
                deferred = each.get("defer")
                text = text_of(each.get("cmd")) or text_of(each.get("sh")) or text_of(deferred)
                other = text_of(each.get("task")) or text_of(field(deferred, "task"))
            yield text, other, table(each, "vars")
