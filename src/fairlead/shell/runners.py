"""Programs with a way of their own to run commands, by name; what knows them is loaded when one is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairlead.shell.fetching import installed
from fairlead.shell.normal_form import words_text
from fairlead.shell.outputs import output_of
from fairlead.shell.reading import Call, Feed, Frame, Reading
from fairlead.shell.redirections import unknown_output
from fairlead.shell.script import Word, program_name
from fairlead.shell.state import State
from fairlead.shell.tables import names
from fairlead.shell.values import Scalar
from fairlead.shell.written import remember
from fairlead.shell.written_recipes import run_given_files, run_written_recipes

if TYPE_CHECKING:
    from fairlead.shell.hidden import Hidden

Runner = Callable[[Reading, list[Word], Call, State, Frame], Scalar]

_FUNCTIONS: Mapping[tuple[str, str], frozenset[str]] = MappingProxyType(
    {
        ("searching", "run_find"): names("find gfind"),
        ("searching", "run_fd"): names("fd fdfind"),
        ("searching", "run_xargs"): names("xargs gxargs"),
        ("searching", "run_parallel"): names("parallel"),
        ("remote", "run_ssh"): names("ssh mosh autossh rsh"),
        ("git_texts", "run_git"): names("git hub"),
        ("stream_editors", "run_sed"): names("sed gsed"),
        ("stream_editors", "run_awk"): names("awk gawk mawk nawk"),
        ("recipes", "run_make"): names("make gmake"),
        ("recipes", "run_crontab"): names("crontab"),
        ("recipes", "run_at"): names("at batch"),
    }
)
"""Where the function is that runs these programs."""

TABLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "hidden": names(
            """
        ansible bsdtar cargo cmake concurrently dc dpkg expect ftp fzf gdb gnuplot gtar hg latex lftp lldb
        lualatex luatex m4 man pdflatex puppet rpm rpmbuild tex xelatex xetex
        mariadb mispipe mutt mysql nc ncat netcat nodemon onchange pee psql rg rsync scp sftp socat split
        sqlite3 svn tar tcpdump telnet wget zip
            """
        ),
        "editors": names(
            """
        ed emacs emacsclient ex gvim less more most nvim red rvim vi view vim vimdiff
            """
        ),
        "sessions": names("tmux screen zellij"),
    }
)
"""In whose `TEXTS` these programs are, which are commands themselves and can be told to run text."""

_PLACES = {
    **{name: place for place, programs in _FUNCTIONS.items() for name in programs},
    **{name: (module, "TEXTS") for module, programs in TABLES.items() for name in programs},
}
_CONNECTED = names("nc ncat netcat socat")
"""What these run is fed by whoever is at the other end."""


RUNNERS = _PLACES.keys()


@cache
def runner_for(name: str) -> Runner:
    """What runs the program of that name, which is one of the `RUNNERS`."""
    module, attribute = _PLACES[name]
    found = getattr(import_module(f"fairlead.shell.{module}"), attribute)
    runner: Runner = partial(_run_texts, found[name]) if attribute == "TEXTS" else found
    return runner


def _run_texts(
    hidden: Hidden, run: Reading, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    """A command, and what `hidden` finds in its words or on its input."""
    command = run.emit(words, call, state, frame)
    span = run.span(call.start, call.end, frame)
    if state.files:
        installed(run, words, state, span)
        run_written_recipes(run, command, state, frame)
        run_given_files(run, command, state, frame)
    for how, text in hidden(words, frame.feed.text):
        run.budget.spend()
        inner = frame.inside(how, span=span)
        inner.want = False
        inner.external = isinstance(text, list)
        if program_name(words[0].text) in _CONNECTED:
            inner.feed = Feed("pipe", unknown_output(words_text(words)[:80], network=True))
        if isinstance(text, list):
            run.run_words(text, Call({}, (), call.start, call.end), state, inner)
        else:
            run.run_text(text, state.process(run.environment), inner)
    remember(run, words, state, frame)
    return output_of(run, words, state, frame)
