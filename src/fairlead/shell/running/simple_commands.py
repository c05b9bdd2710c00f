"""Simple commands: expand the words, do the assignments, open the redirections, run what is named."""

from __future__ import annotations

from fairlead.shell.bounds import Exhausted
from fairlead.shell.expansion.descriptors import feed_sinks
from fairlead.shell.expansion.parameters import lookup
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import Opened, content_of, open_redirects
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Array, Partial, Reference, Scalar, Variable, concat, of_word
from fairlead.shell.expansion.words_to_arguments import expand_text, expand_word, parts_text
from fairlead.shell.following.command_variables import run_variables
from fairlead.shell.language.braces import expand_braces, has_braces
from fairlead.shell.language.lexer import WHOLE
from fairlead.shell.language.simple_syntax import DECLARATIONS
from fairlead.shell.language.statements import RESERVED
from fairlead.shell.language.syntax_tree import Assignment, Simple, WordNode
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import line_text, words_text
from fairlead.shell.running.compounds import settle
from fairlead.shell.running.dispatch import run_words
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind

_PLAIN_LINE = lazy(rf"(?P<program>[A-Za-z0-9_./:,@%+\-]+)(?:[ \t]+{WHOLE})*")
_WHOLE = lazy(WHOLE)
_LONGEST = 4096
"""So long a line has fewer words than a reading has steps."""


def run_simple(run: Reading, node: Simple, state: State, frame: Frame) -> Scalar:
    budget = run.budget
    budget.left -= 1
    if budget.left < 0:
        raise Exhausted
    if run.sources.mapped is not None:
        run.sources.place = node.start
    sinks, descriptors = len(run.sinks), state.descriptors
    output = _run_simple(run, node, state, frame)
    if state.descriptors is not descriptors and not _keeps_open(node):
        state.descriptors = descriptors
    if len(run.sinks) > sinks:
        feed_sinks(run, sinks, state)
    return output


def plain_words(text: str) -> list[Word]:
    """The words of a line that is one command of plain words, as most are: it is read without a tree.

    None where anything is left to expand, to assign or to connect, or where a keyword begins the line.
    """
    line = _PLAIN_LINE.fullmatch(text) if len(text) <= _LONGEST else None
    if line is None or line["program"] in RESERVED or line["program"] in DECLARATIONS:
        return []
    words = []
    for match in _WHOLE.finditer(text):
        words.append(Word(match[match.lastindex or 0], None, "", False, match.start(), match.end()))
    return words


