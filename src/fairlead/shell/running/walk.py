"""The walk over a syntax tree: what would run, in order, with the state that each command finds."""

from __future__ import annotations

from itertools import islice, product

from fairlead.shell.bounds import MAX_CHOICES, MAX_TEXT
from fairlead.shell.expansion.reading import Feed, Frame, Reading
from fairlead.shell.expansion.redirections import contents
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import ARGUMENTS_CHOICE, CWD_CHOICE, GOES_ON, State
from fairlead.shell.expansion.values import Partial, Scalar, outputs_in_turn
from fairlead.shell.language.statements import parse
from fairlead.shell.language.syntax_tree import AndOr, Compound, Node, Pipeline, Sequence, Simple, SyntaxFault
from fairlead.shell.printing.settings_printers import prints_settings
from fairlead.shell.running.compounds import run_compound
from fairlead.shell.running.simple_commands import run_simple
from fairlead.shell.running.tested_variables import after
from fairlead.shell.running.whole_files import walk_file
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_SURE = names(
    """
    cd pushd popd mkdir echo printf true : export declare local readonly typeset set shopt umask touch
    pwd alias source . date sleep unset
    """
)
"""Commands after which `&&` is taken to go on: what follows them is not joined with the way around it."""


def walk_sequence(run: Reading, sequence: Sequence, state: State, frame: Frame) -> Scalar:
    outputs: list[Scalar] = []
    for item in sequence.items:
        state.ended = GOES_ON
        here = state.copy() if item.background else state
        if item.rest:
            outputs.append(_walk_and_or(run, item, here, frame))
        else:
            outputs.append(_walk_pipeline(run, item.first, here, frame))
    if not frame.want:
        return ""
    return outputs[0] if len(outputs) == 1 else outputs_in_turn(outputs)


def _walk_and_or(run: Reading, item: AndOr, state: State, frame: Frame) -> Scalar:
    ways_out: list[State] = []
    cwd, unchecked, previous = state.cwd, state.cwd_else, item.first
    outputs = [_walk_pipeline(run, item.first, state, frame)]
    for connector, pipeline in item.rest:
        if connector == "&&":
            sure = _surely_succeeds(previous)
            if not sure or state.ended:
                ways_out.append(state.copy())
                if run.sources.file is not None:
                    after(ways_out[-1], previous, holds=False)
            state.ended = GOES_ON
            if run.sources.file is not None:
                after(state, previous, holds=True)
            cwd, certain = state.cwd, state.conditional
            state.conditional |= not sure
            outputs.append(_walk_checked(run, pipeline, unchecked, state, frame))
            state.conditional = certain
        else:
            failed = state.copy()
            failed.ended, failed.conditional, failed.cwd = GOES_ON, True, cwd
            if run.sources.file is not None:
                after(state, previous, holds=True)
                after(failed, previous, holds=False)
            for other in ways_out:
                failed.join(other)
            ways_out = []
            outputs.append(_walk_pipeline(run, pipeline, failed, frame))
            if failed.ended:
                state.cwd_else = unchecked
            state.join(failed)
        previous = pipeline
    for other in ways_out:
        state.join(other)
    return outputs_in_turn(outputs) if frame.want else ""


def _walk_checked(
    run: Reading, pipeline: Pipeline, unchecked: tuple[str, ...], state: State, frame: Frame
) -> Scalar:
    """After `&&`: whatever `cd` stood before it has succeeded, for this pipeline."""
    before, state.cwd_else = state.cwd_else, unchecked
    output = _walk_pipeline(run, pipeline, state, frame)
    state.cwd_else = tuple(dict.fromkeys((*before, *state.cwd_else)))
    return output


def _surely_succeeds(pipeline: Pipeline) -> bool:
    stage = pipeline.stages[0]
    if len(pipeline.stages) > 1 or pipeline.negated or not isinstance(stage, Simple):
        return False
    if not stage.words:
        return True
    return getattr(stage.words[0], "plain", None) in _SURE


def _walk_choices(run: Reading, pipeline: Pipeline, state: State, frame: Frame) -> Scalar:
    """Walk once for each value that the variables met on the way may have."""
    outer_seen, outer_picks = run.seen, run.picks
    before = state.copy()
    run.seen, run.picks = {}, dict(outer_picks)
    _choose_place(run, state)
    output = _walk_pipeline(run, pipeline, state, frame, chosen=True)
    names = [name for name in run.seen if name not in outer_picks]
    combinations = product(*(range(run.seen[name]) for name in names))
    for combination in islice(combinations, 1, MAX_CHOICES):
        run.budget.spend()
        other = before.copy()
        run.picks = outer_picks | dict(zip(names, combination, strict=True))
        _choose_place(run, other)
        _walk_pipeline(run, pipeline, other, frame, chosen=True)
        state.join(other)
    outer_seen.update(run.seen)
    run.seen, run.picks = outer_seen, outer_picks
    return output


