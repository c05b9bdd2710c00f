"""Compound commands: groups, subshells, branches, loops, functions."""

from __future__ import annotations

from fairlead.shell.bounds import MAX_ROUNDS
from fairlead.shell.expansion.descriptors import feed_sinks, new_path, open_for_writing
from fairlead.shell.expansion.globbed_paths import one_of
from fairlead.shell.expansion.parameters import compute_number, expand_indices
from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import Opened, open_redirects, write_file
from fairlead.shell.expansion.state import GOES_ON, State
from fairlead.shell.expansion.values import Array, Scalar, Variable, concat, unknown
from fairlead.shell.expansion.words_to_arguments import expand_parts, expand_text, expand_word, parts_text
from fairlead.shell.language.glob_patterns import compile_pattern
from fairlead.shell.language.syntax_tree import Compound, Sequence
from fairlead.shell.normal_form import word_text
from fairlead.shell.running.endless_loops import burns_without_end, fills_without_end, starts_without_end
from fairlead.shell.running.option_loops import ToldOptions, told_options
from fairlead.shell.running.tested_variables import after
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown

MAX_CHANGING = 8
"""Rounds of a loop that are followed while its variables change."""


COMPOUND = "{ }"
"""How a redirection came to be there that belongs to a group or a loop: what is in it most likely prints."""


