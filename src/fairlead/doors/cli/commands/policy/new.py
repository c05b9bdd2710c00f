"""`fairlead new middleware`: a hook in the language of its author, with its test."""

from __future__ import annotations

import os
import re

import click

from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import note, say
from fairlead.doors.hook.root import git_root
from fairlead.errors import UsageError

SCAFFOLD = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "scaffold", "middleware")
ENDINGS = {"python": ".py", "bash": ".sh", "node": ".mjs"}


@click.group(name="new")
def command() -> None:
    """Write the beginning of something of your own.

    \b
    Example:
      fairlead new middleware no-prod-db --lang bash
    """


@command.command()
@click.argument("name")
@click.option("--lang", type=OneOf("language", ENDINGS), default="python", show_default=True)
def middleware(name: str, lang: str) -> int:
    """Write a middleware NAME into this project's policy: the hook, its policy entry and its test.

    A middleware in any language is a program: the event on stdin as JSON, exit code 2 and a reason on stderr
    to refuse, exit code 0 for no objection. Nothing that is there is overwritten.

    \b
    Example:
      fairlead new middleware no-prod-db --lang node
      fairlead trust && fairlead test
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", name):
        raise UsageError(f"{name!r} is no name for a middleware", hint="small letters, digits and dashes")
    file = name.replace("-", "_") + ENDINGS[lang]
    folder = os.path.join(git_root(os.getcwd()), ".fairlead", "hooks", name)
    for path, template in {
        "hook.meta.yaml": "hook.meta.yaml.txt",
        "hook.test.yaml": "hook.test.yaml.txt",
        file: f"middleware{ENDINGS[lang]}.txt",
    }.items():
        done = _write(os.path.join(folder, path), template, name, file)
        say(f"{done}  {os.path.join('.fairlead', 'hooks', name, path)}")
    note("next: fairlead trust, then fairlead test")
    return 0


def _write(path: str, template: str, name: str, file: str) -> str:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.path.join(SCAFFOLD, template), encoding="utf-8") as source:
        text = source.read().replace("{name}", name).replace("{file}", file)
    try:
        descriptor = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if path.endswith(file) else 0o644
        )
    except FileExistsError:
        return "kept "
    with os.fdopen(descriptor, "w", encoding="utf-8") as target:
        target.write(text)
    return "wrote"
