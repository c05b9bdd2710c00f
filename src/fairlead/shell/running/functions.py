"""Functions: what their body runs when they are called."""

from __future__ import annotations

from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.source_files import Standing
from fairlead.shell.expansion.state import EXITED, GOES_ON, State, Widened
from fairlead.shell.expansion.values import Scalar, Variable, of_word, unknown
from fairlead.shell.language.syntax_tree import Compound
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.running.handed_on import hands_on, multiplies
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown

MAX_RECURSION = 4
"""Calls of a function inside itself that are followed; the last with arguments that count as unknown."""
_IN_THE_CALL: Standing = (None, None, 0)


def run_function(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    name = words[0].text
    for other in state.variants.get(name, ()):
        _run_body(run, other, words, call, state.copy(), frame)
    return _run_body(run, state.functions[name], words, call, state, frame)


def _run_body(
    run: Reading, function: Compound, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    depth = run.active.count(function)
    if depth >= MAX_RECURSION:
        endless = function in run.defined and multiplies(function)
        unknown_end = Unknown(Kind.ENDLESS if endless else Kind.RECURSION, function.name)
        run.note(unknown_end, run.span(call.start, call.end, frame), executed=False)
        run.emit(words, call, state, frame)
        return output_of(run, words, state, frame)
    if run.budget.widening:
        return _run_widened(run, function, words, call, state, frame)
    arguments = [of_word(word) for word in words[1:]]
    if depth == MAX_RECURSION - 1:
        arguments = any_arguments(Kind.RECURSIVE_ARGUMENT)
    return _walk_body(run, function, arguments, call, state, frame)


def any_arguments(kind: str = Kind.ARGUMENT) -> list[Scalar]:
    return [unknown(f"${number}", Unknown(kind, f"${number}")) for number in range(1, 10)]


def _walk_body(
    run: Reading, function: Compound, arguments: list[Scalar], call: Call, state: State, frame: Frame
) -> Scalar:
    if function.body is None:
        return ""
    inner = frame.inside(f"function {function.name}", span=run.span(call.start, call.end, frame))
    outer = state.positional
    state.set_positional(arguments)
    before = dict(state.variables)
    run.active.append(function)
    run.local_names.append(set())
    standing = run.sources.standing
    run.sources.stand(run.defined.get(function, _IN_THE_CALL))
    try:
        return run.run_body(function.body, state, inner)
    finally:
        run.sources.stand(standing)
        run.active.pop()
        for local in run.local_names.pop():
            _restore(state, local, before)
        state.set_positional(outer)
        left_all = state.ended == EXITED and run.sources.file is not None
        state.ended = EXITED if left_all else GOES_ON


def _restore(state: State, name: str, before: dict[str, Variable]) -> None:
    if name in before:
        state.variables[name] = before[name]
    else:
        state.variables.pop(name, None)


def _run_widened(
    run: Reading, function: Compound, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    """The body is read once for all calls that are left. What it is given to run is run for each."""
    if hands_on(function) and len(words) > 1:
        inner = frame.inside(f"function {function.name}", span=run.span(call.start, call.end, frame))
        run.run_words(words[1:], Call({}, (), call.start, call.end), state, inner)
    known = run.whole.functions.get(function)
    if known is None:
        known = run.whole.functions[function] = Widened()
        _read_once(run, function, known, call, state, frame)
    else:
        for name, value in known.variables.items():
            state.assign(name, value)
        if known.moved:
            state.move(known.cwd)
    return known.output if frame.want else ""


def _read_once(
    run: Reading, function: Compound, known: Widened, call: Call, state: State, frame: Frame
) -> None:
    before, cwd = dict(state.variables), state.cwd
    arguments = any_arguments()
    known.output = _walk_body(run, function, arguments, call, state, frame)
    after = state.variables.items()
    known.variables = {name: value for name, value in after if before.get(name, before) is not value}
    known.moved, known.cwd = state.cwd != cwd, state.cwd
