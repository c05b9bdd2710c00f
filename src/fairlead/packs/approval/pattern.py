"""One line of an `approve:` list, and whether a command is what it means.

git commit *                                   any further words, but none that the program is known to run,
                                               load or write something by: those have to be written out
npm run test:* --silent                        a `*` inside a word stands for a part of that word
docker * logs                                  a `*` between words stands for one word
{program: docker, subcommand: compose logs}    the same as `docker compose logs *`
{command: npm test, in: /home/me/shop}         in that project alone
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase, translate
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.packs.approval.wary_words import is_wary

ANY = "*"
COMMAND, PROGRAM, SUBCOMMAND, IN = KEYS = ("command", "program", "subcommand", "in")
_HINT = '"npm test", {program: npm, subcommand: test}, or {command: npm test, in: /the/project}'
_NO_PROGRAM = re.compile(r"^[-*?\[$`]|[=;|&<>\s]")


class Options(NamedTuple):
    """A list of options, made ready to be asked."""

    exact: frozenset[str]
    globs: re.Pattern[str]
    letters: frozenset[str]
    values: Mapping[str, str]

    def has(self, word: str) -> bool:
        if word in self.exact or self.globs.match(word):
            return True
        if word.startswith("--") or len(word) < 3:
            return False
        return all(letter in self.letters or letter.isdigit() for letter in word[1:])


def read_options(listed: Sequence[str]) -> Options:
    names = [each.partition(" ")[0] for each in listed]
    globs = [_as_expression(name) for name in names if not _is_plain(name)]
    return Options(
        frozenset(filter(_is_plain, names)),
        re.compile("|".join(globs) or "(?!)"),
        frozenset(each[1] for each in listed if len(each) == 2),
        dict(each.split(" ", 1) for each in listed if " " in each),
    )


def _as_expression(name: str) -> str:
    return f"(?:{name[2:-2]})\\Z" if name.startswith("/^") else translate(name)


class Pattern(Value):
    """`words` are globs, or regular expressions as `/^...$/`; with `rest`, others may follow.

    `options` are those that may follow, as globs, where a starter set lists them; a single letter may stand
    in a bunch with others. One with a word after it (`-k *`) takes a value, which is like that word.
    `operands` are what the other words must be; `most` is how many there may be.
    """

    text: str
    words: tuple[str, ...]
    rest: bool = False
    options: Options | None = None
    operands: tuple[str, ...] | None = None
    most: int | None = None
    loads: tuple[str, ...] = ()
    """Names of files that the program takes orders from, which the line does not name."""
    members: tuple[str, ...] = ()
    """Names of such files in the folders below, where it works on several packages at once."""
    runs_operands: bool = False
    """Whether the files that it is given are code that it runs."""
    through: tuple[str, ...] = ()
    """The runners that may start it, such as `npx` and `uv run`."""
    prints_name: bool = False
    """Whether it prints one name, which no program takes for an option."""
    needs: tuple[str, ...] = ()
    """Words that must be among those that follow."""
    hands_on: bool = False
    """Whether it hands further words to a shell, which not every version of it quotes well."""
    takes_one_output: bool = False
    """Whether what another command prints may stand there as one word."""
    takes_outputs: bool = False
    """Whether any words at all may follow: what another command prints, for example."""
    project: str = ""
    """The only one that it counts in."""

    @property
    def takes_globs(self) -> bool:
        """Whether files that only the shell will name may be among its words: where none of them is run."""
        return self.options is not None and not self.loads

    def fits(self, words: Sequence[str]) -> bool:
        return not self.misfit(words)

    def is_about(self, words: Sequence[str]) -> bool:
        """Whether the words begin as it does: then what follows is why they do not fit."""
        return len(words) >= len(self.words) and all(map(_is_word, words, self.words))

    def misfit(self, words: Sequence[str]) -> str:
        """Why the words are not what it means; empty when they are."""
        if not self.is_about(words):
            return "it is not listed"
        further = words[len(self.words) :]
        if self.hands_on and (read := next(filter(_READ_BY_SHELL.search, words), "")):
            return f"`{read}` may be handed to a shell, which would read it"
        if further and not self.rest:
            return f"`{self.text}` has no further words, such as `{further[0]}`"
        for needed in self.needs:
            if not any(_is_word(word, needed) for word in further):
                return f"`{self.text}` is listed with words such as `{needed}`"
        operands, value = 0, ""
        for word in further:
            if _is_option(word):
                why, value = self._option_misfit(words[0], word), self._value_of(word)
            elif value:
                why = "" if _is_word(word, value) else f"`{word}` is no value that is listed"
                value = ""
            else:
                why, operands = self._operand_misfit(words[0], word), operands + 1
            if why:
                return why
        if self.most is not None and operands > self.most:
            return f"`{self.text}` takes no more than {self.most} of what are no options"
        return ""

    def _option_misfit(self, program: str, word: str) -> str:
        if self.options is None:
            return f"`{word}` has to be written out: {_WARY}" if is_wary(program, word) else ""
        return "" if self.options.has(word) else f"`{word}` is not among the options of `{self.text}`"

    def _value_of(self, option: str) -> str:
        return self.options.values.get(option, "") if self.options is not None else ""

    def _operand_misfit(self, program: str, word: str) -> str:
        if self.operands is None:
            wary = self.options is None and is_wary(program, word)
            return f"`{word}` has to be written out: {_WARY}" if wary else ""
        fits = any(_is_word(word, each) for each in self.operands)
        return "" if fits else f"`{word}` is not what `{self.text}` is listed with"


_READ_BY_SHELL = re.compile(r'[$`"\\\n]')
_WARY = "it can make the program run, load or write something else"


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _is_plain(word: str) -> bool:
    """Whether a word of a pattern stands for itself alone."""
    return not ("*" in word or "?" in word or "[" in word or word.startswith("/^"))


def _is_word(word: str, pattern: str) -> bool:
    if word == pattern or _is_plain(pattern):
        return word == pattern
    if pattern.startswith("/^") and pattern.endswith("$/"):
        return bool(_expression(pattern).fullmatch(word))
    return fnmatchcase(word, pattern)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern[1:-1])


class Patterns:
    """Those of one list, by the first two words that they are about, or by one."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._by_words: dict[tuple[str, ...], list[Pattern]] = {}
        for pattern in patterns:
            first = tuple(takewhile(_is_plain, pattern.words[:2]))
            self._by_words.setdefault(first, []).append(pattern)

    def fitting(self, words: Sequence[str], project: str) -> Pattern | None:
        for pattern in self._about(words):
            if pattern.project in ("", project) and pattern.fits(words):
                return pattern
        return None

    def misfit(self, words: Sequence[str], project: str) -> str:
        """Why none of them fits, by the one that comes nearest."""
        about = [pattern for pattern in self._about(words) if pattern.is_about(words)]
        nearest = max(about, key=lambda pattern: len(pattern.words), default=None)
        if nearest is None:
            return "it is not listed"
        return nearest.misfit(words) or f"`{nearest.text}` is listed for {nearest.project} alone"

    def _about(self, words: Sequence[str]) -> Iterator[Pattern]:
        for number in (2, 1, 0) if len(words) > 1 else (1, 0):
            yield from self._by_words.get(tuple(words[:number]), ())


