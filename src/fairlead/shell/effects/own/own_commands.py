"""Which of our own commands loosen, and whether these words are one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import fits, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word

LOOSENING = (
    "trust|allow|approve|audit|off|disable|uninstall|import|untrust|revoke|install|init|unlock",
    "daemon stop|restart|kill",
    "packs|hooks|pack|hook disable|enable",
    "policy set|edit|import",
    "journal prune|clear|delete|rotate|purge",
    "grants|grant *",
    "exceptions add|allow",
    "config set",
    "dashboard",
    "sessions forget",
    "learn accept",
    "log prune",
    "undo prune",
    "mcp install|uninstall|pin|unpin",
    "break-glass",
    "bundle codes|answer-keys|sign|publish|freshness|rotate",
    "fleet *",
)
_FLEET_LOOKS = frozenset(("asks", "status", "privacy", "show", "list", "machines"))
"""Those of `fairlead fleet` that change nothing; whatever else it can do decides who is believed."""
_FIRST = {path: frozenset(path.split()[0].split("|")) for path in LOOSENING}
_VERBS = frozenset().union(*_FIRST.values())
_GROUPS = frozenset().union(*(first for path, first in _FIRST.items() if " " in path))
"""Words of which the next one decides."""
OUR_OWN = frozenset(("off", "approve", "untrust", "trust", "allow", "break-glass"))
"""Verbs that hardly any other program has."""
_CLIENT = lazy(r"^fairlead-hook")
"""What agents start for each of their calls."""
_FIRST_WORDS = 12
"""Where a verb stands, behind a few options."""


def own_command(command: Command, skipped: int) -> Iterator[Effect]:
    """What one of our programs does; its own words begin after `skipped` others."""
    own = _without_server(command.argv[skipped:])
    given = read_arguments(own, valued=("--home", "--policy", "--root"))
    if given.has("--help", "-h"):
        return
    operands = [word for word in given.operands if not word.text.isdecimal()]  # of an option before the verb
    deciding = operands[: 2 if operands and operands[0].text in _GROUPS else 1]
    words = [word.text for word in operands]
    loosens = any(_says(path.split(), words) for path in LOOSENING)
    if words[:1] == ["fleet"]:
        loosens = loosens and words[1] not in _FLEET_LOOKS
    if words[:1] == ["bundle"]:
        loosens = loosens or given.has("--key")
    if words[:1] == ["undo"]:
        loosens = loosens or _undoes_more(command, given)
    if words[:1] == ["ui"]:
        loosens = loosens or given.has("--writable")
    if loosens or any(map(_is_hidden, deciding)):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    elif words[:1] == ["hook"] or (words and _CLIENT.match(command.name)):
        yield Effect(Action.CHANGE_GUARD, "made-up-call", command, what=shown(command))


def _without_server(words: Sequence[Word]) -> Sequence[Word]:
    """`fairlead mcp -- COMMAND` starts the command, which is judged by itself; its words are not ours."""
    texts = [word.text for word in words]
    end = texts.index("--") if "--" in texts else len(texts)
    return words[:end] if "mcp" in texts[:end] else words


def _says(path: Sequence[str], words: Sequence[str]) -> bool:
    """Between a group and its verb may stand the values of options."""
    group, verb = path[:1], path[1:]
    if not fits(group, words[:1]):
        return False
    return not verb or any(fits(verb, [word]) for word in words[1:])


def _undoes_more(command: Command, given: Arguments) -> bool:
    """Whether an undo could do more than to put back what was lost: what was saved may be a secret, what
    changed since is somebody's work, and what another home says was saved may be anything."""
    words = [word.text for wrapper in command.wrappers for word in wrapper.argv]
    moved = any(name.startswith("FAIRLEAD_") for name in (*command.assignments, *words))
    return moved or given.has("--force", "--to", "--diff", "--home")


def may_loosen(words: Sequence[Word]) -> bool:
    """Whether a program that is given these words would loosen, if it were ours; nearly never."""
    return any(word.text in _VERBS or _is_hidden(word) for word in words[:_FIRST_WORDS])


def says_to_loosen(words: Sequence[Word]) -> bool:
    """The same, by a word that stands there."""
    return any(word.text in _VERBS for word in words[:_FIRST_WORDS])


def _is_hidden(word: Word) -> bool:
    """`o?f` is `off` where a file has that name."""
    return not word.known or word.glob
