"""The shell's own commands that read their input into variables: read and mapfile."""

from __future__ import annotations

import re

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.descriptors import keep_unread, opened_for_reading
from fairlead.shell.expansion.globbed_paths import is_one_of
from fairlead.shell.expansion.parameters import expand_indices, lookup
from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Array, Partial, Scalar, of_word, strip_newlines, unknown
from fairlead.shell.expansion.words_to_arguments import expand_parts
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_READ = Runs(values=names("-a -p -d -n -N -t -u -i"))
_MAPFILE = Runs(values=names("-d -n -O -s -u -C -c"))
_BLANKS = " \t\n"
MAX_LINES = 1000


def read_builtin(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    for word in words[1:]:
        if word.known:
            expand_indices(run, word.text, state, frame, expand_parts)
    options = read_options(words, 1, _READ)
    number = options.values.get("-u")
    feed = frame.feed if number is None else opened_for_reading(state, number)
    line = _next_line(feed, _delimiter(options.values.get("-d")))
    if number is not None:
        keep_unread(state, number, feed)
    array = options.values.get("-a")
    if array:
        _assign_array(run, state, array.text, line)
        return ""
    names = [word.text for word in words[options.index :] if word.known]
    _assign_fields(run, state, names or ["REPLY"], line)
    return ""


def _delimiter(value: Word | None) -> str:
    """What ends a line; an empty one stands for the NUL byte."""
    return "\n" if value is None else value.text[:1] or "\0"


def _next_line(feed: Feed, end: str) -> Scalar:
    if isinstance(feed.text, Partial) and is_one_of(feed.text):
        return strip_newlines(feed.text)
    if not isinstance(feed.text, str):
        return unknown("", feed.text.unknown if isinstance(feed.text, Partial) else Unknown(Kind.INPUT))
    if feed.cursor >= len(feed.text):
        feed.cursor = len(feed.text) + 1
        return ""
    close = feed.text.find(end, feed.cursor)
    close = len(feed.text) if close < 0 else close
    line = feed.text[feed.cursor : close]
    feed.cursor = close + 1 if close < len(feed.text) else close
    return line


def _separators(run: Reading, state: State) -> str:
    value = lookup(run, state, "IFS")
    return value if isinstance(value, str) else _BLANKS


def _assign_array(run: Reading, state: State, name: str, line: Scalar) -> None:
    if not isinstance(line, str):
        state.assign(name, line)
        return
    separators = _separators(run, state)
    if separators.strip(_BLANKS) == "":
        pieces = line.split() if separators else [line]
    else:
        pieces = re.split(f"[{re.escape(separators)}]", line.strip(_BLANKS))
    state.assign(name, Array({str(index): item for index, item in enumerate(pieces)}))


def _assign_fields(run: Reading, state: State, names: list[str], line: Scalar) -> None:
    if not isinstance(line, str):
        for name in names:
            state.assign(name, line)
        return
    chars = _separators(run, state)
    blank = chars.strip(_BLANKS) == ""
    pieces = (
        line.split(None, len(names) - 1)
        if blank
        else re.split(f"[{re.escape(chars)}]", line, maxsplit=len(names) - 1)
    )
    for index, name in enumerate(names):
        value = pieces[index] if index < len(pieces) else ""
        state.assign(name, value.strip() if blank else value)


def mapfile_builtin(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    options = read_options(words, 1, _MAPFILE)
    for value in option_values(words, "-C"):
        inner = frame.inside("mapfile -C", span=run.span(call.start, call.end, frame))
        inner.want = False
        run.run_text(of_word(value), state.copy(), inner)
    names = words[options.index :]
    name = names[0].text if names else "MAPFILE"
    number = options.values.get("-u")
    text = (frame.feed if number is None else opened_for_reading(state, number)).text
    if not isinstance(text, str):
        read = unknown("", Unknown(Kind.INPUT))
        state.assign(name, strip_newlines(text) if isinstance(text, Partial) else read)
        return ""
    end = _delimiter(options.values.get("-d"))
    items = text.split(end)
    lines = items[:-1] if items[-1] in ("", "\n") else items
    state.assign(name, Array({str(index): line for index, line in enumerate(lines[:MAX_LINES])}))
    return ""
