"""From the words of a command to what runs: aliases, functions, builtins, wrappers, shells, or a program."""

from __future__ import annotations

from functools import lru_cache

from fairlead.shell.bounds import MAX_DEPTH, Exhausted
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import fed_code
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat
from fairlead.shell.following.interpreters import interpreter_for, run_interpreter
from fairlead.shell.following.line_files.edited_files import EDITORS, remember_edits
from fairlead.shell.following.line_files.fetched_files import installed, preloaded
from fairlead.shell.following.line_files.given_files import run_given_files, told_statements
from fairlead.shell.following.line_files.matched_scripts import run_matched
from fairlead.shell.following.line_files.script_files import SYSTEM_PROGRAMS, run_file
from fairlead.shell.following.line_files.written_files import WRITERS, remember
from fairlead.shell.following.loaded_files.loading_programs import loads_files
from fairlead.shell.following.runners import runner_for
from fairlead.shell.following.shells import run_shell
from fairlead.shell.following.wrapping import run_another
from fairlead.shell.normal_form import words_text
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.running import FOLLOWED, RECIPE_READERS, RUNS, SHELLS
from fairlead.shell.programs.well_known_programs import candidates, is_well_known
from fairlead.shell.running.builtins import BUILTINS
from fairlead.shell.running.functions import run_function
from fairlead.shell.script import Word, printing_programs, program_name
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_READ_OUT = names(
    """
    cat head tail sed awk base64 base32 base58 base16 xxd gpg openssl gunzip zcat rev tr cut jq strings od
    """
)
"""What prints what a file holds. Where a command is expected, it is written there to be run."""
_MATCHING_COST = 50
"""Steps for each program that a pattern can mean: patterns behind patterns would multiply."""


