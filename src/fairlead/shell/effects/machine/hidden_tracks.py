"""Commands and variables by which a shell no longer writes down what was done."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_FILES = names(
    "HISTFILE HISTFILESIZE HISTSIZE SAVEHIST LESSHISTFILE MYSQL_HISTFILE PSQL_HISTORY fish_history"
)
_NOT_STORED = lazy(r"(?i)^hist_?no_?store$|^no_?(?:inc_?)?append_?history$")
_NOWHERE = ("", "/dev/null", "0", "-")


def forgets(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`history -c`, `unset HISTFILE`, `set +o history`, `fc -p`, `Clear-History`."""
    texts = [word.text for word in command.argv[1:]]
    cleared = command.name == "history" and any(
        text in ("-c", "-cw", "-wc", "clear", "clear-session") for text in texts
    )
    unset = command.name == "unset" and not _FILES.isdisjoint(texts)
    off = command.name == "set" and "history" in texts and "+o" in texts
    off = off or (command.name == "shopt" and "history" in texts and any("u" in text for text in texts[:2]))
    off = off or (command.name == "setopt" and any(map(_NOT_STORED.match, texts)))
    if cleared or unset or off or (command.name == "fc" and texts[:1] == ["-p"]):
        yield _hidden(command, shown(command))


def by_setting(command: Command) -> Iterator[Effect]:
    """`export HISTFILE=/dev/null`, `HISTSIZE=0`: for the shell that goes on, not for one command."""
    given = [(name, word.text) for name, word in command.assignments.items()] if not command.argv else []
    given += [
        (name, value)
        for name, equals, value in (word.text.partition("=") for word in command.argv[1:])
        if equals
    ]
    for name, value in given:
        if name in _FILES and value in _NOWHERE:
            yield _hidden(command, f"{name}={value}")
            return
    agent = command.assignments.get("SSH_AUTH_SOCK")
    if agent is not None and _borrowed(agent):
        yield Effect(Action.READ_SECRET, "watch", command, what=f"SSH_AUTH_SOCK={agent.text}"[:120])


def _borrowed(agent: Word) -> bool:
    """Whether the socket is one that was found, or one of another session."""
    found = agent.opaque.mentions() if agent.opaque is not None else ()
    return any("/ssh-" in text or "agent." in text for text in (agent.text, *found))


def _hidden(command: Command, what: str) -> Effect:
    return Effect(Action.CHANGE_SYSTEM, "hide-tracks", command, what=what)
