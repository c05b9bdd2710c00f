"""Reads the words of a program as getopt would: options, their values, and operands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from fairlead.model.value import Value
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from


class Arguments(Value):
    """`flags` holds every option by its name (`-r`, `--recursive`), `values` what was given to those that
    take a value, `operands` the rest in order."""

    flags: frozenset[str]
    values: dict[str, tuple[Word, ...]]
    operands: tuple[Word, ...]
    dashes: int | None = None
    """How many operands stood before `--`; None without one."""

    def has(self, *names: str) -> bool:
        return not self.flags.isdisjoint(names)

    def value(self, *names: str) -> Word | None:
        for name in names:
            if name in self.values:
                return self.values[name][-1]
        return None

    def text(self, *names: str) -> str:
        word = self.value(*names)
        return word.text if word is not None else ""


Note = Callable[[str, Word | None], None]
"""What is told the name of each option, and its value where it takes one and has it."""


def read_arguments(
    words: Sequence[Word],
    *,
    valued: Collection[str] = (),
    long: Collection[str] = (),
    single_dash: bool = False,
    until_operand: bool = False,
) -> Arguments:
    """`valued` are the options that take the next word; `long` those that may be abbreviated.

    `single_dash`: long options have one dash (`find`, `terraform`). `until_operand`: stop at the first
    operand, the rest are operands too (`git`, `docker`, `kubectl` before their subcommand).
    """
    flags: set[str] = set()
    values: dict[str, list[Word]] = {}
    operands: list[Word] = []
    dashes: int | None = None

    def note(name: str, value: Word | None) -> None:
        flags.add(name)
        if value is not None:
            values.setdefault(name, []).append(value)

    index = 0
    while index < len(words):
        word = words[index]
        if (word.opaque or word.text.startswith("-")) and is_option(word):
            index = read_option(words, index, valued, note, long=long, single_dash=single_dash)
            continue
        index += 1
        if word.text == "--" and not word.opaque:
            dashes = len(operands)
            operands += words[index:]
            break
        operands.append(word)
        if until_operand:
            operands += words[index:]
            break
    given = dict(zip(values, map(tuple, values.values()), strict=True)) if values else {}
    return Arguments(frozenset(flags), given, tuple(operands), dashes)


def is_option(word: Word) -> bool:
    """Whether a word is known to have options; neither `-` nor `--` has."""
    text = word.prefix if word.opaque else word.text
    return text.startswith("-") and text != "-" and (text != "--" or not word.known)


def read_option(
    words: Sequence[Word],
    index: int,
    valued: Collection[str],
    note: Note,
    *,
    long: Collection[str] = (),
    single_dash: bool = False,
) -> int:
    """Reads the option, or the short ones, in the word at `index`; the place behind it and its value."""
    word = words[index]
    text = word.prefix if word.opaque else word.text
    index += 1
    if text.startswith("--") or single_dash:
        name, equals, _ = text.partition("=")
        behind = len(name) + 1
        if long and name not in long and text.startswith("--"):
            name = _whole(name, long)
        if equals:
            note(name, part_from(word, behind))
            return index
        return _next_word(words, index, name, valued, note)
    for behind, letter in enumerate(text[1:], start=2):
        name = f"-{letter}"
        if name not in valued:
            note(name, None)
        elif word.opaque or behind < len(text):
            note(name, part_from(word, behind))
            return index
        else:
            return _next_word(words, index, name, valued, note)
    return index


def _next_word(words: Sequence[Word], index: int, name: str, valued: Collection[str], note: Note) -> int:
    """The option's value is the next word, if it takes one."""
    if name not in valued or index >= len(words):
        note(name, None)
        return index
    note(name, words[index])
    return index + 1


def _whole(name: str, long: Collection[str]) -> str:
    """`--forc` is `--force` to getopt and to git, where only one option begins so."""
    candidates = [full for full in long if full.startswith(name)]
    return candidates[0] if len(candidates) == 1 else name


def option_values(words: list[Word], *names: str) -> Iterator[Word]:
    """The values of these options: a word of their own, behind `=`, or stuck to a short one."""
    for index, word in enumerate(words[1:], 1):
        text = word.text
        for name in names:
            if text == name and index + 1 < len(words):
                yield words[index + 1]
            elif name.startswith("--") and text.startswith(name + "="):
                yield part_from(word, len(name) + 1)
            elif len(name) == 2 and text.startswith(name) and len(text) > 2 and not text.startswith("--"):
                yield part_from(word, 2)
