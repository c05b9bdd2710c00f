"""Commands in a file of whatever syntax, found line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.well_known_programs import is_well_known

_LINE = lazy(
    r"""^\s*(?:-\s+|\w[\w -]*:\s*|"[^"\n]*"\s*:\s*|[@+-]+|(?:RUN|run|cmds?|commands?|script)\s*[:=]\s*)*
    (.+?),?\s*$""",
    re.X,
)
_MOST_LINES = 200


def command_lines(text: str) -> Iterator[str]:
    """The lines, without what the file's own syntax puts before and after a command."""
    for line in text.replace("\\\n", " ").split("\n")[:_MOST_LINES]:
        match = _LINE.match(line)
        command = _unquoted(match[1]) if match else ""
        if is_well_known(command.split(" ", 1)[0].lstrip("@+-")):
            yield command.lstrip("@+-")


def _unquoted(text: str) -> str:
    """`{"scripts": {"x": "rm -rf y"}}` may stand in one line."""
    strings = re.findall(r'"((?:\\.|[^"\\])*)"', text)
    if text.startswith(("'", '"')) and text[-1:] == text[0]:
        return text[1:-1].replace('\\"', '"')
    return strings[-1].replace('\\"', '"') if strings and text.rstrip("} ").endswith('"') else text
