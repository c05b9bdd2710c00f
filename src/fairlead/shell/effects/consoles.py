"""Consoles and runners that are given code: `manage.py shell -c`, `rails runner`, `tinker --execute=`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.families import reader_of
from fairlead.shell.effects.suspected import DATA, RUNS, Reader
from fairlead.shell.interpreters import interpreter_for
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Command, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings

_CONSOLES = names(
    "shell shell_plus console c tinker repl runner r eval ev rpc php:eval php-eval run exec eval-file"
)
"""Subcommands after which code stands, or comes from the input."""
_CODE = lazy(r"[(`]|\bimport\b|\b(?:rm_rf|system|exec|delete_all)\b|\"\.!")
_NAMED_CODE = lazy(r"^--?\w*-?(?:eval|execute|expr(?:ession)?|code|rpc)\w*$|^-[ecEx]$", re.I)
_SETTING = lazy(r"(--?[\w-]+)=(.*)", re.S)


def console_effects(command: Command, where: Surroundings, read: Reader) -> Iterator[Effect]:
    """What code in the words of a program does, if the program runs it."""
    words = _after_script(command)
    if words is None or command.name in DATA:
        return
    for text in _codes(words, command):
        if _CODE.search(text):
            yield from _effects(text, command, where, read)


def _after_script(command: Command) -> Sequence[Word] | None:
    """The program's words; for an interpreter those of the script that it runs, if there is one."""
    words = command.argv
    if len(words) < 2:
        return None
    if interpreter_for(command.name) is None:
        return words
    operand = words[1].text
    return words[1:] if not operand.startswith("-") and len(words) > 2 else None


def _codes(words: Sequence[Word], command: Command) -> Iterator[str]:
    console = any(word.text in _CONSOLES for word in words[1:3])
    if not console and reader_of(command.name) is not None and command.name != "rake":
        return
    for before, word in pairwise(words):
        setting = _SETTING.fullmatch(word.text)
        if setting and (_NAMED_CODE.match(setting[1]) or RUNS.search(setting[1])):
            yield setting[2]
        elif before.text.startswith("-"):
            if _NAMED_CODE.match(before.text) or RUNS.search(before.text):
                yield word.text
        elif before.text in _CONSOLES:
            yield word.text
    if console and command.stdin.text:
        yield command.stdin.text


def _effects(text: str, command: Command, where: Surroundings, read: Reader) -> Iterator[Effect]:
    from fairlead.shell.effects.code.effects import code_effects  # only where there is code to read

    for effect in code_effects(Code("any", text, command), where, read):
        if effect.action is not Action.RUN_UNKNOWN_CODE:
            yield effect
