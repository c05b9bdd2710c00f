"""Short ways to say in a test what a line of shell would run."""

from __future__ import annotations

from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Script
from fairlead.shell.unknown_text import describe

HOME = "/home/no-one"
PROJECT = "/home/no-one/project"


def read(text: str, **environment: str) -> Script:
    return read_script(text, cwd=PROJECT, home=HOME, environment=environment)


def lines(text: str, **environment: str) -> list[str]:
    """Every command as its words, joined."""
    found = read(text, **environment).commands
    return [" ".join(word.text for word in command.argv) for command in found if command.argv]


def last(text: str) -> Command:
    return read(text).commands[-1]


def arguments(text: str, **environment: str) -> list[str]:
    """The arguments of the last command."""
    return [word.text for word in read(text, **environment).commands[-1].argv[1:]]


def executed(text: str) -> list[str]:
    """Why something that would run is not known."""
    return [describe(each.unknown) for each in read(text).opaque if each.executed]
