"""Commands that loosen the guard: Fairlead's own, and what takes the place of its programs."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import fits, same_reader, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.targets import Surroundings

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
)


def _fairlead(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _own(command, 1)


def _own(command: Command, skipped: int) -> Iterator[Effect]:
    given = read_arguments(command.argv[skipped:], valued=("--home", "--policy", "--root"))
    words = [word.text for word in given.operands]
    if given.has("--help", "-h"):
        return
    if any(not word.known for word in given.operands[:2]) or any(
        fits(path.split(), words) for path in LOOSENING
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


def python_module(command: Command) -> Iterator[Effect]:
    """`python -m fairlead off`: the same by another door."""
    texts = [word.text for word in command.argv]
    for index, text in enumerate(texts):
        module = (
            texts[index + 1]
            if text == "-m" and index + 1 < len(texts)
            else text[2:]
            if text.startswith("-m")
            else ""
        )
        if module.split(".")[0] == "fairlead":
            yield from _own(command, index + (2 if text == "-m" else 1))
            return


_OWN_NAME = lazy(r"^fairlead(?:-\w+)?(?:=|$)")


_UNASKED = lazy(r"\s--(?:dangerously-|yolo\b|skip-permissions|allow-all-tools|trust-all-tools|yes-always)")


def _renamed(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`alias fairlead-hook=true` and `hash -p /bin/true fairlead-hook` put something else in its place."""
    if len(command.argv) > 1 and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    elif any(_UNASKED.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


_SETTINGS = lazy(r"^(?:FAIRLEAD_\w+|CLAUDE_CONFIG_DIR|CODEX_HOME|\w*DISABLE_(?:ALL_)?HOOKS)=")
"""What says where the guard and the agents find their settings."""


def _exported(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What Fairlead reads from the environment is set for everything that follows."""
    functions = any(word.text == "-f" for word in command.argv[1:])
    if functions and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if any(_SETTINGS.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


def _hook(command: Command, where: Surroundings) -> Iterator[Effect]:
    """The program that agents start, with another home than the person's; and the way out that it has."""
    given = read_arguments(command.argv[1:], valued=("--home", "--for")).operands
    if given and (given[0].text == "off" or not given[0].known):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if any(name.startswith("FAIRLEAD_") for name in command.assignments):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


TABLE: dict[str, EffectReader] = {
    "fairlead": _fairlead,
    "fairlead-hook": _hook,
    **same_reader(_renamed, "alias hash enable"),
    **same_reader(_exported, "export declare setx"),
}
