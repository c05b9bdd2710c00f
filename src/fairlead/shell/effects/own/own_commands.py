"""Which of our own commands loosen, and whether these words are one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import fits, shown
from fairlead.shell.script import Command, Word

LOOSENING = (
    "trust|allow|approve|off|disable|uninstall|import|untrust|revoke|install|init|unlock",
    "daemon stop|restart|kill",
    "packs|hooks|pack|hook disable|enable",
    "policy set|edit|import",
    "journal prune|clear|delete|rotate|purge",
    "grants|grant *",
    "exceptions add|allow",
    "config set",
    "dashboard",
    "sessions forget",
)
_FIRST = {path: frozenset(path.split()[0].split("|")) for path in LOOSENING}
_VERBS = frozenset().union(*_FIRST.values())
_GROUPS = frozenset().union(*(first for path, first in _FIRST.items() if " " in path))
"""Words of which the next one decides."""
OUR_OWN = frozenset(("off", "approve", "untrust", "trust", "allow"))
"""Verbs that hardly any other program has."""
_FIRST_WORDS = 12
"""Where a verb stands, behind a few options."""


def own_command(command: Command, skipped: int) -> Iterator[Effect]:
    """What one of our programs does; its own words begin after `skipped` others."""
    given = read_arguments(command.argv[skipped:], valued=("--home", "--policy", "--root"))
    if given.has("--help", "-h"):
        return
    deciding = given.operands[: 2 if given.operands and given.operands[0].text in _GROUPS else 1]
    words = [word.text for word in given.operands]
    if any(map(_is_hidden, deciding)) or any(fits(path.split(), words) for path in LOOSENING):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


def may_loosen(words: Sequence[Word]) -> bool:
    """Whether a program that is given these words would loosen, if it were ours; nearly never."""
    return any(word.text in _VERBS or _is_hidden(word) for word in words[:_FIRST_WORDS])


def says_to_loosen(words: Sequence[Word]) -> bool:
    """The same, by a word that stands there."""
    return any(word.text in _VERBS for word in words[:_FIRST_WORDS])


def _is_hidden(word: Word) -> bool:
    """`o?f` is `off` where a file has that name."""
    return not word.known or word.glob
