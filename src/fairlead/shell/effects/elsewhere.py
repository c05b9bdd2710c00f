"""Programs that run a command on other machines, given as one text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommands import same_reader, shown
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Wrapper
from fairlead.shell.targets import Surroundings

_COMMAND = re.compile(
    r"^(?:sudo\s+)?(?:rm|git|dd|mkfs[\w.]*|shred|find|reboot|shutdown|halt|poweroff|psql|mysql|redis-cli|systemctl|docker"
    r"|kubectl|chmod|chown|kill|killall|cat|printenv|env|truncate)\b"
)


def _runner(command: Command, where: Surroundings) -> Iterator[Effect]:
    """The first text that reads as a command, with what follows it."""
    texts = [word.text for word in command.argv]
    for index, text in enumerate(texts[1:], start=1):
        if _COMMAND.match(text):
            line = text if " " in text else " ".join(texts[index:])
            yield from _remote(line, command, where)
            return


def _remote(line: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    from fairlead.shell.effects.table import effects_of

    script = read_script(line, cwd="/", home=where.home)
    outer = Wrapper(command.name, command.argv[:1], place=f"remote:{command.name}")
    placed = tuple(
        inner.replace(start=command.start, end=command.end, wrappers=(outer, *inner.wrappers), cwd=None)
        for inner in script.commands
    )
    yield from effects_of(script.replace(commands=placed), where)


def _cmd(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Windows: `cmd /c "rd /s /q C:\\"`."""
    line = " ".join(word.text for word in command.argv[1:])
    if re.search(r"\b(?:rd|rmdir|del|erase)\b.*/s\b", line, re.IGNORECASE) or re.search(
        r"\bformat\s+[a-z]:", line, re.IGNORECASE
    ):
        yield Effect(Action.FORMAT, "format", command, what=shown(command))


TABLE: dict[str, EffectReader] = {
    **same_reader(_runner, "salt pssh parallel-ssh pdsh clush dsh fab wsl"),
    **same_reader(_cmd, "cmd cmd.exe"),
}
