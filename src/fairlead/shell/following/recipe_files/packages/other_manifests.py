"""Scripts of `composer.json` and tasks of `deno.json`."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    json_value,
    line_of,
    table,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step

_EVENTS = {
    "install": ("pre-install-cmd", "post-install-cmd"),
    "i": ("pre-install-cmd", "post-install-cmd"),
    "update": ("pre-update-cmd", "post-update-cmd"),
    "require": ("pre-update-cmd", "post-update-cmd"),
    "dump-autoload": (),
    "dumpautoload": (),
    "create-project": ("post-root-package-install", "post-create-project-cmd"),
    "archive": ("pre-archive-cmd", "post-archive-cmd"),
    "status": ("pre-status-cmd", "post-status-cmd"),
}
_ALWAYS = ("pre-autoload-dump", "post-autoload-dump")
_MOST = 100


def read_composer(project: Project) -> Iterator[Step]:
    file = project.recipe(above=True)
    if file is None or project.given.has("--no-scripts"):
        return
    scripts = table(json_value(file.text), "scripts")
    words = [word.text for word in project.operands]
    if words[:1] in (["run"], ["run-script"]):
        told = words[1:2]
    else:
        told = (
            [*_EVENTS.get(words[0], (words[0],)), *(_ALWAYS if words[0] in _EVENTS else ())] if words else []
        )
    yield from _composer_steps(file, scripts, told)


def _composer_steps(file: File, scripts: Table, waiting: list[str]) -> Iterator[Step]:
    seen: set[str] = set()
    while waiting and len(seen) < _MOST:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for text in texts_of(scripts.get(name)):
            word, _, rest = text.partition(" ")
            if word in ("@php", "@composer"):
                text = f"{word[1:]} {rest}"
            elif word == "@putenv" or "::" in word:
                continue
            elif word.startswith("@"):
                waiting.append(word[1:])
                continue
            yield Step(
                text,
                f"composer {name}",
                folder=file.folder,
                path=file.path,
                line=line_of(file.text, f'"{name}"'),
            )


def read_deno(project: Project) -> Iterator[Step]:
    """`deno task`, from `deno.json` or `package.json`."""
    words = [word.text for word in project.operands]
    if words[:1] != ["task"]:
        return
    waiting, seen = words[1:2], set[str]()
    arguments = "".join(f" {quote(word)}" for word in words[2:])
    files = [file for name in project.loads.recipes if (file := project.nearest((name,))) is not None]
    while waiting and len(seen) < _MOST:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for file in files:
            value = json_value(file.text)
            told = field(value, "tasks", name) or field(value, "scripts", name)
            waiting += texts_of(field(told, "dependencies"))
            text = text_of(told) or text_of(field(told, "command"))
            if text:
                yield Step(
                    text + arguments,
                    f"deno task {name}",
                    folder=file.folder,
                    path=file.path,
                    line=line_of(file.text, f'"{name}"'),
                )
                break
