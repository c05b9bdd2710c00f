"""Libraries that run git under names of its own: `simpleGit().reset(['--hard'])`."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.call_syntax import Call
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_LIBRARY = lazy(r"simple[-_]?[gG]it|gitP\b|Rugged|Git\.open\(|nodegit|isomorphic-git")
_SUBCOMMANDS = names("reset clean checkout push stash branch rebase raw reset_hard rm")
_MODES = {"hard": "--hard", "merge": "--merge", "f": "-f", "force": "--force"}


def library_acts(calls: list[Call], text: str) -> Iterator[Act]:
    """Each call that is named as a subcommand of git, as that subcommand."""
    if not _LIBRARY.search(text):
        return
    for call in calls:
        if call.last in _SUBCOMMANDS:
            given = [argument for argument in call.arguments if argument]
            words = [_MODES.get(word, word) for word in (*given, *(w for each in call.lists for w in each))]
            head = {"raw": (), "reset_hard": ("reset", "--hard")}.get(call.last, (call.last,))
            yield Act("argv", words=("git", *head, *words))
        elif call.last == "deleteLocalBranch":
            yield Act("argv", words=("git", "branch", "-D", *(each for each in call.arguments[:1] if each)))
