"""Commands that loosen the guard: Fairlead's own, and what takes the place of its programs."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.own_commands import own_command
from fairlead.shell.effects.own.unguarded_agents import WITHOUT_HOOKS
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.protected.hook_switches import switches_hooks_off
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
    elif command.name == "alias":
        for word in command.argv[1:9]:
            yield from _stands_for(word.text.partition("=")[2], command, where)


def _stands_for(text: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    """What an alias does whenever somebody types it: `alias ls='rm -rf ~'`."""
    if " " not in text:
        return
    from fairlead.shell.effects.script_effects import effects_of  # only for an alias
    from fairlead.shell.reader import read_script

    script = read_script(text, cwd=command.cwd or "/", home=where.home)
    placed = tuple(each.replace(start=command.start, end=command.end) for each in script.commands)
    for effect in effects_of(script.replace(commands=placed, text=""), where):
        if effect.action is not Action.RUN_UNKNOWN_CODE:
            yield effect


_SETTINGS = lazy(r"^(?:FAIRLEAD_\w+|CLAUDE_CONFIG_DIR|CODEX_HOME|\w*DISABLE_(?:ALL_)?HOOKS)=")
"""What says where the guard and the agents find their settings."""


def read_exporting(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """What Fairlead reads from the environment is set for everything that follows."""
    functions = any(word.text == "-f" for word in command.argv[1:])
    if functions and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if any(switches_hooks_off(word.text.partition("=")[0]) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, WITHOUT_HOOKS, command, what=shown(command))
    if any(_SETTINGS.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


def read_hook(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """The program that agents start, with another home than the person's, or told to switch itself off."""
    yield from own_command(command, 1)
    if any(name.startswith("FAIRLEAD_") for name in command.assignments):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
