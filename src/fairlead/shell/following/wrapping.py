"""Runs what a wrapper runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairlead.shell.expansion.parameters import lookup
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar, of_word, of_words
from fairlead.shell.following.command_variables import run_variables
from fairlead.shell.following.wrapper_options import Options, read_options
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.record import EVERY_OPERAND, Runs
from fairlead.shell.programs.running import INTERPRETS, RUNS, Running, running_of
from fairlead.shell.script import Word, Wrapper, program_name
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_RUN_PYTHON = names("uv uvx pdm rye hatch pixi")
"""What gives a file of Python to Python."""
_ENV_VARIABLE = lazy(r"\$\{(\w+)\}")


def run_another(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar | None:
    """What a program runs that is one of `RUNS`; None where its subcommand runs nothing."""
    name = program_name(words[0].text)
    running = running_of(name)
    if running.itself is not None:
        if name == "env":
            words = _split_string(run, words, state)
        return _run_through(run, words, 1, running.itself, call, state, frame)
    index, runs = _find_subcommand(words, running)
    return None if runs is None else _run_through(run, words, index, runs, call, state, frame)


def _split_string(run: Reading, words: list[Word], state: State) -> list[Word]:
    """`env -S 'a b'` is `env a b`, with escapes for blanks and `${NAME}` of its own."""
    taken = 0
    for index, word in enumerate(words[1:], start=1):
        text = word.text
        if index == taken:
            continue
        if not text.startswith("-"):  # a variable or the program: its own options are none of env's
            break
        if text in ("-u", "--unset", "-C", "--chdir"):
            taken = index + 1
        if text in ("-S", "--split-string") and index + 1 < len(words):
            value, after = words[index + 1], index + 2
        elif text.startswith("--split-string="):
            value, after = part_from(word, len("--split-string=")), index + 1
        elif len(text) > 2 and text[0] == "-" and text[1] != "-" and "S" in text:
            place = text.index("S") + 1
            following = words[index + 1] if index + 1 < len(words) else Word("")
            value, after = (part_from(word, place), index + 1) if text[place:] else (following, index + 2)
        else:
            continue
        text = _ENV_VARIABLE.sub(lambda match: _value(run, state, match), value.text.replace("\\_", " "))
        split = [Word(each) for each in split_arguments(text)] if value.known else [value]
        return [*words[:index], *split, *words[after:]]
    return words


def _value(run: Reading, state: State, match: re.Match[str]) -> str:
    value = lookup(run, state, match[1])
    return value if isinstance(value, str) else match[0]


def runs_another(words: Sequence[Word]) -> bool:
    """Whether this is a program, or has a subcommand, that is known to run another command."""
    name = program_name(words[0].text)
    if name not in RUNS:
        return False
    running = running_of(name)
    return running.itself is not None or _find_subcommand(list(words), running)[1] is not None


def _find_subcommand(words: list[Word], running: Running) -> tuple[int, Runs | None]:
    path: tuple[str, ...] = ()
    index = 1
    while len(path) < _LONGEST_PATH:
        index = read_options(words, index, running.before).index
        if index >= len(words) or words[index].opaque:
            return index, None
        path = (*path, words[index].text)
        index += 1
        if path in running.subcommands:
            return index, running.subcommands[path]
        for known in running.subcommands:
            if known[: len(path)] == path:
                break
        else:
            return index, None
    return index, None


def _run_through(
    run: Reading, words: list[Word], start: int, runs: Runs, call: Call, state: State, frame: Frame
) -> Scalar | None:
    options = read_options(words, start, runs)
    if runs.named:
        words = [*words[:start], words[start - 1], *words[options.index :]]
        options = Options(start)
    name = program_name(words[0].text)
    inner = _inner_words(words, runs, options)
    if runs.package and not inner and name in INTERPRETS:
        return None  # `deno run file.ts`
    if not inner and not options.texts and _starts_shell(runs, options) and frame.feed.kind != "inherit":
        inner = [Word("sh")]
    if options.leaf or not (inner or options.texts):
        run.emit(words, call, state, frame)
        return output_of(run, words, state, frame)
    if runs.itself:
        run.emit(words, call, state, frame)
    through = frame.through(
        Wrapper(name, tuple(words[: options.index]), _place(runs, options)), external=not runs.builtin
    )
    child = _child_state(runs, options, state)
    output: Scalar = ""
    for text in options.texts:
        output = _run_text(run, name, of_word(text), call, child, through)
    if not inner or (options.texts and runs.operands < EVERY_OPERAND and not runs.by_shell):
        return output
    if runs.by_shell or _is_line(inner):
        return _run_text(run, name, of_words(inner), call, child, through)
    return _run_inner(run, inner, options, call, child, through, shell=runs.builtin)


def _is_line(inner: list[Word]) -> bool:
    """A whole command line in one word: many runners give it to a shell."""
    return len(inner) == 1 and inner[0].known and len(inner[0].text.split()) > 1


def _starts_shell(runs: Runs, options: Options) -> bool:
    return "*" in runs.shell or bool(runs.shell & set(options.names))


def _inner_words(words: list[Word], runs: Runs, options: Options) -> list[Word]:
    entry = next((options.values[name] for name in runs.program if name in options.values), None)
    inner = words[options.index :]
    if runs.package:
        return _packaged(inner)
    if inner and not entry and inner[0].text.startswith("-"):
        return []  # arguments for the image's own program
    return [entry, *inner] if entry and entry.text else inner


_PACKAGED = lazy(r"(?:npm:|(?![./]|path:)[^#\s]+#(?:[\w-]+\.)*)(@?[\w@/.-]+)")

_LONGEST_NAME = 200
_LONGEST_PATH = 3
"""Words of a subcommand, as in `az aks command invoke`."""


def _packaged(inner: list[Word]) -> list[Word]:
    """`nixpkgs#tool -- rest` and `npm:tool@5 rest` run `tool rest`; what the project names is unknown."""
    package = _PACKAGED.fullmatch(inner[0].text[:_LONGEST_NAME]) if inner else None
    if package is None:
        return []
    return [Word(package[1]), *(inner[2:] if inner[1:2] and inner[1].text == "--" else inner[1:])]


def _place(runs: Runs, options: Options) -> str:
    if not runs.place:
        return ""
    return runs.place + (options.skipped[-1].text if options.skipped else "")


def _child_state(runs: Runs, options: Options, state: State) -> State:
    if not (runs.place or options.directory):
        return state
    child = state.copy()
    if runs.place:
        child.cwd, child.cwd_else, child.files = None, (), {}
    if runs.place == "chroot:":
        child.cwd = "/"
    elif options.directory:
        child.cwd = absolute(options.directory.text, state.cwd) if options.directory.known else None
    return child


def _run_text(run: Reading, name: str, text: Scalar, call: Call, state: State, frame: Frame) -> Scalar:
    inner = frame.inside(name, span=run.span(call.start, call.end, frame))
    return run.run_text(text, state.process(run.environment), inner)


def _run_inner(
    run: Reading,
    inner: list[Word],
    options: Options,
    call: Call,
    state: State,
    frame: Frame,
    *,
    shell: bool,
) -> Scalar:
    if options.assignments:
        span = run.span(call.start, call.end, frame)
        run_variables(run, options.assignments, state, frame, span)
        call = Call({**call.assignments, **options.assignments}, call.redirects, call.start, call.end)
        state = state.copy()
        for name, value in options.assignments.items():
            state.assign(name, of_word(value))
            state.export(name)
    head = inner[0].text
    if head.endswith(".py") and frame.wrappers[-1].name in _RUN_PYTHON:
        inner = [Word("python"), *inner]
    function = state.functions.pop(head, None) if shell else None
    alias = state.aliases.pop(head, None) if shell else None
    output = run.run_words(inner, call, state, frame)
    if function is not None:
        state.functions.setdefault(head, function)
    if alias is not None:
        state.aliases.setdefault(head, alias)
    return output