def run_compound(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    if node.kind == "function":
        state.touch()
        state.functions[node.name] = node
        if run.sources.file is not None:
            run.defined[node] = run.sources.standing
        state.maybe.discard(node.name)
        state.variants.pop(node.name, None)
        if node.name == "command_not_found_handle":
            _walk(run, node.body, state.copy(), frame.inside("command_not_found_handle"))
        return ""
    if not node.redirects:
        return _KINDS[node.kind](run, node, state, frame)
    sinks, descriptors = len(run.sinks), state.descriptors
    opened = open_redirects(run, node.redirects, state, frame)
    inner = frame.copy()
    inner.feed = opened.feed
    inner.want = opened.sink is not None or (frame.want and not opened.diverted)
    call = Call({}, tuple(opened.redirects), node.start, node.end)
    if opened.redirects:
        run.emit([], call, state, inner.inside(COMPOUND))
    printed = _KINDS[node.kind](run, node, state, inner)
    if opened.redirects and inner.want and printed == "":
        run.emit([], call, state, inner)  # as if only the redirections stood there
    output = settle(opened, printed, state)
    state.descriptors = descriptors
    feed_sinks(run, sinks, state)
    return output


def settle(opened: Opened, output: Scalar, state: State) -> Scalar:
    """Put the output where the redirections send it; what is left goes to the caller."""
    if opened.sink is not None:
        write_file(opened.sink, output, state, append=opened.append)
    return "" if opened.diverted else output


def _walk(run: Reading, body: Sequence | None, state: State, frame: Frame) -> Scalar:
    return run.run_body(body, state, frame) if body else ""


def _group(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    return _walk(run, node.body, state, frame)


def _subshell(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    return _walk(run, node.body, state.copy(), frame)


def _if(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """Every branch may be taken."""
    outputs: list[Scalar] = []
    ends: list[State] = []
    for condition, body in node.clauses:
        _walk(run, condition, state, frame)
        state.ended = GOES_ON
        branch = state.copy()
        branch.conditional = True
        if run.sources.file is not None:
            after(branch, condition, holds=True)
            after(state, condition, holds=False)
        outputs.append(_walk(run, body, branch, frame))
        ends.append(branch)
    if node.body:
        certain, state.conditional = state.conditional, True
        outputs.append(_walk(run, node.body, state, frame))
        state.conditional = certain
    for end in ends:
        state.join(end)
    return _one_of(outputs, frame)


def _one_of(outputs: list[Scalar], frame: Frame) -> Scalar:
    """Several bodies, of which one prints: run as code, all of them have to be looked at."""
    found = [output for output in outputs if output != ""]
    return concat(found) if frame.want else ""


def _while(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """Round after round, while there is input to read or a round changes what the next one finds."""
    if run.sources.file is not None and not state.positional_options:
        told = told_options(node, state.positional)
        if told is not None and _takes_each_option(run, node, state, frame):
            return _options(run, node, told, state, frame)
    _note_endless(run, node, frame)
    outputs: list[Scalar] = []
    before = state.copy()
    state.conditional = True
    feed = frame.feed
    shifts = run.sources.file is not None and bool(state.positional)
    for number in range(MAX_ROUNDS):
        run.budget.spend()
        cursor, start = feed.cursor, (dict(state.variables), list(state.positional))
        _walk(run, node.condition, state, frame)
        if isinstance(feed.text, str) and feed.cursor > len(feed.text):
            break
        outputs.append(_walk(run, node.body, state, frame))
        state.ended = GOES_ON
        fed = feed.cursor != cursor and isinstance(feed.text, str)
        counts = state.positional != start[1] and not (run.sources.file and state.positional_options)
        if shifts and not state.positional and not state.positional_options:
            break  # `while [ $# -gt 0 ]`
        if run.budget.widening:
            _forget(state, start[0])
            break
        if not fed and not counts and (state.variables == start[0] or number >= MAX_CHANGING):
            _widen(run, node, state, start[0], frame)
            break
    state.join(before)
    state.conditional = before.conditional
    return concat(outputs) if frame.want else ""


_COMPARES = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
"""What takes both its sides for arithmetic, where a name stands for its value."""
_NAMED = frozenset(("-v", "-R"))
_TURNING = frozenset(("break", "return", "set", "shift", "eval", "source", ".", "unset"))
"""After them, the options are not taken one by one."""


def _takes_each_option(run: Reading, node: Compound, state: State, frame: Frame) -> bool:
    """Whether each option has its round, and no other; what it does with any is seen on the way."""
    first = len(run.commands)
    other = state.copy()
    other.conditional = True
    _walk(run, node.condition, other, frame)
    _walk(run, node.body, other, frame)
    turning = any(command.name in _TURNING for command in run.commands[first:])
    return not turning and "OPTIND" not in other.variables and "getopts" not in other.functions


def _options(run: Reading, node: Compound, told: ToldOptions, state: State, frame: Frame) -> Scalar:
    """A round for each option that the file was given."""
    outputs: list[Scalar] = []
    for letter, value in told.options:
        run.budget.spend()
        state.assign(told.name, letter)
        state.assign("OPTARG", value)
        outputs.append(_walk(run, node.body, state, frame))
        state.ended = GOES_ON
    return concat(outputs) if frame.want else ""


def _note_endless(run: Reading, node: Compound, frame: Frame) -> None:
    if starts_without_end(node, frame.feed):
        run.note(Unknown(Kind.ENDLESS), run.span(node.start, node.end, frame), executed=False)
    elif fills_without_end(node, frame.feed) or burns_without_end(node, frame.feed):
        run.note(Unknown(Kind.FILLING), run.span(node.start, node.end, frame), executed=False)


def _widen(run: Reading, node: Compound, state: State, start: dict[str, Variable], frame: Frame) -> None:
    """One more round in which everything that still changes may be anything."""
    if _forget(state, start):
        _walk(run, node.body, state, frame)
        state.ended = GOES_ON


def _forget(state: State, start: dict[str, Variable]) -> bool:
    """Whatever changed since then may be anything; whether there is any."""
    changing = [name for name, value in state.variables.items() if start.get(name) != value]
    for name in changing:
        state.assign(name, unknown(f"${name}", Unknown(Kind.ROUND, f"${name}")))
    return bool(changing)


def _for(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    values, sure = _loop_values(run, node, state, frame)
    if not values:
        return ""
    before = state.copy()
    state.conditional |= not sure
    outputs: list[Scalar] = []
    rounds = (
        values
        if len(values) <= MAX_ROUNDS
        else [unknown(f"${node.name}", Unknown(Kind.ONE_OF_VALUES, wording=str(len(values))))]
    )
    for number, value in enumerate(rounds):
        run.budget.spend()
        if run.budget.widening and len(rounds) > 1:
            value = unknown(f"${node.name}", Unknown(Kind.ONE_OF_VALUES, wording=str(len(values))))
        state.assign(node.name, value)
        outputs.append(_walk(run, node.body, state, frame))
        state.ended = GOES_ON
        if run.budget.widening and (number > 0 or value is not rounds[0]):
            break
    if node.kind == "select" or not sure:
        state.join(before)
    state.conditional = before.conditional
    return concat(outputs) if frame.want else ""


def _loop_values(run: Reading, node: Compound, state: State, frame: Frame) -> tuple[list[Scalar], bool]:
    """The values, and whether there is at least one: an unknown word may be empty."""
    if node.words is None:
        return list(state.positional), bool(state.positional)
    values: list[Scalar] = []
    sure = False
    for node_word in node.words:
        for word in expand_word(run, node_word, state, frame):
            sure |= word.known
            if word.opaque:
                values.append(unknown(word.text, word.opaque))
            elif word.glob:
                values.append(one_of(word.text))
            else:
                values.append(word.text)
    return values, sure


def _loop(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """`for ((…))`: the counter is not followed; two rounds show what a round does to the next."""
    _note_endless(run, node, frame)
    expression = parts_text(run, node.parts, state, frame)
    if not isinstance(expression, str):
        run.computed.append(expression.unknown)
    for part in (expression if isinstance(expression, str) else "").split(";"):
        compute_number(run, part, state, frame, expand_parts)
        name = part.strip().split("=")[0].strip("+-< >")
        if name.isidentifier():
            state.assign(name, unknown(f"${name}", Unknown(Kind.COUNTER, f"${name}")))
    before = state.copy()
    output = _walk(run, node.body, state, frame)
    state.ended = GOES_ON
    if state.touched != before.touched and not run.budget.widening:
        _walk(run, node.body, state, frame)
    state.join(before)
    return output


def _case(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """Every branch may be taken: a pattern that seems not to match is no safety. A file goes on from the one
    that surely is, though."""
    subject = expand_text(run, node.subject, state, frame) if node.subject else ""
    before = state.copy()
    outputs: list[Scalar] = []
    ends: list[State] = []
    certain = isinstance(subject, str) and run.sources.file is not None
    for patterns, body in node.cases:
        branch = before.copy()
        branch.conditional = True
        texts = [expand_text(run, pattern, branch, frame) for pattern in patterns]
        outputs.append(_walk(run, body, branch, frame))
        ends.append(branch)
        if certain and any(_fits(subject, text) for text in texts):
            branch.conditional = state.conditional
            state.become(branch)
            ends, certain = [], False
            _walk_rest(run, node, len(outputs), before, frame)
            break
        certain = certain and all(isinstance(text, str) for text in texts)
    for end in ends:
        state.join(end)
    return _one_of(outputs, frame)


def _walk_rest(run: Reading, node: Compound, first: int, before: State, frame: Frame) -> None:
    for patterns, body in node.cases[first:]:
        branch = before.copy()
        branch.conditional = True
        for pattern in patterns:
            expand_text(run, pattern, branch, frame)
        _walk(run, body, branch, frame)


def _fits(subject: Scalar, pattern: Scalar) -> bool:
    if not isinstance(subject, str) or not isinstance(pattern, str):
        return False
    compiled = compile_pattern([(pattern, False)], len(subject))
    return subject == pattern or (compiled is not None and compiled.fullmatch(subject) is not None)


def _arithmetic(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    expression = parts_text(run, node.parts, state, frame)
    if isinstance(expression, str):
        expand_indices(run, expression, state, frame, expand_parts)
    compute_number(run, expression, state, frame, expand_parts)
    return ""


def _test(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    words = [expand_text(run, word, state, frame) for word in node.words or []]
    for place, text in enumerate(words):
        if isinstance(text, str):
            expand_indices(run, text, state, frame, expand_parts)
        if text not in _COMPARES and _COMPARES.intersection(words[max(place - 1, 0) : place + 2]):
            compute_number(run, text, state, frame, expand_parts)
        elif place and words[place - 1] in _NAMED and not isinstance(text, str):
            run.computed.append(text.unknown)
    shown = " ".join(word_text(word) if isinstance(word, str) else word.shown for word in words)
    frame.forms.append(f"[[ {shown} ]]")
    return ""


def _coproc(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """It runs beside the shell, which writes to it and reads from it through two descriptors."""
    inner = frame.inside("coproc", span=None)
    inner.want = False
    child = state.copy()
    output, path = new_path(run), new_path(run)
    numbers = [each.rpartition("/")[2] for each in (output, path)]
    state.assign(node.name or "COPROC", Array({str(index): number for index, number in enumerate(numbers)}))
    open_for_writing(state, int(numbers[1]), Word(path))

    def run_beside() -> None:
        if path in state.files:
            inner.feed = Feed("pipe", state.files[path])
        _walk(run, node.body, child, inner)

    run.at_the_end(run_beside)
    return ""


_KINDS = {
    "group": _group,
    "subshell": _subshell,
    "if": _if,
    "while": _while,
    "until": _while,
    "for": _for,
    "select": _for,
    "loop": _loop,
    "case": _case,
    "arithmetic": _arithmetic,
    "test": _test,
    "coproc": _coproc,
}
