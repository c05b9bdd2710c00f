"""Consoles and runners that are given code: `manage.py shell -c`, `rails runner`, `tinker --execute=`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.words.suspected_commands import RUNS, Reader
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Code, Command, Word
from fairlead.shell.word_sets import names

_CONSOLES = names(
    "shell shell_plus console c tinker repl runner r eval ev rpc php:eval php-eval run exec eval-file"
)
"""Subcommands after which code stands, or comes from the input."""
_CODE = lazy(r"[(`]|\bimport\b|\b(?:rm_rf|system|exec|delete_all)\b|\"\.!")
_NAMED_CODE = lazy(r"^--?\w*-?(?:eval|execute|expr(?:ession)?|code|rpc)\w*$|^-[ecEx]$", re.I)
_SETTING = lazy(r"(--?[\w-]+)=(.*)", re.S)


def console_effects(command: Command, where: Surroundings, read: Reader, *, listed: bool) -> Iterator[Effect]:
    """What code in the words of a program, listed or not, does if the program runs it."""
    texts = [word.text for word in command.argv]
    listed = listed and command.name != "rake"
    if _CONSOLES.isdisjoint(texts[1:4] if listed else texts) and (
        listed or not any(map(str.startswith, texts, repeat("-")))
    ):
        return
    words = _after_script(command)
    if words is None:
        return
    for text in _codes(words, command, listed=listed):
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


def _codes(words: Sequence[Word], command: Command, *, listed: bool) -> Iterator[str]:
    texts = [word.text for word in words]
    console = not _CONSOLES.isdisjoint(texts[1:3])
    if not console and listed:
        return
    for before, text in pairwise(texts):
        setting = _SETTING.fullmatch(text) if text.startswith("-") and "=" in text else None
        if setting and (_NAMED_CODE.match(setting[1]) or RUNS.search(setting[1])):
            yield setting[2]
        elif before.startswith("-"):
            if _NAMED_CODE.match(before) or RUNS.search(before):
                yield text
        elif before in _CONSOLES:
            yield text
    if console and command.stdin.text:
        yield command.stdin.text


def _effects(text: str, command: Command, where: Surroundings, read: Reader) -> Iterator[Effect]:
    from fairlead.shell.effects.code.code_effects import code_effects  # only where there is code to read

    for effect in code_effects(Code("any", text, command), where, read):
        if effect.action is not Action.RUN_UNKNOWN_CODE:
            yield effect
