"""Hooks that a project names in files of pre-commit, lefthook or lint-staged."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    json_value,
    line_of,
    named_tables,
    table,
    tables_of,
    text_of,
    texts_of,
    toml_value,
)
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step

_NOT_RUN = ("pygrep", "fail", "docker", "docker_image")
"""Languages of hooks whose entry is no command of this machine."""
_RUN = ("run", "hook-impl", "try-repo")
_MOST_HOOKS = 100


def read_pre_commit(project: Project) -> Iterator[Step]:
    """The local hooks: others are fetched by their revision, as everyone has them."""
    words = [word.text for word in project.operands]
    file = project.recipe(above=True)
    if file is None or not words or words[0] not in _RUN:
        return
    known = [word for word in project.operands[1:] if word.known]
    wanted = {word.text for word in known} if len(known) == len(words) - 1 and words[0] == "run" else set()
    repositories = tables_of(field(yaml_value(file.text), "repos"))
    hooks = [
        hook for each in repositories if each.get("repo") == "local" for hook in tables_of(each.get("hooks"))
    ]
    for hook in hooks[:_MOST_HOOKS]:
        name, entry = text_of(hook.get("id")), text_of(hook.get("entry"))
        if (
            not entry
            or hook.get("language") in _NOT_RUN
            or (wanted and not wanted & {name, hook.get("alias")})
        ):
            continue
        arguments = "".join(f" {quote(text)}" for text in texts_of(hook.get("args")))
        entry = f"./{entry}" if hook.get("language") == "script" and entry[:1] not in "./" else entry
        yield _step(file, entry + arguments, f"pre-commit {name}", entry)


def read_lefthook(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands]
    if len(words) < 2 or words[0] != "run":
        return
    for name in project.loads.recipes:
        file = project.file(name)
        if file is None:
            continue
        value = json_value(file.text) if name.endswith("json") else toml_value(file.text)
        value = yaml_value(file.text) if name.endswith(("yml", "yaml")) else value
        yield from _lefthook_steps(file, table(value, words[1]), words[1], 0)


def _lefthook_steps(file: File, hook: Table, name: str, depth: int) -> Iterator[Step]:
    for _, told in named_tables(hook.get("commands")):
        yield from _lefthook_command(file, told, name)
    for path, told in named_tables(hook.get("scripts")):
        text = f"{text_of(told.get('runner'))} .lefthook/{name}/{quote(path)}".strip()
        yield _step(file, text, f"lefthook {name}", path)
    for told in tables_of(hook.get("jobs"))[:_MOST_HOOKS]:
        yield from _lefthook_command(file, told, name)
        if depth < 5:
            yield from _lefthook_steps(file, table(told, "group"), name, depth + 1)


def _lefthook_command(file: File, told: Table, name: str) -> Iterator[Step]:
    text = text_of(told.get("run"))
    script = text_of(told.get("script"))
    if script:
        text = f"{text_of(told.get('runner'))} .lefthook/{name}/{quote(script)}".strip()
    if text:
        for filled in ("{staged_files}", "{push_files}", "{all_files}", "{files}"):
            text = text.replace(filled, "*")
        step = _step(file, text, f"lefthook {name}", text)
        root = text_of(told.get("root"))
        yield step.replace(folder=f"{file.folder}/{root}") if root else step


def read_lint_staged(project: Project) -> Iterator[Step]:
    for name in project.loads.recipes:
        file = project.nearest((name,))
        if file is None:
            continue
        value = json_value(file.text)
        value = yaml_value(file.text) if value is None else value
        tasks = table(value, "lint-staged") if name == "package.json" else table(value)
        for told in tasks.values():
            for text in texts_of(told)[:_MOST_HOOKS]:
                yield _step(file, text, "lint-staged", text)


def _step(file: File, text: str, via: str, shown: str) -> Step:
    return Step(text, via, folder=file.folder, path=file.path, line=line_of(file.text, shown))