def _choose_place(run: Reading, state: State) -> None:
    if run.sources.file is not None:
        state.settle_place()
    folders, arguments = state.cwd_options, state.positional_options
    if folders:
        run.seen[CWD_CHOICE] = len(folders)
        state.cwd = folders[min(run.picks.get(CWD_CHOICE, 0), len(folders) - 1)]
        state.cwd_options = ()
        state.touch()
    if arguments:
        run.seen[ARGUMENTS_CHOICE] = len(arguments)
        state.set_positional(arguments[min(run.picks.get(ARGUMENTS_CHOICE, 0), len(arguments) - 1)])


def _walk_pipeline(
    run: Reading, pipeline: Pipeline, state: State, frame: Frame, *, chosen: bool = False
) -> Scalar:
    if state.choosing and not chosen:
        if not run.budget.widening:
            return _walk_choices(run, pipeline, state, frame)
        state.settle_place()
    run.next_pipeline += 1
    if len(pipeline.stages) > 1:
        return _walk_stages(run, pipeline.stages, state, frame)
    stage, inner = pipeline.stages[0], frame.copy()
    inner.pipeline, inner.forms = run.next_pipeline, []
    if isinstance(stage, Compound):
        output = _walk_compound(run, stage, state, inner)
    else:
        output = run_simple(run, stage, state, inner)
        if inner.forms:
            run.pipelines.append(inner.forms[0])
    frame.forms += inner.forms
    return output


def _walk_stages(run: Reading, stages: list[Node], state: State, frame: Frame) -> Scalar:
    number, texts, feed = run.next_pipeline, [], frame.feed
    output: Scalar = ""
    last = len(stages) - 1
    for position, stage in enumerate(stages):
        inner = frame.copy()
        inner.pipeline, inner.position, inner.forms, inner.feed = number, position, [], feed
        inner.want = frame.want or position < last
        if isinstance(stage, Compound):
            output = _walk_compound(run, stage, state.copy(), inner)
            texts.append(f"{{ {'; '.join(inner.forms)}; }}")
        else:
            output = run_simple(run, stage, state.copy(), inner)
            texts.append("; ".join(inner.forms))
        feed = Feed("pipe", output)
    run.pipelines.append(" | ".join(texts))
    frame.forms.append(run.pipelines[-1])
    return output


def _walk_compound(run: Reading, node: Compound, state: State, frame: Frame) -> Scalar:
    run.budget.spend()
    if run.sources.mapped is not None:
        run.sources.place = node.start
    if not run.enter():
        run.note(Unknown(Kind.TOO_DEEP), run.span(node.start, node.end, frame), executed=True)
        return ""
    try:
        return run_compound(run, node, state, frame)
    finally:
        run.leave()


def walk_text(run: Reading, text: Scalar, state: State, frame: Frame) -> Scalar:
    """Run text that the line makes: `bash -c`, `eval`, a here-document, a script that it wrote or that is on
    the disk."""
    span = frame.span or (0, 0)
    text = contents(run, text)
    if isinstance(text, FileText):
        return walk_file(run, text, state, frame)
    source = run.as_source(text)
    if isinstance(text, Partial) and (text.network or not _leading_text(text)):
        settings = prints_settings(text)
        runs = Kind.RUNS_SETTINGS if settings else Kind.RUNS
        run.note(text.unknown.within(runs), span, executed=not settings)
        if all(why or not shown.strip() for shown, why in text.pieces):
            return ""
    if len(source) > MAX_TEXT:
        run.note(Unknown(Kind.MADE_TEXT_TOO_LONG), span, executed=True)
        return ""
    if not run.enter():
        run.note(Unknown(Kind.TOO_DEEP), span, executed=True)
        return ""
    standing = run.sources.standing
    try:
        run.sources.mapped = None  # it stands where it is made
        run.budget.spend()
        tree, faults = parse(source, run.budget)
        if faults and isinstance(text, Partial) and run.sources.file is not None:
            run.note(text.unknown.within(Kind.RUNS), span, executed=True)  # what is not known may fit
        elif faults:
            walk_refused(run, source, faults, state, frame)
        return walk_sequence(run, tree, state, frame)
    finally:
        run.sources.stand(standing)
        run.leave()


def walk_refused(run: Reading, source: str, faults: list[SyntaxFault], state: State, frame: Frame) -> None:
    """Bash runs nothing from the line on in which a quote does not end; but a terminal waits for the end of
    it, and another shell may see no quote there. So what it would hold is read for what it would run."""
    run.note_faults(faults, frame)
    quote = next((fault for fault in faults if fault.quoted), None)
    if quote is None or not run.enter():
        return
    noted, inside = len(run.opaque), frame.copy()
    inside.span = run.span(quote.start, min(quote.end, len(source)), frame)
    try:
        tree, _ = parse(source[quote.start :].lstrip("$")[1:], run.budget)
        walk_sequence(run, tree, state.copy(), inside)
    finally:
        del run.opaque[noted:]
        run.leave()


def _leading_text(text: Partial) -> str:
    """The known text before the first unknown piece, which is what decides whether a command is known."""
    shown, why = text.pieces[0]
    return "" if why else shown.strip()
