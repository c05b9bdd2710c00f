"""Tasks that a table in TOML names: poe, pdm, hatch, pipenv, rye, pixi, mise, taskipy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    line_of,
    named_tables,
    table,
    tables_of,
    text_of,
    texts_of,
    toml_value,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_PYPROJECT = "pyproject.toml"


class _Where(Value):
    """Where the tasks of a runner stand. `verbs`: subcommands that run one; it may also be named alone where
    `bare` says so. `grouped`: environments stand between, each with tasks of its own under this key. `files`:
    folders in which every file is a task."""

    tables: tuple[tuple[str, tuple[str, ...]], ...]
    verbs: tuple[str, ...] = ("run",)
    bare: bool = False
    grouped: str = ""
    files: tuple[str, ...] = ()


_RUNNERS: Mapping[str, _Where] = MappingProxyType(
    {
        "poe": _Where(
            ((_PYPROJECT, ("tool", "poe", "tasks")), ("poe_tasks.toml", ("tasks",))), (), bare=True
        ),
        "pdm": _Where(((_PYPROJECT, ("tool", "pdm", "scripts")),), bare=True),
        "hatch": _Where(
            ((_PYPROJECT, ("tool", "hatch", "envs")), ("hatch.toml", ("envs",))),
            ("run", "test"),
            grouped="scripts",
        ),
        "pipenv": _Where((("Pipfile", ("scripts",)),)),
        "rye": _Where(((_PYPROJECT, ("tool", "rye", "scripts")),), ("run", "r")),
        "pixi": _Where((("pixi.toml", ("tasks",)), (_PYPROJECT, ("tool", "pixi", "tasks"))), ("run", "r")),
        "mise": _Where(
            (("mise.toml", ("tasks",)), (".mise.toml", ("tasks",))),
            ("run", "r"),
            bare=True,
            files=(".mise/tasks", "mise-tasks", ".config/mise/tasks"),
        ),
        "task": _Where(((_PYPROJECT, ("tool", "taskipy", "tasks")),), (), bare=True),
    }
)
_PDM_EVENTS = ("install", "build", "publish", "lock", "sync", "update")
"""Commands of pdm before and after which tasks of the project run."""
_ARGUMENTS = lazy(r"\{args(?::([^{}]*))?\}")
_MOST_TASKS = 100
_MOST_INCLUDED = 10


def read_toml_tasks(project: Project) -> Iterator[Step]:
    where = _RUNNERS.get(project.name)
    words = list(project.operands)
    if where is None:
        return
    if words and words[0].text in where.verbs:
        words = words[1:]
    elif not where.bare:
        return
    if not words:
        return
    yield from _task_files(project, where, words[0].text)
    for name, keys in where.tables:
        file = project.nearest((name,))
        tasks = _tasks_in(project, file, keys) if file is not None else {}
        if file is None or not tasks:
            continue
        wanted = words[0].text
        if where.grouped:
            tasks, wanted = _of_environments(tasks, where.grouped, wanted)
        rest = "".join(
            f" {project.source(word) if word.opaque else quote(word.text)}"
            for word in words[1:]
            if word.text != "--"
        )
        runner = _Tasks(project, file, tasks, rest)
        if project.name == "pdm" and wanted in _PDM_EVENTS:
            tasks = {**tasks, wanted: ()}  # only what stands around it
            runner = _Tasks(project, file, tasks, "")
        for each in list(tasks)[:_MOST_TASKS] if words[0].opaque else [wanted]:
            yield from runner.steps(each, 0)
        return


def _tasks_in(project: Project, file: File, keys: tuple[str, ...]) -> Table:
    """The tasks of a file, and of those that it includes."""
    value = toml_value(file.text)
    told = field(value, *keys[:-1], "include") if len(keys) > 1 else None
    paths = [
        *texts_of(told),
        *(text_of(each.get("path")) for each in tables_of(told)),
        text_of(field(told, "path")),
    ]
    found: dict[str, object] = {}
    for path in filter(None, paths[:_MOST_INCLUDED]):
        other = project.file(f"{file.folder}/{path}")
        inner = toml_value(other.text) if other is not None else None
        found.update({**table(inner, "tasks"), **table(inner, *keys)})
    return {**found, **table(value, *keys)}


def _task_files(project: Project, where: _Where, name: str) -> Iterator[Step]:
    for folder in where.files:
        file = project.file(f"{folder}/{name.replace(':', '/')}")
        if file is not None:
            yield Step(quote(file.path), f"{project.name} {name}")


def _of_environments(tasks: Table, key: str, wanted: str) -> tuple[Table, str]:
    """`hatch run test:cov` runs `cov` of one environment; without its name, those of all may be meant."""
    group, colon, name = wanted.partition(":")
    if colon and isinstance(tasks.get(group), Mapping):
        return {**table(tasks, "default", key), **table(tasks, group, key)}, name
    together: dict[str, object] = {}
    for _, environment in reversed(list(named_tables(tasks))):
        together.update(table(environment, key))
    return {**together, **table(tasks, "default", key)}, wanted


class _Tasks:
    """The tasks of one file; `rest` are the arguments of the one that is named."""

    def __init__(self, project: Project, file: File, tasks: Table, rest: str) -> None:
        self._project = project
        self._file = file
        self._tasks = tasks
        self._rest = rest
        self._running: list[str] = []

    def steps(self, name: str, depth: int) -> Iterator[Step]:
        told = self._tasks.get(name)
        if told is None or name in self._running or depth > 20:
            return
        self._running.append(name)
        for around in (f"pre_{name}", f"pre-{name}", f"pre{name}"):
            yield from self.steps(around, depth + 1)
        yield from self._told(name, told, depth)
        for around in (f"post_{name}", f"post-{name}", f"post{name}"):
            yield from self.steps(around, depth + 1)
        self._running.pop()

    def _told(self, name: str, told: object, depth: int) -> Iterator[Step]:
        if isinstance(told, str):
            yield from self._line(name, told, told, depth)
            return
        if isinstance(told, list):  # lines, or names of other tasks
            for each in told:
                yield from self._told(name, each, depth) if not isinstance(each, list) else ()
            return
        for key in ("deps", "uses", "depends", "depends-on", "depends_on"):
            for other in texts_of(field(told, key)):
                yield from self.steps(other.split(" ", 1)[0], depth + 1)
        for line in _lines(told):
            yield from self._line(name, line, told, depth)
        for key in ("sequence", "composite", "parallel", "switch"):
            value = field(told, key)
            for each in texts_of(value):
                yield from self._line(name, each, told, depth)
            for inner in tables_of(value):
                yield from self._told(name, inner.get("ref", inner), depth)
        for place in (*texts_of(field(told, "script")), *texts_of(field(told, "call"))):
            yield from _function(self._project, self._file, place)
        for other in texts_of(field(told, "ref")):
            yield from self.steps(other.split(" ", 1)[0], depth + 1)

    def _line(self, name: str, text: str, told: object, depth: int) -> Iterator[Step]:
        first = text.strip().lstrip("- ").split(" ", 1)[0]
        if first in self._tasks and first != name:
            yield from self.steps(first, depth + 1)
            return
        filled, count = _ARGUMENTS.subn(lambda match: self._rest.strip() or match[1] or "", text)
        folder = (
            text_of(field(told, "cwd")) or text_of(field(told, "dir")) or text_of(field(told, "working_dir"))
        )
        yield Step(
            filled if count else text + (self._rest if not depth else ""),
            f"{self._project.name} {name}",
            folder=f"{self._file.folder}/{folder}" if folder else self._file.folder,
            variables={key: each for key, each in table(field(told, "env")).items() if isinstance(each, str)},
            path=self._file.path,
            line=line_of(self._file.text, text),
        )


def _function(project: Project, file: File, place: str) -> Iterator[Step]:
    """`package.module:function` is code of the project, where there is such a file."""
    path = place.split(":")[0].strip().replace(".", "/")
    for name in (f"{path}.py", f"{path}/__init__.py", f"src/{path}.py"):
        found = project.file(f"{file.folder}/{name}")
        if found is not None:
            yield Step(found.text, f"{project.name} {place}", "python", file.folder, path=found.path, line=1)
            return


def _lines(told: object) -> Iterator[str]:
    """Commands as texts, or as lists of words."""
    for key in ("cmd", "shell", "run", "expr", "command"):
        value = field(told, key)
        if isinstance(value, list) and key != "run":
            yield " ".join(map(quote, texts_of(value)))
        else:
            yield from texts_of(value)
