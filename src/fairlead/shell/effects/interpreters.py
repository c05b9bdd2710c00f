"""Interpreters that are given a script by name: some scripts are well-known programs themselves."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects import databases
from fairlead.shell.effects.effect import Effect, EffectReader
from fairlead.shell.effects.guard import python_module
from fairlead.shell.effects.reading import touched
from fairlead.shell.effects.subcommands import same_reader
from fairlead.shell.script import Command
from fairlead.shell.targets import Surroundings

_SCRIPTS = ("manage.py", "artisan", "rails", "rake")


def _interpreter(command: Command, where: Surroundings) -> Iterator[Effect]:
    if command.name.startswith("python"):
        yield from python_module(command)
    for index, word in enumerate(command.argv[1:], start=1):
        if word.text.startswith("-"):
            continue
        name = word.text.rsplit("/", 1)[-1]
        if name in _SCRIPTS:
            yield from databases.TABLE[name](command.replace(argv=command.argv[index:]), where)
        break
    yield from touched(command, where)


TABLE: dict[str, EffectReader] = {
    **same_reader(
        _interpreter, "python python2 python3 python3.11 python3.12 python3.13 pypy3 php ruby node"
    ),
}
