"""Commands whose file was read: what they do is known by that, and no longer guessed by their names."""

from __future__ import annotations

from fairlead.shell.script import Command, Script


def is_followed(command: Command, script: Script) -> bool:
    """Whether the recipe or the file that a command runs was read: `make reset-db`, `./reset-db.sh`."""
    return bool(script.files) and any(_came_of(each, command) for each in script.commands)


def _came_of(inner: Command, outer: Command) -> bool:
    depth = len(outer.via)
    if inner.origin is None or inner.origin.by != outer.origin or len(inner.via) <= depth:
        return False
    way = inner.via[depth]
    named = outer.argv[0].text if outer.argv else ""
    return inner.via[:depth] == outer.via and bool(named) and (way == named or way.startswith(_words(outer)))


def _words(command: Command) -> str:
    """The program and what it is told to run, as the way to a command names them."""
    told = [word.text for word in command.argv[1:] if not word.text.startswith("-") and "=" not in word.text]
    return " ".join([command.name, *told[:1]])
