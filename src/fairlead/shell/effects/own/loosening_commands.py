"""Commands that loosen the guard: Fairlead's own, and what takes the place of its programs."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.own_commands import own_command
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command


def read_fairlead(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from own_command(command, 1)


_OWN_NAME = lazy(r"^fairlead(?:-\w+)?(?:=|$)")


_UNASKED = lazy(r"\s--(?:dangerously-|yolo\b|skip-permissions|allow-all-tools|trust-all-tools|yes-always)")


def read_renaming(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`alias fairlead-hook=true` and `hash -p /bin/true fairlead-hook` put something else in its place."""
    if len(command.argv) > 1 and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    elif any(_UNASKED.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


_SETTINGS = lazy(r"^(?:FAIRLEAD_\w+|CLAUDE_CONFIG_DIR|CODEX_HOME|\w*DISABLE_(?:ALL_)?HOOKS)=")
"""What says where the guard and the agents find their settings."""


def read_exporting(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """What Fairlead reads from the environment is set for everything that follows."""
    functions = any(word.text == "-f" for word in command.argv[1:])
    if functions and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if any(_SETTINGS.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


def read_hook(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """The program that agents start, with another home than the person's, or told to switch itself off."""
    yield from own_command(command, 1)
    if any(name.startswith("FAIRLEAD_") for name in command.assignments):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
