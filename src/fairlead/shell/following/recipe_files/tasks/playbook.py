"""Commands that a playbook of ansible runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    line_of,
    table,
    tables_of,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_LISTS = ("pre_tasks", "tasks", "post_tasks", "handlers")
_BLOCKS = ("block", "rescue", "always")
_MODULES = ("shell", "command", "raw", "script")
_TEMPLATE = lazy(r"\{\{\s*(.*?)\s*\}\}", re.S)
_HERE = ("localhost", "127.0.0.1")
_MOST_TASKS = 300
_DEEPEST = 10


def read_playbook(project: Project) -> Iterator[Step]:
    """On this machine, where the play says so; elsewhere it is a command on another machine."""
    if project.given.has("--check", "-C", "--syntax-check", "--list-tasks", "--list-hosts"):
        return
    for word in project.operands:
        yield from _plays(project, word.text, 0) if word.known else ()


def _plays(project: Project, path: str, depth: int) -> Iterator[Step]:
    file = project.file(path)
    for play in tables_of(yaml_value(file.text)) if file is not None else ():
        assert file is not None
        other = text_of(play.get("import_playbook") or play.get("ansible.builtin.import_playbook"))
        if other and depth < _DEEPEST:
            yield from _plays(project, f"{file.folder}/{other}", depth + 1)
        yield from _Play(project, file, play).steps()


class _Play:
    def __init__(self, project: Project, file: File, play: Table) -> None:
        self._project = project
        self._file = file
        self._play = play
        hosts = text_of(play.get("hosts"))
        told = project.given.text("-c", "--connection")
        local = hosts in _HERE or "local" in (play.get("connection"), told)
        self._place = "" if local else f"ssh:{hosts}"
        self._variables = table(play.get("vars"))
        self._left = _MOST_TASKS

    def steps(self) -> Iterator[Step]:
        for key in _LISTS:
            yield from self._tasks(self._file, tables_of(self._play.get(key)), 0)
        roles = self._play.get("roles")
        names = [
            *texts_of(roles),
            *(text_of(role.get("role") or role.get("name")) for role in tables_of(roles)),
        ]
        for name in filter(None, names):
            file = self._project.file(f"{self._file.folder}/roles/{name}/tasks/main.yml")
            if file is not None:
                yield from self._tasks(file, tables_of(yaml_value(file.text)), 0)

    def _tasks(self, file: File, tasks: list[Table], depth: int) -> Iterator[Step]:
        for task in tasks if depth < _DEEPEST else ():
            self._left -= 1
            if self._left < 0:
                return
            for key in _BLOCKS:
                yield from self._tasks(file, tables_of(task.get(key)), depth + 1)
            yield from self._included(file, task, depth)
            yield from self._command(file, task)

    def _included(self, file: File, task: Table, depth: int) -> Iterator[Step]:
        for key, told in task.items():
            if key.rsplit(".", 1)[-1] in ("import_tasks", "include_tasks", "include"):
                name = text_of(told) or text_of(table(told).get("file"))
                found = self._project.file(f"{file.folder}/{name}") if name else None
                if found is not None:
                    yield from self._tasks(found, tables_of(yaml_value(found.text)), depth + 1)

    def _command(self, file: File, task: Table) -> Iterator[Step]:
        action = text_of(task.get("local_action")).partition(" ")
        for key, told in (*task.items(), *([(action[0], action[2])] if action[0] else ())):
            module = key.rsplit(".", 1)[-1]
            if module == "file" and table(told).get("state") == "absent":
                module, told = "command", {"argv": ["rm", "-rf", text_of(table(told).get("path"))]}
            if module not in _MODULES:
                continue
            fields = table(told)
            text = (
                text_of(told)
                or text_of(fields.get("cmd"))
                or " ".join(map(quote, texts_of(fields.get("argv"))))
            )
            arguments: Mapping[str, object] = {**table(task.get("args")), **fields}
            local = task.get("delegate_to") in _HERE or task.get("connection") == "local" or key == action[0]
            if text:
                root = "true" in (task.get("become"), self._play.get("become"))
                filled = self._filled(text)
                yield Step(
                    f"sudo sh -c {quote(filled)}" if root else filled,
                    f"ansible {module}",
                    folder=self._filled(text_of(arguments.get("chdir"))) or self._file.folder,
                    place="" if local else self._place,
                    path=file.path,
                    line=line_of(file.text, text),
                )

    def _filled(self, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            known = self._variables.get(match[1])
            return (
                known
                if isinstance(known, str) and "{{" not in known
                else self._project.unknown(match[0][:80])
            )

        return _TEMPLATE.sub(value, text)
