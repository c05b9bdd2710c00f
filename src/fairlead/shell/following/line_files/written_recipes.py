"""Task runners whose file the same line wrote: what stands in it is taken to run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import file_text
from fairlead.shell.expansion.state import State
from fairlead.shell.following.line_files.build_files import commands_in
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.running import LOADS, loads_of
from fairlead.shell.programs.well_known_programs import is_well_known
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_LINE = lazy(
    r"""^\s*(?:-\s+|\w[\w -]*:\s*|"[^"\n]*"\s*:\s*|[@+-]+|(?:RUN|run|cmds?|commands?|script)\s*[:=]\s*)*
    (.+?),?\s*$""",
    re.X,
)
_CODE = {
    ".py": "python",
    "Rakefile": "ruby",
    ".js": "javascript",
    ".go": "any",
    ".rs": "any",
    "SConstruct": "python",
}
MAX_LINES = 200


def run_written_recipes(run: Reading, command: Command, state: State, frame: Frame) -> None:
    """What the files hold that this program reads, if the line wrote them."""
    if command.name not in LOADS:
        return
    loads = loads_of(command.name)
    span = (command.start, command.end)
    named = option_values(list(command.argv), *loads.recipe_options)
    for path in (*map(Word, loads.recipes), *named):
        name, text = path.text, file_text(run, path, state, frame.feed)
        if not isinstance(text, str):
            continue
        language = next((language for end, language in _CODE.items() if name.endswith(end)), "")
        if language:
            add_code(run, language, text, command)
            continue
        for line in (*commands_in(command.name, text), *_commands(text)):
            run.run_text(
                line, state.process(run.environment), frame.inside(f"{command.name} {name}", span=span)
            )


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
            for line in [*own, *_commands(text), *_EMBEDDED.findall(text)[:MAX_LINES]]:
                inner = frame.inside(f"{command.name} <()", span=(command.start, command.end))
                run.run_text(line, state.process(run.environment), inner)


def _commands(text: str) -> Iterator[str]:
    """The lines, without what the file's own syntax puts before and after a command."""
    for line in text.replace("\\\n", " ").split("\n")[:MAX_LINES]:
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
