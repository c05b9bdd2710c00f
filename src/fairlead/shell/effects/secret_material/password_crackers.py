"""Programs that nobody starts but to get at passwords."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_LOOKS = names("--help -h --version -V --list version help")


def read_cracker(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Some take whatever else they are told as one more order, so that only the first word can say: help."""
    if not any(word.text.partition("=")[0] in _LOOKS for word in command.argv[1:2]):
        yield Effect(Action.READ_SECRET, "guess", command, what=shown(command))
