"""Commands that a program prints for a shell to run: `perl -e 'print "rm -rf /"' | sh`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

_SHELLS = names("sh bash zsh dash ksh ash fish source . eval")
_LITERAL = lazy(
    r"""["']((?:sudo\s+)?(?:rm|git|dd|shred|mkfs[\w.]*|curl|wget|find|chmod)\s[^"']{1,500})["']"""
)


def printed_commands(
    script: Script, where: Surroundings, read: Callable[[Script, Surroundings], Iterator[Effect]]
) -> Iterator[Effect]:
    """What the literals of the printing program would do, if they are what it prints."""
    shells = {command.pipeline for command in script.commands if command.name in _SHELLS}
    for command in script.commands:
        if command.name in _SHELLS or command.pipeline not in shells:
            continue
        for word in command.argv[1:]:
            for text in [
                *_LITERAL.findall(word.text[:65536])[:8],
                *_printed_by_python(command, word.text, where),
            ]:
                yield from read(_placed(text, command, where), where)


def _printed_by_python(command: Command, code: str, where: Surroundings) -> list[str]:
    """What `print(…)` gives, where that can be told."""
    if not command.name.startswith("python") or "print" not in code:
        return []
    from fairlead.shell.effects.code.python.python_code import (
        printed_texts,  # only where there is code to read
    )

    return printed_texts(code, where.home, command.cwd or "/")


def _placed(text: str, outer: Command, where: Surroundings) -> Script:
    inner = read_script(text, cwd=outer.cwd or "/", home=where.home, environment={"HOME": where.home})
    commands = tuple(command.replace(start=outer.start, end=outer.end) for command in inner.commands)
    return Script("", commands)