def read_pattern(value: object) -> Pattern:
    """Raises PolicyError for what means nothing, and for what would mean everything."""
    if isinstance(value, str):
        return _of_words(value, value.split())
    if not isinstance(value, Mapping) or not all(key in KEYS for key in value):
        raise PolicyError(f"approve: {value!r} is no command", hint=_HINT)
    texts = {str(key): text for key, text in value.items()}
    if not all(isinstance(text, str) for text in texts.values()):
        raise PolicyError(f"approve: {value!r}: its values are texts", hint=_HINT)
    project = texts.get(IN, "")
    if IN in texts and not os.path.isabs(project):
        raise PolicyError(f"approve: {value!r}: `in` is the whole path of a project", hint=_HINT)
    if COMMAND in texts and (PROGRAM in texts or SUBCOMMAND in texts):
        raise PolicyError(f"approve: {value!r} names a command twice", hint=_HINT)
    words = texts.get(COMMAND, "").split()
    if COMMAND not in texts:
        words = [*texts.get(PROGRAM, "").split(), *texts.get(SUBCOMMAND, "").split(), ANY]
    return _of_words(" ".join(words), words).replace(project=os.path.normpath(project) if project else "")


def _of_words(text: str, words: list[str]) -> Pattern:
    rest = len(words) > 1 and words[-1] == ANY
    words = words[:-1] if rest else words
    if not words or _NO_PROGRAM.search(words[0]):
        raise PolicyError(
            f"approve: {text!r} does not begin with a program", hint="one command, such as `git commit *`"
        )
    return Pattern(text, tuple(words), rest)
