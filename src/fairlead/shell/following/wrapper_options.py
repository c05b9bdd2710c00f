"""Reads the words of a program that runs another, up to where the command starts."""

from __future__ import annotations

from fairlead.shell.arguments import is_option, read_option
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from

_ASSIGNED = lazy(r"[^=]+=")


class Options:
    """`index` is where the command starts; the rest is what the options said on the way."""

    __slots__ = ("assignments", "directory", "index", "leaf", "names", "skipped", "texts", "values")

    def __init__(self, index: int) -> None:
        self.index = index
        self.texts: list[Word] = []
        self.directory: Word | None = None
        self.assignments: dict[str, Word] = {}
        self.skipped: list[Word] = []
        self.names: list[str] = []
        self.values: dict[str, Word] = {}
        self.leaf = False


def read_options(words: list[Word], start: int, runs: Runs) -> Options:
    found = Options(start)
    if runs.after_dashes:
        for index in range(start, len(words)):
            if words[index].text == "--" and not words[index].opaque:
                _walk(words[:index], runs, found)
                found.index = index + 1
                return found
    _walk(words, runs, found)
    return found


def _walk(words: list[Word], runs: Runs, found: Options) -> None:
    left = runs.operands

    def note(name: str, value: Word | None) -> None:
        _note(name, value, runs, found)

    while found.index < len(words):
        word = words[found.index]
        text, known = word.text, not word.opaque
        if known and text == "--":
            found.index += 1
            if left == 0:
                return
        elif runs.assignments and text == "-" and known:
            found.index += 1
        elif text in runs.rest_after:
            found.index += 1
            return
        elif is_option(word) or (word.opaque and word.prefix == "-"):
            found.index = read_option(words, found.index, runs.valued, note, long=runs.options)
        elif runs.assignments and not found.skipped and _ASSIGNED.match(text if known else word.prefix):
            name = text.partition("=")[0]
            found.assignments[name] = part_from(word, len(name) + 1)
            found.index += 1
        elif left > 0:
            left -= 1
            found.skipped.append(word)
            found.index += 1
            if left == 0 and runs.place == "container:":
                return
        else:
            return


def _note(name: str, value: Word | None, runs: Runs, found: Options) -> None:
    found.names.append(name)
    found.leaf |= name in runs.unless
    if value is None:
        return
    found.values[name] = value
    if name in runs.text:
        found.texts.append(value)
    if name in runs.folder:
        found.directory = value
