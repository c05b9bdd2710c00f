"""Reads the options of a wrapper, up to where the command that it runs starts."""

from __future__ import annotations

from fairlead.shell.following.wrappers import Wrap
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from

_ASSIGNED = lazy(r"[^=]+=")
_OLD_NUMBER = lazy(r"-\d+")


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


def read_options(words: list[Word], start: int, wrap: Wrap) -> Options:
    found = Options(start)
    if wrap.dashes:
        for index in range(start, len(words)):
            if words[index].text == "--" and not words[index].opaque:
                _walk(words[:index], wrap, found)
                found.index = index + 1
                return found
    _walk(words, wrap, found)
    return found


def _walk(words: list[Word], wrap: Wrap, found: Options) -> None:
    skip = wrap.skip
    while found.index < len(words):
        word = words[found.index]
        text, known = word.text, not word.opaque
        if known and text == "--" and not found.skipped:
            found.index += 1
            if skip == 0:
                return
        elif wrap.assigns and text == "-" and known:
            found.index += 1
        elif text in wrap.rest:
            found.index += 1
            return
        elif known and text.startswith("--"):
            _long_option(words, wrap, found)
        elif text.startswith("-") and len(text) > 1 and (known or word.prefix.startswith("-")):
            _short_options(words, wrap, found)
        elif wrap.assigns and not found.skipped and _ASSIGNED.match(word.prefix if word.opaque else text):
            name = text.partition("=")[0]
            found.assignments[name] = part_from(word, len(name) + 1)
            found.index += 1
        elif skip > 0:
            skip -= 1
            found.skipped.append(word)
            found.index += 1
            if skip == 0 and wrap.place == "container:":
                return
        else:
            return


def _note(name: str, value: Word | None, wrap: Wrap, found: Options) -> None:
    found.names.append(name)
    found.leaf |= name in wrap.leaf
    if value is None:
        return
    found.values[name] = value
    if name in wrap.texts:
        found.texts.append(value)
    if name in wrap.chdir:
        found.directory = value


def _long_option(words: list[Word], wrap: Wrap, found: Options) -> None:
    word = words[found.index]
    name, equals, _ = word.text.partition("=")
    found.index += 1
    start = len(name) + 1
    takes = name in wrap.long or name in wrap.texts or name in wrap.chdir
    if not takes and not equals:
        full = [each for each in wrap.long | wrap.texts if each.startswith(name)]
        if len(full) == 1 and len(name) > 3:
            name, takes = full[0], True
    if equals:
        _note(name, part_from(word, start), wrap, found)
    elif takes and found.index < len(words):
        found.index += 1
        _note(name, words[found.index - 1], wrap, found)
    else:
        _note(name, None, wrap, found)


def _short_options(words: list[Word], wrap: Wrap, found: Options) -> None:
    word = words[found.index]
    found.index += 1
    if _OLD_NUMBER.fullmatch(word.text):
        found.names.append(word.text)
        return
    for place, letter in enumerate(word.text[1:], 2):
        name = f"-{letter}"
        if letter not in wrap.takes and name not in wrap.texts:
            _note(name, None, wrap, found)
            continue
        if word.text[place:]:
            _note(name, part_from(word, place), wrap, found)
        elif found.index < len(words):
            found.index += 1
            _note(name, words[found.index - 1], wrap, found)
        else:
            _note(name, None, wrap, found)
        return
