"""Shells given text to run: `bash -c`, a script, standard input."""

from __future__ import annotations

from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import code_text, fed_code, older_texts, unknown_output
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word
from fairlead.shell.following.line_files.script_files import run_script, spent, stops_at_faults
from fairlead.shell.printing.outputs import is_listing
from fairlead.shell.script import Word, program_name
from fairlead.shell.unknown import Kind, Unknown

_TAKE_VALUE = frozenset({"--rcfile", "--init-file", "--init-command", "-o", "+o", "-O", "+O"})


class _Options:
    """What a shell was asked for."""

    __slots__ = ("interactive", "operands", "started_by", "stdin", "syntax_only", "text_next")

    def __init__(self) -> None:
        self.syntax_only = False
        self.interactive = False
        self.text_next = False
        self.stdin = False
        self.started_by: list[Word] = []
        self.operands: list[Word] = []


def run_shell(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    name = program_name(words[0].text)
    options = _parse(words)
    for path in options.started_by:
        _run_operand(run, name, [path], call, state, frame)
    if options.syntax_only and not options.interactive:
        run.emit(words, call, state, frame)
        return ""
    if options.text_next:
        if not options.operands:
            run.emit(words, call, state, frame)
            return ""
        text = of_word(options.operands[0])
        arguments = options.operands[1:] or [Word(name)]
        return run_script(run, text, arguments, call, state, frame, f"{name} -c")
    if options.operands and not options.stdin:
        run.emit(words, call, state, frame)
        stops = stops_at_faults([word.text for word in words[: len(words) - len(options.operands)]])
        return _run_operand(run, name, options.operands, call, state, frame, stops=stops)
    return _run_stdin(run, words, options, call, state, frame)


def _parse(words: list[Word]) -> _Options:
    options = _Options()
    index = 1
    while index < len(words):
        text = words[index].text
        if words[index].opaque or text[:1] not in ("-", "+") or text == "-":
            break
        index += 1
        if text == "--":
            break
        if text in ("--rcfile", "--init-file") and index < len(words):
            options.started_by.append(words[index])
        if text in _TAKE_VALUE:
            index += 1
        elif not text.startswith("--") and text[0] == "-":
            options.text_next |= "c" in text
            options.stdin |= "s" in text
            options.syntax_only |= "n" in text
            options.interactive |= "i" in text
            index += text.count("o", 1) if text[-1] == "o" else 0
        elif text == "--command":
            options.text_next = True
    options.operands = words[index:]
    if options.operands and options.operands[0].text == "-" and not options.text_next:
        options.operands = []
    return options


def _run_operand(
    run: Reading,
    name: str,
    operands: list[Word],
    call: Call,
    state: State,
    frame: Frame,
    *,
    stops: bool = False,
) -> Scalar:
    """A script given by its path."""
    text = code_text(run, operands[0], state, frame.feed)
    if text is None:
        if operands[0].text in ("/dev/stdin", "/dev/fd/0"):
            run.note(Unknown(Kind.RUNS_INPUT), run.span(call.start, call.end, frame), executed=True)
        return unknown_output(f"{name} {operands[0].text}", (name, operands[0].text))
    via = f"{name} {operands[0].text}"
    for older in older_texts(operands[0], state):
        run_script(run, older, operands, call, state, frame, via)
    return run_script(run, text, operands, call, state, frame, via, stops=stops)


def _run_stdin(
    run: Reading, words: list[Word], options: _Options, call: Call, state: State, frame: Frame
) -> Scalar:
    """Without a script, a shell runs what it is fed."""
    run.emit(words, call, state, frame)
    feed = frame.feed
    name = program_name(words[0].text)
    span = run.span(call.start, call.end, frame)
    if feed.kind == "inherit":
        return unknown_output(name, (name,))
    fed = fed_code(run, feed, state)
    if fed is None:
        path = feed.path
        unread = Unknown(Kind.RUNS_FILE, path.text) if path else Unknown(Kind.RUNS_UNKNOWN_INPUT)
        run.note(unread, span, executed=feed.kind == "pipe")
        return unknown_output(name, (name,))
    if isinstance(fed, Partial) and is_listing(fed):
        run.note(fed.unknown.within(Kind.RUNS_LINES), span, executed=True)
    inner = frame.copy()
    inner.feed = spent(feed)
    arguments = [words[0], *(options.operands if options.stdin else [])]
    text = fed[feed.cursor :] if isinstance(fed, str) and feed.cursor else fed
    via = f"{name} <<" if feed.kind == "text" else f"| {name}"
    return run_script(run, text, arguments, call, state, inner, via)
