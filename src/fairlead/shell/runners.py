"""Programs with a way of their own to run commands, by name."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.shell.editors import EDITORS
from fairlead.shell.git_texts import run_git
from fairlead.shell.hidden import HIDDEN, Hidden
from fairlead.shell.normal_form import words_text
from fairlead.shell.outputs import output_of
from fairlead.shell.reading import Call, Feed, Frame, Reading
from fairlead.shell.recipes import at, run_crontab, run_make
from fairlead.shell.redirections import unknown_output
from fairlead.shell.remote import run_ssh
from fairlead.shell.script import Word
from fairlead.shell.searching import run_fd, run_find, run_parallel, run_xargs
from fairlead.shell.sessions import screen, tmux, zellij
from fairlead.shell.state import State
from fairlead.shell.stream_editors import run_awk, run_sed
from fairlead.shell.tables import names
from fairlead.shell.values import Scalar
from fairlead.shell.written import remember

Runner = Callable[[Reading, list[Word], Call, State, Frame], Scalar]


def _running(hidden: Hidden) -> Runner:
    """A program that is a command itself, and runs what `hidden` finds in its words or on its input."""

    def run_program(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
        run.emit(words, call, state, frame)
        span = run.span(call.start, call.end, frame)
        for how, text in hidden(words, frame.feed.text):
            run.budget.spend()
            inner = frame.inside(how, span=span)
            inner.want = False
            inner.external = isinstance(text, list)
            if words[0].text.rsplit("/", 1)[-1] in _CONNECTED:
                inner.feed = Feed("pipe", unknown_output(words_text(words)[:80], network=True))
            if isinstance(text, list):
                run.run_words(text, Call({}, (), call.start, call.end), state, inner)
            else:
                run.run_text(text, state.process(run.environment), inner)
        remember(run, words, state, frame)
        return output_of(run, words, state, frame)

    return run_program


_CONNECTED = names("nc ncat netcat socat")
"""What these run is fed by whoever is at the other end."""

_HIDDEN: dict[str, Hidden] = {
    **HIDDEN, **EDITORS, "at": at, "batch": at, "tmux": tmux, "screen": screen, "zellij": zellij,
}  # fmt: skip

RUNNERS: dict[str, Runner] = {
    **{name: _running(hidden) for name, hidden in _HIDDEN.items()},
    "find": run_find, "gfind": run_find, "fd": run_fd, "fdfind": run_fd, "xargs": run_xargs,
    "gxargs": run_xargs, "parallel": run_parallel, "ssh": run_ssh, "mosh": run_ssh, "autossh": run_ssh,
    "rsh": run_ssh, "git": run_git, "hub": run_git,
    "sed": run_sed, "gsed": run_sed, "awk": run_awk, "gawk": run_awk,
    "mawk": run_awk, "nawk": run_awk, "make": run_make, "gmake": run_make, "crontab": run_crontab,
}  # fmt: skip
