"""What messages tell people to type is a command that there is, with the word that it needs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click

import fairlead
from fairlead.doors.cli.main import fairlead as cli

SOURCES = sorted(Path(fairlead.__file__).parent.rglob("*.py"))
ADVICE = re.compile(r"`fairlead ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?[^`]*`")


def advised() -> set[tuple[str, str]]:
    """Each command with the word behind it; docstrings are no messages."""
    found: set[tuple[str, str]] = set()
    for source in SOURCES:
        tree = ast.parse(source.read_text("utf-8"))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                found.update(ADVICE.findall(node.value))
    return found


def test_advice_names_commands_that_there_are() -> None:
    wrong = [" ".join(words) for words in sorted(advised()) if not _works(*words)]
    assert wrong == []


def _works(name: str, word: str) -> bool:
    context = click.Context(cli)
    command = cli.get_command(context, name) if name in cli.list_commands(context) else None
    if not isinstance(command, click.Group):
        return command is not None
    if command.invoke_without_command and not word:
        return True
    return word in command.list_commands(context) or command.invoke_without_command
