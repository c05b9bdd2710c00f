"""Programs that run a command on other machines, given as one text."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Wrapper

_FUNCTION = lazy(
    r"^(?:system\.(?:reboot|shutdown|halt|poweroff|init)|service\.(?:stop|disable|mask)|pkg\.(?:remove|purge)"
    r"|file\.(?:remove|rmdir|write|append)|user\.(?:delete|add|chgroups)|cron\.(?:rm|set_job)\w*|ps\.(?:pkill|kill_pid)"
    r"|docker\.(?:rm|stop|kill)\w*|mysql\.(?:db_remove|user_remove)|postgres\.(?:db_remove|user_remove))$"
)
"""Functions of remote execution that lose or stop something, by their full names."""


def read_wsl(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """The system beside Windows: it can be ended, and it is given commands."""
    if any(word.text in ("--shutdown", "--terminate", "-t") for word in command.argv[1:2]):
        yield Effect(Action.SHUTDOWN, "shutdown", command, what=shown(command))
    yield from read_remote_runner(command, where, known)


def read_remote_runner(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """The first text that reads as a command, with what follows it."""
    texts = [word.text for word in command.argv]
    if any(_FUNCTION.match(text) for text in texts[1:]) and "test=True" not in texts:
        yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=" ".join(texts)[:200])
    for index, text in enumerate(texts[1:], start=1):
        if _is_program(text, where):
            line = text if " " in text else " ".join(texts[index:])
            yield from _remote(line, command, where)
            return


_SHOWING = ("cat", "env")
"""No record tells of them, and they show what another machine holds."""


def _is_program(text: str, where: Surroundings) -> bool:
    """Whether a text begins with a program that does something by its record."""
    words = text.removeprefix("sudo ").split(maxsplit=1)
    name = words[0].rsplit("/", 1)[-1] if words else ""
    program = where.programs.find(name)
    return name in _SHOWING or (program is not None and program.known)


def _remote(line: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    from fairlead.shell.effects.script_effects import effects_of

    script = read_script(line, cwd="/", home=where.home)
    outer = Wrapper(command.name, command.argv[:1], place=f"remote:{command.name}")
    placed = tuple(
        inner.replace(start=command.start, end=command.end, wrappers=(outer, *inner.wrappers), cwd=None)
        for inner in script.commands
    )
    yield from effects_of(script.replace(commands=placed), where)
