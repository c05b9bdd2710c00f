"""Reads what a process writes on two pipes into one timeline.

Two pipes that are read as they become readable lose the order between them. Here each pipe holds one write
at a time: it is in packet mode (`O_DIRECT`: one write, one packet) and one page long (one slot). Both are
in one edge-triggered epoll, which hands them out in the order in which they became readable, and that is
then the order of the writes. Where the system has no such pipes, the order is the best that polling gives,
and the timeline says so.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from fairlead.executors.keeping import Keeping
from fairlead.model.timeline import Stream, Timeline
from fairlead.platforms import here
from fairlead.platforms.shapes import Poller

LIMIT = 1 << 20
"""Bytes of one stream that are kept (CONTRACT, "Bounds"); the rest is read and dropped."""

_ONE_PACKET = 65_536
_STREAMS = (Stream.STDOUT, Stream.STDERR)

OnOutput = Callable[[Stream, bytes], None]


class Recorder:
    """Two pipes for a child to write on, watched together with whatever else the caller waits for.

    Make it before the child starts, give `write_ends` to the child, then `release` them: what was written
    before both read ends were watched would have no order.
    """

    def __init__(
        self,
        *,
        exact: bool = True,
        limit: int = LIMIT,
        spill: str = "",
        on_output: OnOutput | None = None,
    ) -> None:
        self._limit = limit
        self._spill = spill
        self._on_output = on_output
        self._write_ends: tuple[int, ...] = ()
        self._streams: dict[int, Stream] = {}
        pipes, self.exact = _pipes(exact)
        self._poller: Poller = here.ordered_poller() if self.exact else _Guessed()
        self._write_ends = tuple(write for _, write in pipes)
        for (read, _), stream in zip(pipes, _STREAMS, strict=True):
            self._streams[read] = stream
            self._poller.watch_output(read)
        self._begin()

    def _begin(self) -> None:
        self._start = time.monotonic()
        self._keeping = Keeping(self._limit, self._spill)

    @property
    def write_ends(self) -> tuple[int, ...]:
        return self._write_ends

    @property
    def open(self) -> bool:
        """Whether anyone could still write."""
        return bool(self._streams)

    def release(self) -> None:
        """Closes our copies of the write ends, so that the end of the child's output can be seen."""
        for end in self._write_ends:
            os.close(end)
        self._write_ends = ()

    def watch(self, descriptor: int, *, writing: bool = False) -> None:
        self._poller.watch(descriptor, writing=writing)

    def forget(self, descriptor: int) -> None:
        self._poller.forget(descriptor)

    def wait(self, seconds: float | None) -> list[int]:
        """Waits for something to happen, records output, and returns the other descriptors that are ready."""
        others = []
        for descriptor, ended in self._poller.ready(seconds):
            stream = self._streams.get(descriptor)
            if stream is None:
                others.append(descriptor)
            else:
                self._read(descriptor, stream, to_the_end=ended)
        return others

    def settle(self, seconds: float) -> None:
        """Takes what is there, and what comes within a bound: after its exit a process may have left
        children that hold the pipes open for as long as they live."""
        deadline = time.monotonic() + seconds
        while self._streams:
            left = deadline - time.monotonic()
            self.wait(max(left, 0))
            if left <= 0:
                return

    def _read(self, descriptor: int, stream: Stream, *, to_the_end: bool) -> None:
        while True:
            try:
                data = os.read(descriptor, _ONE_PACKET)
            except BlockingIOError:
                return
            if not data:
                self._finish(descriptor)
                return
            self._keep(stream, data)
            if not to_the_end:
                return

    def _finish(self, descriptor: int) -> None:
        del self._streams[descriptor]
        self._poller.forget(descriptor)
        os.close(descriptor)

    def _keep(self, stream: Stream, data: bytes) -> None:
        if self._on_output is not None:
            self._on_output(stream, data)
        self._keeping.add(stream, time.monotonic() - self._start, data)

    def take(self) -> Timeline:
        """What was recorded so far; the next one starts empty."""
        timeline = self._keeping.timeline(self.exact)
        self._begin()
        return timeline

    def close(self) -> None:
        self.release()
        for descriptor in list(self._streams):
            self._finish(descriptor)
        self._poller.close()


def _pipes(exact: bool) -> tuple[list[tuple[int, int]], bool]:
    """Two pipes, and whether they keep the order."""
    try:
        kept_apart = exact and here.EXACT_CAPTURE
        pipes = [here.packet_pipe(), here.packet_pipe()] if kept_apart else []
    except OSError:
        pipes = []  # an old kernel, or one that emulates: guess the order instead
    exact = bool(pipes)
    pipes = pipes or [os.pipe(), os.pipe()]
    for read, _ in pipes:
        os.set_blocking(read, False)
    return pipes, exact


class _Guessed:
    """Readiness in no order that means anything."""

    def __init__(self) -> None:
        import selectors

        self._selector = selectors.DefaultSelector()

    def watch_output(self, descriptor: int) -> None:
        self.watch(descriptor, writing=False)

    def watch(self, descriptor: int, *, writing: bool) -> None:
        self._selector.register(descriptor, 2 if writing else 1)

    def forget(self, descriptor: int) -> None:
        self._selector.unregister(descriptor)

    def ready(self, seconds: float | None) -> list[tuple[int, bool]]:
        return [(key.fd, False) for key, _ in self._selector.select(seconds)]

    def close(self) -> None:
        self._selector.close()
