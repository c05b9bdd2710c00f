"""Schedules: at, batch, crontab."""

from __future__ import annotations

import re

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import file_text
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind

_CRON = lazy(r"^[ \t]*(?:@\w+|(?:[\d*/,A-Za-z-]+[ \t]+){4}[\d*/,A-Za-z-]+)[ \t]+(.+)$", re.M)
_MOST_COMMANDS = 200


def run_at(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """`at` runs its input or a file later; `-l`, `-r` and the like only look or remove."""
    run.emit(words, call, state, frame)
    if any(word.text in ("-l", "-r", "-d", "-c") for word in words[1:]):
        return output_of(run, words, state, frame)
    span = run.span(call.start, call.end, frame)
    files = [file_text(run, value, state, frame.feed) for value in option_values(words, "-f")]
    for text in files or [frame.feed.text]:
        if text is not None:
            inner = frame.inside(words[0].text, span=span)
            inner.want = False
            run.run_text(text, state.process(run.environment), inner)
    return ""


def run_crontab(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    operands = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if any(word.text in ("-l", "-r", "-e") for word in words[1:]):
        return output_of(run, words, state, frame)
    text = file_text(run, operands[-1] if operands else Word("-"), state, frame.feed)
    span = run.span(call.start, call.end, frame)
    if isinstance(text, Partial):
        run.note(text.unknown.within(Kind.RUNS_LATER), span, executed=True)
    shown = text.shown if isinstance(text, Partial) else text or ""
    for match in list(_CRON.finditer(shown))[:_MOST_COMMANDS]:
        run.run_text(match.group(1), state.process(run.environment), frame.inside("crontab", span=span))
    return ""
