"""Files that a program is given by the line itself: what stands in them is taken to run."""

from __future__ import annotations

import re

from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.following.line_files.build_files import commands_in
from fairlead.shell.following.line_files.command_lines import command_lines
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_MOST_COMMANDS = 200
_EMBEDDED = lazy(
    r"(?:^|[\s\"'(;{>=|&])((?:sudo\s+)?(?:rm|shred|dd|mkfs[\w.]*|truncate|find|git)\s+[^\"'<>(){};\n]+)", re.M
)
"""Commands inside the syntax of another language."""
_READING = names(
    """
    cat less more head tail grep rg egrep fgrep ag ack wc sort uniq cut tr sed awk jq yq diff cmp comm paste
    join cp mv ln install tee chmod chown touch stat file ls rm git gh glab curl wget base64 xxd md5sum
    sha256sum shasum code vim nvim psql mysql sqlite3 kubectl helm aws gcloud docker ssh scp rsync echo
    printf test [ [[
    """
)
"""Programs to which a file is data."""


def run_given_files(run: Reading, command: Command, state: State, frame: Frame) -> None:
    """`tool --script <(…)`: what a program is given as a file of its own may be code of whatever kind, or
    settings with commands in them."""
    if command.name in _READING:
        return
    for word in command.argv[1:]:
        text = state.files.get(word.text) if word.text.startswith("/dev/fd/") else None
        if isinstance(text, str):
            add_code(run, "any", text, command)
            own = commands_in(command.name, text)
            for line in [*own, *command_lines(text), *_EMBEDDED.findall(text)[:_MOST_COMMANDS]]:
                inner = frame.inside(f"{command.name} <()", span=(command.start, command.end))
                run.run_text(line, state.process(run.environment), inner)
