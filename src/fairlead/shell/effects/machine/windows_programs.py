"""Programs of Windows, which shells there and in WSL can start: what they fetch and run, delete and open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command

_ADDRESS = lazy(r"(?:https?|ftp)://|\\\\[\w.-]+\\|^javascript:|^vbscript:|script:https?:", re.I)
_DELETES = lazy(r"\b(?:rd|rmdir|del|erase)\b.*/[sq]\b|\bformat(?:\.com)?\s+[a-z]:", re.I)


def read_cmd(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`cmd /c "rd /s /q C:\\"`; what it runs is read as a line of its own, too."""
    from fairlead.shell.effects.script_effects import effects_of

    line = " ".join(word.text for word in command.argv[1:])
    if _DELETES.search(line):
        yield Effect(Action.FORMAT, "format", command, what=shown(command))
    inner = re.match(r"(?i)^(?:/\w(?::\w+)?\s+)*/[ck]\s+(.+)", line, re.DOTALL)
    if inner is None:
        return
    script = read_script(inner[1].strip("\"'"), cwd=command.cwd or "/", home=where.home)
    placed = tuple(each.replace(start=command.start, end=command.end) for each in script.commands)
    yield from effects_of(script.replace(commands=placed, text=""), where)
    if _fetched_and_run(inner[1]):
        yield Effect(Action.RUN_NETWORK_CODE, "download-file", command, what=shown(command))


def _fetched_and_run(line: str) -> bool:
    """`curl x -o i.bat && i.bat`: a name without a path is looked for where one stands."""
    names = re.findall(
        r"(?:-o|/o|-O|-OutFile)\s*=?\s*\"?([\w.-]+\.(?:bat|cmd|exe|ps1|vbs|js|msi))", line, re.I
    )
    return any(
        re.search(rf"[&|]\s*(?:start\s+|call\s+)?\"?{re.escape(name)}", line, re.I) for name in names[:8]
    )


_HOME = lazy(r"^%(?:USERPROFILE|HOMEPATH|HOMEDRIVE%%HOMEPATH|HOME)%", re.I)


def read_del(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`del /f /s /q C:\\x`, `rd /s /q x`: switches begin with a slash."""
    switches = {word.text.lower() for word in command.argv[1:] if re.fullmatch(r"/\w(?::\S*)?", word.text)}
    for word in command.argv[1:]:
        if word.text.lower() not in switches and not word.text.startswith("-"):
            path = word.replace(text=_HOME.sub(lambda _: where.home, word.text))
            target = resolve(path, command, where)
            yield Effect(Action.DELETE, "rm", command, target, "/s" in switches, what=shown(command))


def read_script_host(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Hosts of scripts and installers, given an address: `mshta http://…`, `msiexec /i http://…`."""
    texts = [word.text for word in command.argv[1:]]
    if any("SetSuspendState" in text or "ExitWindows" in text for text in texts):
        yield Effect(Action.SHUTDOWN, "shutdown", command, what=shown(command))
    if any(_ADDRESS.search(text) for text in texts):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))


def read_fetching_tool(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Tools made for something else that are known for bringing programs in."""
    if any(_ADDRESS.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=shown(command),
                     detail="a download by a tool that is made for something else")  # fmt: skip
