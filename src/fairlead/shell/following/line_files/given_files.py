"""Files that a program is given by the line itself: what stands in them is taken to run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import fed_code
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial
from fairlead.shell.following.line_files.build_files import commands_in
from fairlead.shell.following.line_files.command_lines import command_lines
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind
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


_TOLD_STATEMENTS = names("psql pgcli mysql mariadb sqlite3 cockroach clickhouse-client duckdb")
"""Clients whose input is what a database is told."""
_ROOT = names("sudo doas pkexec su run0 runuser")
_OBEYED = names("--kubeconfig --config -K --eval --rcfile --init-file --defaults-file --playbook --vars-file")
"""Options behind which no data stands, whatever the program."""
_SET = lazy(
    r"^\s*(?:(?:pre|post)-?(?:up|down|start|stop|exec|invoke)|exec\w*|command|cmd|up|down|script|program|shell|run)"
    r"\s*[:= ]\s*['\"]?(.+?)['\"]?;?\s*$",
    re.I | re.M,
)
"""Settings whose value is a command, in whatever file."""
_SHELL = lazy(r"(?<![#!\w.])(?:/usr)?/bin/(?:ba|da|z|k)?sh(?![\w./-])(?!\s+-c|\s+[\w./~$])")
"""A shell that a file names, and that is given nothing to run."""


def run_given_files(run: Reading, command: Command, state: State, frame: Frame) -> None:
    """`tool --script <(…)`: what a program is given as a file of its own may be code of whatever kind, or
    settings with commands in them; so may any file that the line wrote, to a program that runs as root."""
    as_root = any(wrapper.name in _ROOT for wrapper in frame.wrappers)
    reads = command.name in _READING
    before = ""
    for word in command.argv[1:]:
        option, equals, path = word.text.rpartition("=")
        told, before = (option if equals else before) in _OBEYED, word.text
        handed = path.startswith("/dev/fd/")
        if (reads and not told) or not (handed or (as_root and "/" in path)):
            continue
        text = state.files.get(path)
        if isinstance(text, str):
            _run_text_of_file(run, text, command, state, frame, is_code=handed)
        elif isinstance(text, Partial) and text.network and handed:
            run.note(text.unknown.within(Kind.LOADS), (command.start, command.end), executed=True)


def told_statements(run: Reading, command: Command, state: State, frame: Frame) -> None:
    """`psql < a.sql`, `cat a.sql | psql`: what a file tells a database."""
    if command.name not in _TOLD_STATEMENTS or not run.sources.are_read:
        return
    text = fed_code(run, frame.feed, state)
    if isinstance(text, FileText):
        add_code(run, "sql", text, command)


def _run_text_of_file(
    run: Reading, text: str, command: Command, state: State, frame: Frame, *, is_code: bool
) -> None:
    if command.name == "curl":
        words = [Word("curl"), *map(Word, options_in(text))]
        run.run_words(words, Call({}, (), command.start, command.end), state.copy(), frame)
        return
    if is_code:
        add_code(run, "any", text, command)
    own = commands_in(command.name, text)
    embedded = [*_EMBEDDED.findall(text), *_SET.findall(text)]
    shells = _SHELL.findall(text)[:1]
    for line in [*own, *command_lines(text), *embedded[:_MOST_COMMANDS], *shells]:
        inner = frame.inside(f"{command.name} <()", span=(command.start, command.end))
        run.run_text(line, state.process(run.environment), inner)


_MOST_OPTIONS = 64


def options_in(text: str) -> Iterator[str]:
    """`curl -K`: options in a file, one on a line."""
    for line in text.splitlines()[:_MOST_OPTIONS]:
        name, _, value = line.strip().partition("=" if "=" in line else " ")
        if name and not name.startswith("#"):
            yield ("" if name.startswith("-") else "--") + name.strip()
            if value:
                yield value.strip(" \"'")
