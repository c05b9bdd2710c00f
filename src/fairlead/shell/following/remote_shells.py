"""Commands on other machines, and the local commands that such a connection may start."""

from __future__ import annotations

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import fed_code
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar, of_word, of_words
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word, Wrapper, program_name
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_SSH = Runs(values=names("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -P"), operands=1)
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
_LOCAL_OPTIONS = ("proxycommand", "localcommand", "knownhostscommand")


def run_ssh(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    options = read_options(words, 1, _SSH)
    name = program_name(words[0].text)
    span = run.span(call.start, call.end, frame)
    _run_local(run, words, state, frame, span)
    inner = words[options.index :]
    host = options.skipped[0].text if options.skipped else ""
    feed = frame.feed
    if not inner and (not host or feed.kind == "inherit"):
        return output_of(run, words, state, frame)
    here = host.rpartition("@")[2] in _THIS_MACHINE
    through = frame.through(Wrapper(name, tuple(words[: options.index]), "" if here else f"ssh:{host}"))
    if here and feed.kind == "file" and feed.text is None:
        feed = through.feed = Feed("file", fed_code(run, feed, state), feed.path)
    remote = State(run.home if here else None)
    remote.variables = dict(state.variables)
    if inner:
        return run.run_text(of_words(inner), remote, through.inside(name, span=span))
    if feed.text is not None:
        run.run_text(feed.text, remote, through.inside(f"{name} <<", span=span))
    else:
        run.note(Unknown(Kind.RUNS_INPUT_ELSEWHERE, host), span, executed=feed.kind == "pipe")
    return output_of(run, words, state, frame)


def _run_local(run: Reading, words: list[Word], state: State, frame: Frame, span: tuple[int, int]) -> None:
    """`-o ProxyCommand=…` is run here, by a shell."""
    for index, word in enumerate(words[1:], 1):
        text = words[index + 1].text if word.text == "-o" and index + 1 < len(words) else word.text[2:]
        if not word.text.startswith("-o"):
            continue
        name, _, value = text.strip().replace("=", " ", 1).partition(" ")
        if name.lower() in _LOCAL_OPTIONS and value.strip() not in ("", "none"):
            source = words[index + 1] if word.text == "-o" else word
            local = of_word(part_from(source, len(source.text) - len(value)))
            run.run_text(local, state.process(run.environment), frame.inside(f"ssh {name}", span=span))