def run_plain(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """The command of such a line: what the walk would do with its tree."""
    run.next_pipeline += 1
    frame.pipeline = run.next_pipeline
    run.budget.left -= len(words) + 2  # to read each of them, and to read and to run the command
    descriptors = state.descriptors
    run_words(run, words, Call({}, (), words[0].start, words[-1].end), state, frame)
    state.last, state.descriptors = words[-1].text, descriptors
    if run.sinks:
        feed_sinks(run, 0, state)
    run.pipelines.append(words_text(words))


def _keeps_open(node: Simple) -> bool:
    """`exec 3> file`: the shell's own descriptor from here on."""
    return [getattr(word, "plain", None) for word in node.words] in (["exec"], ["command", "exec"])


def _run_simple(run: Reading, node: Simple, state: State, frame: Frame) -> Scalar:
    words, declared = _expand_words(run, node, state, frame)
    assigned = _assigned(run, node.assignments, state, frame) if node.assignments else []
    if not node.redirects and (frame.want or 1 not in state.descriptors):
        call = Call({}, (), node.start, node.end)
        opened, inner = None, frame
    else:
        opened = open_redirects(run, node.redirects, state, frame)
        call = Call({}, tuple(opened.redirects), node.start, node.end)
        inner = frame.copy()
        inner.feed = opened.feed
        inner.want = opened.sink is not None or (frame.want and not opened.diverted)
    if assigned:
        span = run.span(node.start, node.end, frame)
        call.assignments = {each.name: _as_word(run, each, value, frame) for each, value in assigned}
        run_variables(run, call.assignments, state, frame, span)
    if run.sources.mapped is not None:
        run.sources.place = node.start  # what its words run stands elsewhere
    bare = not (call.redirects or call.assignments)
    frame.forms.append(words_text(words) if bare else _form(words, call))
    if not words:
        for each, value in assigned:
            assign(run, each, value, state, frame)
        run.emit([], call, state, inner)
        output: Scalar = _file_shown(opened, state) if opened and inner.want else ""
    elif assigned:
        output = _with_assignments(run, words, assigned, call, state, inner)
    else:
        output = run_words(run, words, call, state, inner)
    if words:
        state.last = of_word(words[-1]) if words[-1].opaque else words[-1].text
    for each, value in declared:
        if not isinstance(state.variables.get(each.name), Reference):
            assign(run, each, value, state, frame)
    return settle(opened, "" if _keeps_open(node) else output, state) if opened else output


def _form(words: list[Word], call: Call) -> str:
    form = line_text(words, call.redirects)
    if not call.assignments:
        return form
    return " ".join([*(f"{name}={value.text}" for name, value in call.assignments.items()), form]).rstrip()


def _file_shown(opened: Opened, state: State) -> Scalar:
    """`$(< file)` prints the file."""
    feed = opened.feed
    if feed.kind != "file" or feed.path is None:
        return ""
    if feed.text is not None:
        return feed.text
    return content_of(feed.path, state, Kind.CONTENT_READ, f"$(< {feed.path.text})")


def _expand_words(
    run: Reading, node: Simple, state: State, frame: Frame
) -> tuple[list[Word], list[tuple[Assignment, Variable]]]:
    words: list[Word] = []
    declared: list[tuple[Assignment, Variable]] = []
    as_it_stands = frame.span is None and run.offsets is None
    for each in node.words:
        if isinstance(each, WordNode):
            if as_it_stands and each.plain is not None:
                words.append(Word(each.plain, None, "", False, each.start, each.end))
            else:
                words += expand_word(run, each, state, frame)
        else:
            value = _value(run, each, state, frame, declared=True)
            declared.append((each, value))
            word = _as_word(run, each, value, frame)
            words.append(word.replace(text=f"{each.name}={word.text}"))
    return words, declared


def _assigned(
    run: Reading, assignments: list[Assignment], state: State, frame: Frame
) -> list[tuple[Assignment, Variable]]:
    return [(each, _value(run, each, state, frame)) for each in assignments]


def _with_assignments(
    run: Reading,
    words: list[Word],
    assigned: list[tuple[Assignment, Variable]],
    call: Call,
    state: State,
    frame: Frame,
) -> Scalar:
    """`X=1 command`: what the command itself runs sees X, and it is gone afterwards."""
    before = dict(state.variables)
    exported = set(state.exported)
    for each, value in assigned:
        assign(run, each, value, state, frame)
        state.export(each.name)
    output = run_words(run, words, call, state, frame)
    state.exported &= exported | {word.text.partition("=")[0] for word in words[1:]}
    for each, _ in assigned:
        if each.name in before:
            state.variables[each.name] = before[each.name]
        else:
            state.variables.pop(each.name, None)
    return output


def _value(run: Reading, node: Assignment, state: State, frame: Frame, *, declared: bool = False) -> Variable:
    """What is assigned; the braces in an argument of `export` expand, and the last of them counts."""
    if node.items is None and declared and has_braces(node.value.parts):
        lists = expand_braces(node.value.parts) or [node.value.parts]
        return [parts_text(run, parts, state, frame, tilde=True) for parts in lists][-1]
    if node.items is None:
        return expand_text(run, node.value, state, frame)
    array = Array({})
    for item in node.items:
        if isinstance(item, Assignment):
            key = parts_text(run, item.index or [], state, frame)
            array.associative |= isinstance(key, str) and not key.strip().isdigit()
            array.items[key if isinstance(key, str) else key.shown] = expand_text(
                run, item.value, state, frame
            )
        else:
            for word in expand_word(run, item, state, frame):
                array.items[str(array.next_index())] = of_word(word)
    return array


def _as_word(run: Reading, node: Assignment, value: Variable, frame: Frame) -> Word:
    span = run.span(node.start, node.end, frame)
    if isinstance(value, str):
        return Word(value, None, "", False, *span)
    if isinstance(value, Partial):
        prefix = "" if value.pieces[0][1] else value.pieces[0][0]
        return Word(value.shown, value.unknown, prefix, False, *span)
    items = value.items.values() if isinstance(value, Array) else []
    texts = [item if isinstance(item, str) else item.shown for item in items]
    return Word(f"({' '.join(texts)})", None, "", False, *span)


def assign(run: Reading, node: Assignment, value: Variable, state: State, frame: Frame) -> None:
    if node.index is not None:
        key = parts_text(run, node.index, state, frame)
        array = state.own_array(node.name, associative=isinstance(key, str) and not key.isdigit())
        if isinstance(value, str | Partial):
            array.items[key if isinstance(key, str) else key.shown] = value
    elif not node.append:
        state.assign(node.name, value)
    elif isinstance(value, Array):
        array = state.own_array(node.name)
        for item in value.items.values():
            array.items[str(array.next_index())] = item
    else:
        before = lookup(run, state, node.name)
        if isinstance(before, Array):
            before = before.items.get("0")
        known = before if isinstance(before, str | Partial) else ""
        state.assign(node.name, concat((known, value if isinstance(value, str | Partial) else "")))
