"""Which files of a work tree a subcommand of git would put away, and what it would put in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.model.value import Value
from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED, LONG_OPTIONS, VALUED
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Command, Word

_HERE = frozenset(("HEAD", "@"))
_UNKNOWN = ("-p", "--patch", "--pathspec-from-file", "--recurse-submodules", "--pathspec-file-nul")
_MAGIC = frozenset("*?[\\")


class Discarded(Value):
    """`paths` are absolute; none stands for the whole work tree."""

    paths: tuple[str, ...] = ()
    tracked: bool = True
    untracked: bool = False
    """As where another commit may hold a file of the same name."""
    ignored: bool = False
    revision: str = ""
    """What the whole work tree would become, where the words tell."""


def discarded_files(command: Command) -> Discarded | None:
    """None where the words do not tell."""
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    if command.name != "git" or not outer.operands or not outer.flags <= {"-C", "-P", "--no-pager"}:
        return None
    name = outer.operands[0].text
    given = read_arguments(outer.operands[1:], valued=VALUED.get(name, ()), long=LONG_OPTIONS.get(name, ()))
    reader = _READERS.get(name)
    return None if reader is None or given.has(*_UNKNOWN) else reader(command, given)


def _reset(command: Command, given: Arguments) -> Discarded:
    return _become(given.operands)


def _become(words: tuple[Word, ...]) -> Discarded:
    """Of the whole work tree."""
    named = words[0].text if len(words) == 1 and words[0].known and not words[0].glob else ""
    return _whole(any(word.text not in _HERE for word in words)).replace(revision=named)


def _whole(elsewhere: bool) -> Discarded:
    return Discarded(untracked=elsewhere)


def _checkout(command: Command, given: Arguments) -> Discarded:
    words = given.operands
    if given.has("-f", "--force"):
        return _become(words) if given.dashes is None else _whole(bool(words))
    if given.dashes is None:
        return _at(command, words, elsewhere=len(words) > 1 and words[0].text not in _HERE)
    commits = words[: given.dashes]
    return _at(command, words[given.dashes :], elsewhere=any(word.text not in _HERE for word in commits))


def _at(command: Command, words: tuple[Word, ...], *, elsewhere: bool) -> Discarded:
    paths = [_path(word, command) for word in words]
    if not paths or "" in paths:
        return _whole(elsewhere)
    return Discarded(tuple(paths), untracked=elsewhere, ignored=elsewhere)


def _path(word: Word, command: Command) -> str:
    """Empty for a pattern, and for what cannot be known."""
    text = word.text
    if not word.known or word.glob or text.startswith(":") or not _MAGIC.isdisjoint(text):
        return ""
    return absolute(text, command.cwd) or ""


def _restore(command: Command, given: Arguments) -> Discarded:
    source = given.text("-s", "--source")
    return _at(command, given.operands, elsewhere=bool(source) and source not in _HERE)


def _clean(command: Command, given: Arguments) -> Discarded:
    only = given.has("-X")
    found = _at(command, given.operands, elsewhere=False)
    return found.replace(tracked=False, untracked=not only, ignored=only or given.has("-x"))


_READERS: Mapping[str, Callable[[Command, Arguments], Discarded]] = {
    "reset": _reset,
    "checkout": _checkout,
    "switch": lambda command, given: _whole(elsewhere=True),
    "restore": _restore,
    "clean": _clean,
    "rm": lambda command, given: _at(command, given.operands, elsewhere=False),
}
