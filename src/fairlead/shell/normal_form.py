"""One spelling for each command: words joined by one space, quoted only where they must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Redirect, Word

_SPECIAL = lazy(r"[\s'\"\\;&|<>()]")
_text_of = attrgetter("text")


def word_text(text: str) -> str:
    """The word as it would have to be written to mean one argument."""
    if text and not _SPECIAL.search(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def words_text(words: Iterable[Word]) -> str:
    return texts_text(list(map(_text_of, words)))


def texts_text(texts: Sequence[str]) -> str:
    if "" in texts or _SPECIAL.search("".join(texts)):
        texts = [word_text(text) if not text or _SPECIAL.search(text) else text for text in texts]
    return " ".join(texts)


def redirect_text(redirect: Redirect) -> str:
    number = "" if redirect.descriptor is None else str(redirect.descriptor)
    space = "" if redirect.operator in (">&", "<&") else " "
    return f"{number}{redirect.operator}{space}{word_text(redirect.target.text)}"


def line_text(words: Iterable[Word], redirects: Iterable[Redirect]) -> str:
    return " ".join(filter(None, [words_text(words), *map(redirect_text, redirects)]))


def command_text(command: Command) -> str:
    """A command with its redirections, without its wrappers."""
    return line_text(command.argv, command.redirects)
