"""Paths that git subcommands show, take, move or change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_READING = names("show cat-file diff blame archive annotate whatchanged format-patch")
_BY_OPTION = names("log reflog diff-tree diff-index diff-files rev-list")
"""They show content only where they are told so."""
_TAKING = frozenset(("commit", "tag", "notes", "config", "merge"))
_MAKING = frozenset(("archive", "format-patch", "diff", "log", "show"))


def touched_by_git(name: str, given: Arguments, command: Command, where: Surroundings) -> Iterator[Effect]:
    """So that secrets and settings are protected in git as well."""
    if name in ("apply", "am"):
        yield from patched(command, where)
    for option in ("-o", "--output", "--output-directory") if name in _MAKING else ():
        for word in given.values.get(option, ()):
            yield Effect(
                Action.OVERWRITE, f"git-{name}", command, resolve(word, command, where), what=f"git {name}"
            )
    for option in ("-F", "-f", "--file") if name in _TAKING else ():
        for word in given.values.get(option, ()):
            yield Effect(Action.READ, f"git-{name}-file", command, resolve(word, command, where))
    if name == "mv":
        yield from _moved(given.operands, command, where)
        return
    action, words = _touching(name, given)
    for word in words:
        path = word.text
        if action is Action.READ and ":" in path and not path.startswith(":("):
            path = path.rpartition(":")[2] if not word.known else re.sub(r"^[^:]*:(?:[0-3]:)?", "", path)
        if action is Action.READ and not word.known and "$" not in path:
            word = word.replace(opaque=None, prefix="")
        if path:
            yield Effect(action, f"git-{name}", command, resolve(word.replace(text=path), command, where))


def _moved(words: tuple[Word, ...], command: Command, where: Surroundings) -> Iterator[Effect]:
    """`git mv FROM… TO`."""
    if len(words) < 2:
        return
    aim = resolve(words[-1], command, where)
    for word in words[:-1]:
        yield Effect(Action.MOVE_AWAY, "git-mv", command, resolve(word, command, where), detail=aim.path)
    yield Effect(Action.OVERWRITE, "git-mv", command, aim, what="git mv", detail=words[0].text)


def _touching(name: str, given: Arguments) -> tuple[Action, tuple[Word, ...]]:
    words = given.operands
    first = words[0].text if words else ""
    told = name in _BY_OPTION and given.has("-p", "-u", "--patch", "-G", "-L")
    if name in _READING or told or name == "add":
        return Action.READ, words
    if name == "grep":
        return Action.READ, words if given.has("-e", "-f") else words[1:]
    if name == "hash-object" and given.has("-w"):
        return Action.READ, words
    if name == "stash" and given.dashes == 0:
        return Action.MOVE_AWAY, words
    if name == "stash" and first in ("show", "push"):
        return (Action.READ if first == "show" else Action.MOVE_AWAY), words[1:]
    if name == "clone" and len(words) > 1:
        return Action.WRITE, words[1:]
    if (name, first) == ("worktree", "add") or (name, first) == ("bundle", "create"):
        return Action.WRITE, words[1:2]
    if name in ("checkout", "restore"):
        return Action.WRITE, _from_another_commit(name, given)
    if name == "clean" and given.has("-x", "-X") and not given.has("-n", "--dry-run"):
        return Action.DELETE, words
    if name == "rm" and not given.has("--cached", "-n", "--dry-run"):
        return Action.DELETE, words
    return Action.LIST, ()


def _from_another_commit(name: str, given: Arguments) -> tuple[Word, ...]:
    """What gets the content of another commit: `checkout REF -- PATH…`, `restore --source=REF PATH…`."""
    if name == "restore":
        return given.operands if given.has("-s", "--source") else ()
    if given.has("-b", "-B", "--orphan"):
        return ()
    return given.operands[given.dashes if given.dashes is not None else 1 :] if given.dashes != 0 else ()


def patched(command: Command, where: Surroundings) -> Iterator[Effect]:
    """The files that a patch on the input changes."""
    for path in re.findall(r"^(?:\+\+\+|---) (?:[ab]/)?([^\t\n]+)", command.stdin.text or "", re.MULTILINE):
        if path != "/dev/null":
            target = resolve(Word(path.strip()), command, where)
            yield Effect(Action.WRITE, "patch", command, target, what="a patch")
