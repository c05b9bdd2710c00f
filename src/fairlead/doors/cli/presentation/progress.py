"""A line that says how far long work has come: on a terminal, on stderr, never in a pipe or beside JSON.

Work tells how far it is; a thread draws, so that a step which takes long itself is seen to go on.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

import click

from fairlead.doors.cli.presentation.screen import NARROWEST
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import cells, cut

_AFTER = 1.0
"""Seconds of work before the line is worth its while."""
_EVERY = 0.2
_BAR = 24
_FOR_PROGRAMS = ("as_json", "as_csv", "records")
"""The flags of commands that print for a program."""
_ERASE = "\r\x1b[K"
_T = TypeVar("_T")


class Progress:
    """How far the work is. To call it with what is done and what there is in all says so."""

    def __init__(self, label: str, total: int = 0) -> None:
        self.label, self.done, self.total, self.what = label, 0, total, ""

    def __call__(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def step(self, what: str) -> None:
        """What is done next, where steps are too few or too different for a bar."""
        self.what = what

    def over(self, things: Iterable[_T]) -> Iterator[_T]:
        """The things one by one, counted when they are done."""
        for thing in things:
            yield thing
            self.done += 1

    def line(self, seconds: float, width: int) -> str:
        """A bar where it is known how much there is; what is done now; for how long already."""
        parts = [self.label]
        if self.total > 0:
            share = min(self.done / self.total, 1.0)
            full = round(share * _BAR)
            parts += [f"{'█' * full}{'░' * (_BAR - full)}"] if width >= cells(self.label) + _BAR + 16 else []
            parts += [f"{share:4.0%}"]
        parts += [self.what] if self.what else []
        return cut(printable("  ".join([*parts, f"{seconds:.0f}s"])), width)


@contextmanager
def progress(label: str, *, total: int = 0) -> Iterator[Progress]:
    """Silence for short work and for programs. Nothing else should be printed until it ends."""
    told = Progress(label, total)
    if not _somebody_looks():
        yield told
        return
    stop = threading.Event()
    drawing = threading.Thread(target=_draw, args=(told, stop, sys.stderr), daemon=True)
    drawing.start()
    try:
        yield told
    finally:
        stop.set()
        drawing.join()


def _draw(
    told: Progress, stop: threading.Event, out: TextIO, *, clock: Callable[[], float] = time.monotonic
) -> None:
    """Until it is told to stop; then the line is as if it had never been there."""
    started = clock()
    if stop.wait(_AFTER):
        return
    try:
        while True:
            out.write(_ERASE + told.line(clock() - started, _columns()))
            out.flush()
            if stop.wait(_EVERY):
                break
        out.write(_ERASE)
        out.flush()
    except (OSError, ValueError):
        return  # the terminal is gone, or cannot show these letters: the work goes on


def _columns() -> int:
    try:
        return max(os.get_terminal_size(sys.stderr.fileno()).columns - 1, NARROWEST)
    except OSError:
        return 2 * NARROWEST - 1


def _somebody_looks() -> bool:
    context = click.get_current_context(silent=True)
    given = context.params if context is not None else {}
    for_a_program = any(given.get(flag) for flag in _FOR_PROGRAMS)
    terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and not for_a_program
