"""Which branches a git command is about: those that it names, and the one that it is on."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED, VALUED
from fairlead.shell.places.world import text_of
from fairlead.shell.script import Command, Word

ANY = "*"
"""As pushed by `--all` and `--mirror`."""
_ON_THE_CURRENT = frozenset(("commit", "merge", "rebase", "reset", "revert", "cherry-pick", "am", "pull"))
_HEADS = "refs/heads/"


def branches_of(command: Command) -> Iterator[str]:
    """Their short names; `ANY` where it is every branch."""
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    if command.name != "git" or not outer.operands:
        return
    name = outer.operands[0].text
    given = read_arguments(outer.operands[1:], valued=VALUED.get(name, ()))
    folder = _folder(command, outer.values.get("-C", ()))
    if name == "push":
        if given.has("--all", "--mirror"):
            yield ANY
        yield from _pushed(given.operands[1:], folder)
        return
    if name in _ON_THE_CURRENT:
        yield from _current(folder)
    for word in given.operands:
        yield _short(word.text)


def _pushed(refs: tuple[Word, ...] | list[Word], folder: str) -> Iterator[str]:
    """The branch on the other side. Without one it is the current one, as far as git is set up as usual."""
    for word in refs:
        _, colon, destination = word.text.removeprefix("+").rpartition(":")
        if destination in ("HEAD", "@") and not colon:
            yield from _current(folder)
        elif destination:
            yield _short(destination)
    if not refs:
        yield from _current(folder)


def _short(ref: str) -> str:
    return ref.removeprefix("+").removeprefix(_HEADS)


def _folder(command: Command, moves: tuple[Word, ...] | list[Word]) -> str:
    folder = command.cwd or ""
    for word in moves:
        folder = os.path.join(folder, word.text) if word.known else ""
    return folder


def _current(folder: str) -> Iterator[str]:
    """From the file that says so; nothing of the repository runs. Unknown is every branch."""
    while folder.startswith("/"):
        head = text_of(os.path.join(folder, ".git", "HEAD"))
        if head:
            if head.startswith(f"ref: {_HEADS}"):
                yield head.removeprefix(f"ref: {_HEADS}").strip()
            return
        if folder == "/":
            return
        folder = os.path.dirname(folder)
    yield ANY
