"""What a search of folders looks for and where: the options of grep, ripgrep and `diff -r` that tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.model.value import Value

_GREPS = frozenset(("grep", "egrep", "fgrep"))
_GREP_VALUES = {
    "e": "regexp", "f": "file", "m": "max-count", "A": "context", "B": "context", "C": "context",
    "d": "directories", "D": "devices",
}  # fmt: skip
_GREP_LONG = {
    **dict.fromkeys(
        (
            "regexp", "file", "max-count", "after-context", "before-context", "context", "directories", "devices",
            "include", "exclude", "exclude-from", "exclude-dir", "label", "binary-files", "group-separator",
        ),
        True,
    ),
    **dict.fromkeys(
        (
            "recursive", "dereference-recursive", "invert-match", "null-data", "fixed-strings", "regexp-ignore",
            "no-messages", "null", "files-with-matches", "files-without-match", "line-number", "ignore-case",
            "no-ignore-case", "color", "colour", "count", "extended-regexp", "basic-regexp", "perl-regexp", "quiet",
            "silent", "with-filename", "no-filename", "word-regexp", "line-regexp", "only-matching", "text",
            "byte-offset", "initial-tab", "line-buffered", "no-group-separator", "binary",
        ),
        False,
    ),
}  # fmt: skip
"""By name, whether a value follows. A long option may be cut short as long as only one begins so."""
_RG_VALUES = {
    "e": "regexp", "f": "file", "g": "glob", "m": "max-count", "A": "context", "B": "context", "C": "context",
    "t": "type", "T": "type-not", "M": "max-columns", "r": "replace", "j": "threads", "d": "max-depth", "E": "encoding",
}  # fmt: skip
_RG_LONG = dict.fromkeys(
    (
        "regexp", "file", "glob", "iglob", "max-count", "after-context", "before-context", "context", "type", "type-not",
        "type-add", "max-columns", "replace", "max-depth", "sort", "sortr", "color", "colors",
    ),
    True,
)  # fmt: skip
_SHOWS_ALL = frozenset(("file", "invert-match", "null-data", "passthru", "type-add"))
_RECURSES = frozenset(("recursive", "dereference-recursive", "?"))
_FOLLOWS = frozenset(("dereference-recursive", "?"))
_LETTERS = {
    "r": "recursive",
    "R": "dereference-recursive",
    "v": "invert-match",
    "z": "null-data",
    "F": "fixed-strings",
}

Option = tuple[str, str]
"""Its long name, and its value; an operand has no name."""


class Search(Value):
    """`names` are globs, one of which the name of a file must fit; `passes_hidden` where those with a dot are
    passed over, and `follows` where links to folders are followed."""

    patterns: tuple[str, ...]
    folders: tuple[str, ...]
    names: tuple[str, ...] = ()
    everything: bool = False
    fixed: bool = False
    passes_hidden: bool = False
    follows: bool = False


def search_of(words: Sequence[str]) -> Search | None:
    """None for what searches no folders."""
    if words[0] in _GREPS:
        found = list(_options(words[1:], _GREP_VALUES, _GREP_LONG, shortened=True))
        names = _values(found, "include")
        recursive = ("directories", "recurse") in found or any(name in _RECURSES for name, _ in found)
        follows = any(name in _FOLLOWS for name, _ in found)
        searched = _search(found, names, fixed=words[0] == "fgrep").replace(follows=follows)
        return searched if recursive else None
    if words[0] == "rg":
        found = list(_options(words[1:], _RG_VALUES, _RG_LONG))
        names = tuple(each for each in (*_values(found, "glob"), *_values(found, "iglob")) if each[:1] != "!")
        chosen = bool(names) or any(name == "type" for name, _ in found)
        return _search(found, names).replace(passes_hidden=not chosen)
    if words[0] == "diff" and any(_is_recursive(word) for word in words[1:]):
        folders = tuple(word for word in words[1:] if not word.startswith("-"))
        return Search((), folders, everything=True)
    return None


def _is_recursive(word: str) -> bool:
    if word.startswith("--"):
        return len(word) > 3 and "--recursive".startswith(word)
    return word.startswith("-") and "r" in word


def _search(found: Sequence[Option], names: tuple[str, ...], *, fixed: bool = False) -> Search:
    given = {name for name, _ in found}
    patterns, operands = _values(found, "regexp"), _values(found, "")
    if not patterns:
        patterns, operands = operands[:1], operands[1:]
    everything = bool(given & _SHOWS_ALL) or "?" in given
    fixed = fixed or "fixed-strings" in given
    return Search(patterns, operands or (".",), names, everything, fixed)


def _values(found: Sequence[Option], wanted: str) -> tuple[str, ...]:
    return tuple(value for name, value in found if name == wanted)


def _options(
    words: Sequence[str], letters: Mapping[str, str], long: Mapping[str, bool], *, shortened: bool = False
) -> Iterator[Option]:
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (("", each) for each in rest)
        elif word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = _whole(name, long) if shortened else name
            yield name, value if equals or not long.get(name) else next(rest, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _bunch(word[1:], letters, rest)
        else:
            yield "", word


def _bunch(bunch: str, letters: Mapping[str, str], rest: Iterator[str]) -> Iterator[Option]:
    for place, letter in enumerate(bunch):
        if letter in letters:
            yield letters[letter], bunch[place + 1 :] or next(rest, "")
            return
        yield _LETTERS.get(letter, letter), ""


def _whole(name: str, long: Mapping[str, bool]) -> str:
    """The option that is meant by a beginning of its name; `?` where it is none that is known."""
    if name in long:
        return name
    meant = [each for each in long if each.startswith(name)]
    return meant[0] if len(meant) == 1 else "?"
