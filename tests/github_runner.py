"""What the runner of GitHub Actions makes of a step: which lines it obeys, and what its files say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMAND = re.compile(r"::([^ :]+)(?: ([^:]*(?:%3A[^:]*)*?))?::(.*)", re.DOTALL)


def _plain(text: str) -> str:
    for escaped, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, character)
    return text


@dataclass
class Runner:
    """Reads a log as it does: a line ends at CR, LF or both, and a command may stand behind blanks."""

    commands: list[tuple[str, str, str]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    _token: str = ""

    def read(self, log: bytes) -> Runner:
        for line in re.split(r"\r\n|\r|\n", log.decode("utf-8", "replace")):
            self._line(line)
        assert not self._token, "commands are still stopped at the end of the step"
        return self

    def _line(self, line: str) -> None:
        found = _COMMAND.match(line.lstrip())
        if self._token:
            if line.strip() == f"::{self._token}::":
                self._token = ""
            else:
                self.shown.append(line)
        elif found is None:
            self.shown.append(line)
        elif found[1].lower() == "stop-commands":
            self._token = found[3]
        else:
            self.commands.append((found[1].lower(), _plain(found[2] or ""), _plain(found[3])))

    def named(self, name: str) -> list[tuple[str, str]]:
        return [(properties, data) for command, properties, data in self.commands if command == name]


def entries(path: Path) -> dict[str, str]:
    """What the runner reads in a file of variables or outputs; anything else in it is a failed step."""
    found: dict[str, str] = {}
    lines = iter(path.read_text(errors="surrogateescape").split("\n"))
    for line in lines:
        if not line:
            continue
        name, separator, delimiter = line.partition("<<")
        if not separator or "=" in name:
            name, _, found_value = line.partition("=")
            found[name] = found_value
            continue
        value: list[str] = []
        for each in lines:
            if each == delimiter:
                break
            value.append(each)
        else:
            raise AssertionError(f"{name} has no end")
        found[name] = "\n".join(value)
    return found
