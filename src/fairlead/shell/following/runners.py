"""Programs with a way of their own to run commands, by name; what knows them is loaded when one is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from types import MappingProxyType

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import unknown_output
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar
from fairlead.shell.following.line_files.fetched_files import installed
from fairlead.shell.following.line_files.written_files import remember
from fairlead.shell.following.line_files.written_recipes import run_given_files, run_written_recipes
from fairlead.shell.normal_form import words_text
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.script import Word, program_name
from fairlead.shell.word_sets import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.shell.following.text_options import Hidden

Runner = Callable[[Reading, list[Word], Call, State, Frame], Scalar]

_FUNCTIONS: Mapping[tuple[str, str], frozenset[str]] = MappingProxyType(
    {
        ("search_programs", "run_find"): names("find gfind"),
        ("search_programs", "run_fd"): names("fd fdfind"),
        ("search_programs", "run_xargs"): names("xargs gxargs"),
        ("search_programs", "run_parallel"): names("parallel"),
        ("remote_shells", "run_ssh"): names("ssh mosh autossh rsh"),
        ("git.git_commands", "run_git"): names("git hub"),
        ("stream_editors", "run_sed"): names("sed gsed"),
        ("stream_editors", "run_awk"): names("awk gawk mawk nawk"),
        ("line_files.recipes", "run_make"): names("make gmake"),
        ("line_files.recipes", "run_crontab"): names("crontab"),
        ("line_files.recipes", "run_at"): names("at batch"),
    }
)
"""Where the function is that runs these programs."""

TABLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "text_options": names(
            """
        ansible bsdtar cargo cmake concurrently dc dpkg expect ftp fzf gdb gnuplot gtar hg latex lftp lldb
        lualatex luatex m4 man pdflatex puppet rpm rpmbuild tex xelatex xetex
        mariadb mispipe mutt mysql nc ncat netcat nodemon onchange pee psql rg rsync scp sftp socat split
        sqlite3 svn tar tcpdump telnet wget zip
            """
        ),
        "editor_escapes": names(
            """
        ed emacs emacsclient ex gvim less more most nvim red rvim vi view vim vimdiff
            """
        ),
        "terminal_sessions": names("tmux screen zellij"),
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
    found = getattr(import_module(f"fairlead.shell.following.{module}"), attribute)
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
