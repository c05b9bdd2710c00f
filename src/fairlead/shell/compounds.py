"""Compound commands: groups, subshells, branches, loops, functions."""

from __future__ import annotations

import re

from fairlead.shell.arithmetic import compute
from fairlead.shell.bounds import MAX_ROUNDS
from fairlead.shell.expand import expand_text, expand_word, parts_text
from fairlead.shell.nodes import Compound, Sequence
from fairlead.shell.normal_form import word_text
from fairlead.shell.parameters import lookup
from fairlead.shell.reading import Call, Frame, Reading
from fairlead.shell.redirections import Opened, open_redirects, write_file
from fairlead.shell.state import State
from fairlead.shell.values import Scalar, concat, unknown

_GLOB_START = re.compile(r"[*?\[{(]")


def run_compound(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    if node.kind == "function":
        state.touched += 1
        state.functions[node.name] = node
        return ""
    opened = open_redirects(run, node.redirects, state, frame)
    inner = frame
    if node.redirects:
        inner = frame.copy()
        inner.feed = opened.feed
        inner.want = opened.sink is not None or (frame.want and not opened.diverted)
        if opened.redirects:
            run.emit([], Call({}, tuple(opened.redirects), node.start, node.end), state, inner)
    output = _KINDS[node.kind](run, node, state, inner)
    return settle(opened, output, state)


def settle(opened: Opened, output: Scalar, state: State) -> Scalar:
    """Put the output where the redirections send it; what is left goes to the caller."""
    if opened.sink is not None:
        write_file(opened.sink, output, state, append=opened.append)
    return "" if opened.diverted else output


def _walk(run: Reading, body: Sequence | None, state: State, frame: Frame) -> Scalar:
    return run.capture(body, state, frame) if body else ""


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
        state.ended = False
        branch = state.copy()
        outputs.append(_walk(run, body, branch, frame))
        ends.append(branch)
    if node.body:
        outputs.append(_walk(run, node.body, state, frame))
    for end in ends:
        state.join(end)
    return _one_of(outputs, frame)


def _one_of(outputs: list[Scalar], frame: Frame) -> Scalar:
    """Several bodies, of which one prints: run as code, all of them have to be looked at."""
    found = [output for output in outputs if output != ""]
    return concat(found) if frame.want else ""


def _while(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """Each line of a known input is one round; otherwise two rounds show what a round does to the next."""
    outputs: list[Scalar] = []
    before = state.copy()
    feed = frame.feed
    for number in range(MAX_ROUNDS):
        run.budget.spend()
        cursor, touched = feed.cursor, state.touched
        _walk(run, node.condition, state, frame)
        fed = feed.cursor != cursor
        if isinstance(feed.text, str) and feed.cursor > len(feed.text):
            break
        outputs.append(_walk(run, node.body, state, frame))
        state.ended = False
        if not fed and (number >= 1 or state.touched == touched):
            break
    state.join(before)
    return concat(outputs) if frame.want else ""


def _for(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    values = _loop_values(run, node, state, frame)
    if not values:
        return ""
    before = state.copy()
    outputs: list[Scalar] = []
    rounds = (
        values if len(values) <= MAX_ROUNDS else [unknown(f"${node.name}", f"one of {len(values)} values")]
    )
    for value in rounds:
        run.budget.spend()
        state.assign(node.name, value)
        outputs.append(_walk(run, node.body, state, frame))
        state.ended = False
    if node.kind == "select":
        state.join(before)
    return concat(outputs) if frame.want else ""


def _loop_values(run: Reading, node: Compound, state: State, frame: Frame) -> list[Scalar]:
    if node.words is None:
        return list(state.positional)
    values: list[Scalar] = []
    for node_word in node.words:
        for word in expand_word(run, node_word, state, frame):
            if word.opaque:
                values.append(unknown(word.text, word.opaque))
            elif word.glob:
                values.append(_matching(word.text))
            else:
                values.append(word.text)
    return values


def _matching(pattern: str) -> Scalar:
    """A path that is only known up to the folder in which the pattern starts."""
    fixed = _GLOB_START.split(pattern, maxsplit=1)[0].rpartition("/")
    known = fixed[0] + fixed[1]
    rest = unknown(pattern[len(known) :], f"a path that matches `{pattern}`")
    return concat((known, rest))


def _loop(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """`for ((…))`: the counter is not followed; two rounds show what a round does to the next."""
    expression = parts_text(run, node.parts, state, frame)
    for part in (expression if isinstance(expression, str) else "").split(";"):
        name = part.strip().split("=")[0].strip("+-< >")
        if name.isidentifier():
            state.assign(name, unknown(f"${name}", f"`${name}` counts in a loop"))
    before = state.copy()
    output = _walk(run, node.body, state, frame)
    state.ended = False
    if state.touched != before.touched:
        _walk(run, node.body, state, frame)
    state.join(before)
    return output


def _case(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    """Every branch may be taken: a pattern that seems not to match is no safety."""
    if node.subject:
        expand_text(run, node.subject, state, frame)
    before = state.copy()
    outputs: list[Scalar] = []
    ends: list[State] = []
    for patterns, body in node.cases:
        branch = before.copy()
        for pattern in patterns:
            expand_text(run, pattern, branch, frame)
        outputs.append(_walk(run, body, branch, frame))
        ends.append(branch)
    for end in ends:
        state.join(end)
    return _one_of(outputs, frame)


def _arithmetic(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    expression = parts_text(run, node.parts, state, frame)
    compute(expression, lambda name: lookup(run, state, name), state.assign)
    return ""


def _test(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    words = [expand_text(run, word, state, frame) for word in node.words or []]
    shown = " ".join(word_text(word) if isinstance(word, str) else word.shown for word in words)
    frame.forms.append(f"[[ {shown} ]]")
    return ""


def _coproc(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    inner = frame.inside("coproc", span=None)
    inner.want = False
    return _walk(run, node.body, state.copy(), inner)


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
