"""Splits a program's words into options and operands, as getopt would."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

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
    queue = list(words)
    index = 0
    while index < len(queue):
        word = queue[index]
        index += 1
        text = word.prefix if word.opaque else word.text
        if text == "--" and not word.opaque:
            dashes = len(operands)
            operands += queue[index:]
            break
        if not text.startswith("-") or text == "-":
            operands.append(word)
            if until_operand:
                operands += queue[index:]
                break
            continue
        taken = _option(word, text, flags, values, valued=valued, long=long, single_dash=single_dash)
        if taken and index < len(queue):
            values.setdefault(taken, []).append(queue[index])
            index += 1
    given = dict(zip(values, map(tuple, values.values()), strict=True)) if values else {}
    return Arguments(frozenset(flags), given, tuple(operands), dashes)


def _option(
    word: Word,
    text: str,
    flags: set[str],
    values: dict[str, list[Word]],
    *,
    valued: Collection[str],
    long: Collection[str],
    single_dash: bool,
) -> str:
    """Records one option word; the name of the option that takes the next word, if one does."""
    if text.startswith("--") or single_dash:
        name, equals, value = text.partition("=")
        if long and name not in long and text.startswith("--"):
            name = _whole(name, long)
        flags.add(name)
        if equals:
            values.setdefault(name, []).append(word.replace(text=value))
            return ""
        return name if name in valued else ""
    for position, letter in enumerate(text[1:], start=1):
        name = f"-{letter}"
        flags.add(name)
        if name in valued:
            rest = text[position + 1 :]
            if not rest:
                return name
            values.setdefault(name, []).append(word.replace(text=rest))
            return ""
    return ""


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