def run_words(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    budget = run.budget
    budget.left -= 1
    if budget.left < 0:
        raise Exhausted
    if not words:
        return ""
    if run.depth >= MAX_DEPTH:
        run.note(Unknown(Kind.TOO_DEEP), run.span(call.start, call.end, frame), executed=True)
        return ""
    run.depth += 1
    try:
        return _dispatch(run, words, call, state, frame)
    finally:
        run.depth -= 1


def _dispatch(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    head = words[0]
    if (head.opaque or head.glob) and run.sources.are_read:
        run_matched(run, words, call, state, frame)
    if head.opaque:
        return _run_unknown(run, words, call, state, frame)
    if head.text[:1] == "=" and is_well_known(head.text[1:]):  # zsh: where that program is
        return run.run_words([head.replace(text=head.text[1:]), *words[1:]], call, state, frame)
    if head.glob:
        return _run_matching(run, words, call, state, frame)
    if "/" in head.text:
        ran = run_file(run, words, call, state, frame)
        if ran is not None:
            return ran
    elif not frame.external:
        if head.text in state.aliases:
            _run_alias(run, words, call, state.copy(), frame)
        if head.text in state.functions:
            ran = run_function(run, words, call, state, frame)
            if head.text not in state.maybe:
                return ran
        if head.text in BUILTINS:
            return BUILTINS[head.text](run, words, call, state, frame)
    return _run_external(run, words, call, state, frame)


def _run_external(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """A program by its base name, wherever it lies."""
    head = words[0]
    if (state.files or run.sources.are_read) and "/" not in head.text:
        found = _program_on_path(run, head, state)
        if found is not None:
            run_file(run, [found, *words[1:]], call, state, frame)
    name = head.text if head.text.isalnum() else program_name(head.text)
    output = _run_by_name(run, name, words, call, state, frame)
    if name in EDITORS:
        remember_edits(run, words, state, frame)
    if name in RECIPE_READERS or loads_files(name):
        from fairlead.shell.following.recipe_files.run_recipes import run_recipes  # only for a runner

        run_recipes(run, words, call, state, frame)
    return output


def _run_by_name(
    run: Reading, name: str, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    if name in RUNS:
        ran = run_another(run, words, call, state, frame)
        if ran is not None:
            return ran
    if run.sources.are_read:
        run_matched(run, words, call, state, frame)
    if name in SHELLS:
        return run_shell(run, words, call, state, frame)
    if name in FOLLOWED:
        return runner_for(name)(run, words, call, state, frame)
    interpreter = interpreter_for(name)
    if interpreter:
        return run_interpreter(run, interpreter, words, call, state, frame)
    return run_program(run, words, call, state, frame)


def _program_on_path(run: Reading, head: Word, state: State) -> Word | None:
    """The file of that name in a folder of the PATH which the line sets, or that is searched in any case:
    one that the line wrote, or that is there."""
    value = state.variables.get("PATH")
    known = value if isinstance(value, str) else ""
    if isinstance(value, Partial):
        known = "".join(text for text, why in value.pieces if why is None)
    elif not known and not run.searched and not state.files:
        return None
    usual = _USUAL_FOLDERS if state.files else ()
    for folder in [*known.split(":")[:20], *run.searched]:
        path = absolute(f"{folder}/{head.text}", state.cwd) if folder else None
        if path is not None and (path in state.files or _is_on_disk(run, path)):
            return head.replace(text=path)
    for folder in usual:
        path = f"{folder.replace('~', run.home)}/{head.text}"
        if path in state.files:
            return head.replace(text=path)
    return None


_USUAL_FOLDERS = ("/usr/local/bin", "/usr/local/sbin", "/usr/bin", "/bin", "~/.local/bin", "~/bin")
"""Where a program is found that the line puts there, whatever the PATH says."""


def _is_on_disk(run: Reading, path: str) -> bool:
    return not path.startswith(SYSTEM_PROGRAMS) and run.sources.text(path, searched=True) is not None


@lru_cache(maxsize=512)
def runs_alone(name: str) -> bool:
    """Whether all that a program of that name does, given plain words, is its own: the same few are called
    all day long."""
    followed = (BUILTINS, RUNS, SHELLS, FOLLOWED, WRITERS, EDITORS, RECIPE_READERS)
    known = any(name in each for each in followed) or loads_files(name)
    return name.isalnum() and not known and interpreter_for(name) is None


def run_program(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """A program that runs nothing else that we know of."""
    command = run.emit(words, call, state, frame)
    if state.files or frame.feed.text is not None:
        span = (command.start, command.end)
        installed(run, words, state, span)
        preloaded(run, call.assignments.get("LD_PRELOAD"), state, span)
        run_given_files(run, command, state, frame)
    if frame.feed.kind != "inherit":
        told_statements(run, command, state, frame)
    if (command.name or program_name(words[0].text)) in WRITERS:
        remember(run, words, state, frame)
    return output_of(run, words, state, frame) if frame.want else ""


def _run_unknown(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """The command's own name is not known. It may also be empty, and then the next word is the command."""
    head = words[0]
    assert head.opaque is not None
    span = run.span(call.start, call.end, frame)
    code = head.opaque.network or _is_substituted_code(head)
    run.note(head.opaque.within(Kind.COMMAND), span, executed=code)
    if run.sources.are_read and head.pieces and head.pieces[0][1] is not None:
        _run_lines_read(run, head.opaque, state, frame)
    output = run_program(run, words, call, state, frame)
    emptied = _without_unset(head)
    if emptied is not head and is_well_known(emptied.text):
        run.run_words([_without_unset(word) for word in words], call, state, frame)
    rest = words[1:]
    if rest and not head.prefix and not head.ending and rest[0].known and not rest[0].text.startswith("-"):
        run.run_words(rest, call, state, frame)
    return output


def _run_lines_read(run: Reading, head: Unknown, state: State, frame: Frame) -> None:
    """`while read line; do $line; done < file`: the lines of the file run as those of a script do."""
    fed = frame.feed
    if fed.kind not in ("file", "pipe") or not (head.kind == Kind.INPUT or head.files):
        return
    text = fed_code(run, fed, state)
    if isinstance(text, str):
        run.run_text(text, state.copy(), frame.inside("read"))


def _is_substituted_code(head: Word) -> bool:
    """`$(cat file)` as a whole, where `$(cat file)/bin/tool` names a program in an unknown place."""
    substituted = (why for shown, why in head.pieces if why is not None and shown.endswith(")"))
    return any(map(_is_read_out, substituted)) and not any(shown for shown, why in head.pieces if why is None)


def _is_read_out(part: Unknown) -> bool:
    return part.kind in (Kind.CONTENT, Kind.CONTENT_READ) or not _READ_OUT.isdisjoint(printing_programs(part))


def _without_unset(word: Word) -> Word:
    """The word as it is if the variables in it that nothing sets are empty."""
    if not word.pieces or word.opaque is None or not word.opaque.only(Kind.UNSET):
        return word
    return Word("".join(text for text, why in word.pieces if why is None), start=word.start, end=word.end)


def _run_matching(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """A pattern names the command: every well-known program that it can mean."""
    names = candidates(words[0].text)
    if not names:
        return run_program(run, words, call, state, frame)
    output: Scalar = ""
    for name in names:
        run.budget.spend(_MATCHING_COST)
        head = words[0].replace(text=name, glob=False)
        output = run.run_words([head, *words[1:]], call, state, frame)
    return output


def _run_alias(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> None:
    """A shell that is not interactive expands no aliases, so this comes on top of what the name means."""
    name = words[0].text
    value = state.aliases.pop(name)
    span = run.span(call.start, call.end, frame)
    inner = frame.inside(f"alias {name}", span=span)
    inner.want = False
    rest = words_text(words[1:])
    text = concat((value, f" {rest}"))
    run.run_text(text, state, inner)
