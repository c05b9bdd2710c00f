"""Programs with a way of their own to run commands, by name; what knows them is loaded when one is met."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import unknown_output
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar
from fairlead.shell.following.line_files.fetched_files import installed
from fairlead.shell.following.line_files.given_files import run_given_files, told_statements
from fairlead.shell.following.line_files.written_files import remember
from fairlead.shell.normal_form import words_text
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.running import followed_as
from fairlead.shell.script import Word, program_name
from fairlead.shell.word_sets import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.shell.following.text_options import Hidden

Runner = Callable[[Reading, list[Word], Call, State, Frame], Scalar]

_CONNECTED = names("nc ncat netcat socat")
"""What these run is fed by whoever is at the other end."""


@cache
def runner_for(name: str) -> Runner:
    """What runs the program of that name, which is one of the `FOLLOWED`."""
    how, *told = followed_as(name)
    if how in ("shell_text", "escapes"):
        from fairlead.shell.following.text_options import escapes, in_options  # when one is met

        return partial(_run_texts, (in_options if how == "shell_text" else escapes)(*told))
    module, _, function = told[0].partition(":")
    found = getattr(import_module(f"fairlead.shell.following.{module}"), function)
    runner: Runner = partial(_run_texts, found) if how == "finder" else found
    return runner


def _run_texts(
    hidden: Hidden, run: Reading, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    """A command, and what `hidden` finds in its words or on its input."""
    command = run.emit(words, call, state, frame)
    span = run.span(call.start, call.end, frame)
    if state.files:
        installed(run, words, state, span)
        run_given_files(run, command, state, frame)
    if frame.feed.kind != "inherit":
        told_statements(run, command, state, frame)
    for how, text in hidden(words, frame.feed.text):
        run.budget.spend()
        inner = frame.inside(how, span=span)
        inner.want = False
        inner.external = isinstance(text, list)
        if program_name(words[0].text) in _CONNECTED:
            inner.feed = Feed(
                "pipe",
                unknown_output(words_text(words)[:80], tuple([word.text for word in words]), network=True),
            )
        if isinstance(text, list):
            run.run_words(text, Call({}, (), call.start, call.end), state, inner)
        else:
            run.run_text(text, state.process(run.environment), inner)
    remember(run, words, state, frame)
    return output_of(run, words, state, frame)
