"""Files of task runners: the calls that run all that stands in one."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.model.value import Value
from fairlead.scan.unit import SourceText, Unit
from fairlead.shell.following.recipe_files.formats.structured_text import json_value, table
from fairlead.shell.lazy_pattern import lazy

_MOST_SCRIPTS = 200
_ANY = '"$ANY_TASK"'
"""A task whose name nobody knows: the readers of recipes take all of them then."""


class _Runner(Value):
    """`call` runs the file, for which `{}` stands; where the text `mentions` something, if that is given."""

    names: str
    call: str
    mentions: str = ""


_RUNNERS = (
    _Runner(r"(?:GNUm|[Mm])akefile", f"make -f {{}} {_ANY}"),
    _Runner(r"\.?[Jj]ustfile", f"just -f {{}} {_ANY}"),
    _Runner(r"[Tt]askfile(?:\.dist)?\.ya?ml", f"task -t {{}} {_ANY}"),
    _Runner(r"package\.json", f"npm run {_ANY}", r'"scripts"'),
    _Runner(r"tox\.ini", f"tox -c {{}} -e {_ANY}"),
    _Runner(r"pyproject\.toml", f"tox -c {{}} -e {_ANY}", r"\[tool\.tox"),
    _Runner(r"pyproject\.toml", f"poe {_ANY}", r"\[tool\.poe"),
    _Runner(r"pyproject\.toml", f"pdm run {_ANY}", r"\[tool\.pdm\.scripts"),
    _Runner(r"pyproject\.toml", f"hatch run {_ANY}", r"\[tool\.hatch\.envs"),
    _Runner(r"pyproject\.toml", f"rye run {_ANY}", r"\[tool\.rye\.scripts"),
    _Runner(r"pyproject\.toml", f"pixi run {_ANY}", r"\[tool\.pixi"),
    _Runner(r"pyproject\.toml", f"task {_ANY}", r"\[tool\.taskipy"),
    _Runner(r"hatch\.toml", f"hatch run {_ANY}"),
    _Runner(r"pixi\.toml", f"pixi run {_ANY}"),
    _Runner(r"poe_tasks\.toml", f"poe {_ANY}"),
    _Runner(r"\.?mise\.toml", f"mise run {_ANY}"),
    _Runner(r"Pipfile", f"pipenv run {_ANY}"),
    _Runner(r"noxfile\.py", "nox -f {}"),
    _Runner(r"setup\.py", "python3 {} install"),
    _Runner(r"dodo\.py", "doit -f {}"),
    _Runner(r"tasks\.py", f"invoke {_ANY}", r"\binvoke\b"),
    _Runner(r"[Rr]akefile", f"rake -f {{}} {_ANY}"),
    _Runner(r"Procfile(?:\.dev)?", "foreman start -f {}"),
    _Runner(r"\.pre-commit-config\.ya?ml", "pre-commit run -c {} --all-files"),
    _Runner(r"\.?lefthook\.ya?ml", f"lefthook run {_ANY}"),
    _Runner(r"(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml", "docker compose -f {} up"),
    _Runner(r"\.envrc", "direnv allow"),
)
_NAMED = tuple((lazy(rf"{runner.names}\Z"), runner, lazy(runner.mentions)) for runner in _RUNNERS)
_BY_NAME = {"composer.json": ("composer run", "scripts"), "deno.json": ("deno task", "tasks")}
"""Runners that take the name of one task alone, and where the names stand."""


def is_runner_file(name: str) -> bool:
    return name in _BY_NAME or any(pattern.match(name) for pattern, _, _ in _NAMED)


def runner_units(source: SourceText) -> Iterator[Unit]:
    for pattern, runner, mentions in _NAMED:
        if pattern.match(source.name) and (not runner.mentions or mentions.search(source.text)):
            yield Unit(runner.call.format(quote(source.name)), source.folder)
    if source.name in _BY_NAME:
        program, key = _BY_NAME[source.name]
        for name in list(table(json_value(source.text), key))[:_MOST_SCRIPTS]:
            yield Unit(f"{program} {quote(name)}", source.folder)
