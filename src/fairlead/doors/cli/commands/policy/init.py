"""`fairlead init`: a policy for this project that a person can read, with a rule and its tests."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.output import note, say
from fairlead.doors.hook.root import git_root

SCAFFOLD = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "scaffold")
FILES = {
    ".fairlead/hooks/pre-tool-use/hook.meta.yaml": "hook.meta.yaml.txt",
    ".fairlead/hooks/pre-tool-use/no_direct_push.py": "no_direct_push.py.txt",
    ".fairlead/hooks/pre-tool-use/hook.test.yaml": "hook.test.yaml.txt",
    "tests/test_fairlead_hooks.py": "test_fairlead_hooks.py.txt",
}
"""Where each file goes, and the file beside the commands that it comes from."""


@click.command()
@click.argument("path", required=False, type=FOLDER)
def command(path: str | None) -> int:
    """Write a first policy into the project at PATH: .fairlead/, an example rule, and its tests.

    Nothing that is there is overwritten. PATH is the root of the current git repository if it is not given.

    \b
    Examples:
      fairlead init
      fairlead init ~/src/app
    """
    root = os.path.abspath(path) if path else git_root(os.getcwd())
    for name, template in FILES.items():
        say(f"{_write(os.path.join(root, name), template)}  {name}")
    note("next: fairlead policy check, fairlead trust, fairlead test, fairlead check 'git push origin main'")
    return 0


def _write(path: str, template: str) -> str:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.path.join(SCAFFOLD, template), encoding="utf-8") as source:
        text = source.read()
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return "kept "
    return "wrote"
