"""The entry: from shell text to what it would run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from fairlead.shell.bounds import MAX_TEXT, Exhausted
from fairlead.shell.expansion.reading import FolderReader, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.language.statements import parse
from fairlead.shell.normal_form import words_text
from fairlead.shell.places.paths import normal
from fairlead.shell.printing.edited_text import edited_text
from fairlead.shell.running.dispatch import run_words, runs_alone
from fairlead.shell.running.simple_commands import plain_words, run_plain
from fairlead.shell.running.walk import walk_refused, walk_sequence, walk_text
from fairlead.shell.script import Command, FileReader, Opaque, Script, Word
from fairlead.shell.unknown import Kind, Unknown

MAX_TRAPS = 20
_normal_place = lru_cache(maxsize=16)(normal)
"""Readings begin in the same few places all day long."""
_NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})


class _Walk(Reading):
    capture = walk_sequence
    run_words = run_words
    run_text = walk_text
    edited = edited_text


def read_script(
    text: str | bytes,
    *,
    cwd: str,
    home: str,
    top: str | Callable[[], str] = "",
    environment: Mapping[str, str] = _NO_ENVIRONMENT,
    files: FileReader | None = None,
    folders: FolderReader | None = None,
    searched: tuple[str, ...] = (),
    own: frozenset[str] = frozenset(),
) -> Script:
    """Everything that `text` would run in bash, started in `cwd`.

    `top` is the top of the repository around `cwd`, where that is known, or what finds it. `environment` is
    what is known of the variables at the start. `files` may look at a file's content, for a file that would
    run; without it such a file is a program like any other. `FileReader` says what it answers. What comes out
    of a file says so by its `origin`. `folders` may list the names in a folder, for a runner that works on
    several packages of a project. `searched` are folders on the PATH, besides those that the text itself puts
    there, whose programs are worth a look: those of the project. `own` are files that are worth a look where
    a runner takes all files of a folder. Never raises on any text.
    """
    source = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
    size = len(text) if text.isascii() or isinstance(text, bytes) else len(_encoded(text))
    if size > MAX_TEXT:
        return Script(source, opaque=(Opaque(Unknown(Kind.TEXT_TOO_LONG), 0, size, True),))
    words = plain_words(source) if source.isascii() and "\0" not in source else []
    if words and not searched and runs_alone(words[0].text):
        return _one_command(source, words, _normal_place(cwd))
    run = _Walk(
        source.replace("\0", ""),
        home=_normal_place(home),
        top=top,
        environment=environment,
        files=files,
        folders=folders,
    )
    run.searched = searched
    run.sources.own = own
    if "\0" in source:
        run.note(Unknown(Kind.NUL_BYTES), (0, size), executed=True)
    state = State(_normal_place(cwd))
    assigned = state.assigned
    _read(run, words, state, size)
    if run.code and run.sources.are_read:
        from fairlead.shell.following.loaded_code.follow_loaded import follow_loaded  # only for code

        follow_loaded(run)
    return Script(
        source,
        tuple(run.commands),
        tuple(run.code),
        tuple(run.opaque),
        tuple(run.pipelines),
        *run.sources.seen(),
        run.budget.spent,
        tuple(run.sources.collected),
        frozenset(assigned),
        frozenset(run.assumed_unset),
        tuple(dict.fromkeys(run.computed)),
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _one_command(text: str, words: list[Word], cwd: str) -> Script:
    """A line of plain words whose program does all of it itself: there is nothing to follow."""
    command = Command(tuple(words), cwd, pipeline=1, start=words[0].start, end=words[-1].end)
    return Script(text, (command,), pipelines=(words_text(words),))


def _read(run: Reading, words: list[Word], state: State, size: int) -> None:
    frame = Frame()
    try:
        if words:
            run_plain(run, words, state, frame)
        else:
            tree, faults = parse(run.text, run.budget)
            if faults:
                walk_refused(run, run.text, faults, state, frame)
            walk_sequence(run, tree, state, frame)
        for number, run_trap in enumerate(run.at_end):  # a trap may set another one
            if number == MAX_TRAPS:
                run.note(Unknown(Kind.TOO_MUCH_AT_END), (0, size), executed=True)
                break
            run_trap()
    except Exhausted:
        run.opaque.append(Opaque(Unknown(Kind.TOO_MANY_STEPS), 0, size, True))
    except RecursionError:
        run.opaque.append(Opaque(Unknown(Kind.TOO_DEEP), 0, size, True))
