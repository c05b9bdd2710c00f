"""Open descriptors: where what is written to `>&3` ends up, and who reads it there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fairlead.shell.bounds import whole_number
from fairlead.shell.expansion.reading import Feed, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word

_AS_PATH = lazy(r"/(?:dev|proc/self)/fd/(\d{1,4})")


def open_for_writing(state: State, descriptor: int, target: Word | None) -> None:
    """From here on the descriptor leads to that file, or to where it led at the start."""
    others = {number: word for number, word in state.descriptors.items() if number != descriptor}
    state.descriptors = others if target is None else others | {descriptor: target}


def written_through(state: State, target: Word) -> Word | None:
    """The file behind `3` or `/dev/fd/3`; None where it leads nowhere that is known."""
    if not state.descriptors:
        return None
    path = _AS_PATH.fullmatch(target.text)
    number = path[1] if path else target.text
    return None if (found := whole_number(number)) is None else state.descriptors.get(found)


def opened_for_reading(state: State, number: Word) -> Feed:
    """What a builtin finds on another descriptor than its standard input."""
    return Feed("text", state.files.get(_path(number)))


def keep_unread(state: State, number: Word, feed: Feed) -> None:
    """The next one that reads the descriptor goes on behind what `feed` gave."""
    if isinstance(feed.text, str):
        state.files[_path(number)] = feed.text[feed.cursor :]


def _path(number: Word) -> str:
    return f"/dev/fd/{number.text}"


def new_sink(run: Reading, fed: Callable[[Scalar | None], None]) -> str:
    """The path that stands for the input of a program that runs beside its writers."""
    path = new_path(run)
    run.sinks.append((path, fed))
    return path


def new_path(run: Reading) -> str:
    run.next_sink += 1
    return f"/dev/fd/{run.next_sink}"


def feed_sinks(run: Reading, first: int, state: State) -> None:
    """Run those that read what was written, from number `first` on; where a descriptor of the shell stays
    open to one, it reads to the end of the script."""
    held = {word.text for word in state.descriptors.values()}
    sinks = run.sinks[first:]
    del run.sinks[first:]
    for path, fed in sinks:
        feed = partial(_feed, path, fed, state)
        if path in held:
            run.at_end.append(feed)
        else:
            feed()


def _feed(path: str, fed: Callable[[Scalar | None], None], state: State) -> None:
    fed(state.files.pop(path, None))
