"""Runs one implementation of a hook: a file in a process of its own, or a function here."""

from __future__ import annotations

import errno
import io
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fairlead.doors.scripts.deadline import TIMED_OUT
from fairlead.doors.scripts.implementations import Implementation
from fairlead.executors.capture import GRACE, capture
from fairlead.executors.keeping import Keeping
from fairlead.executors.recorder import OnOutput
from fairlead.model.timeline import Stream, Timeline
from fairlead.model.value import Value

if TYPE_CHECKING:
    from typing_extensions import Buffer

NOT_EXECUTABLE = 126
NOT_FOUND = 127
KILLED = 128
"""What shells answer: this plus the number of the signal."""

LIMIT = 64 << 20


class Options(Value):
    """How a hook's implementations run and what their exit codes come to."""

    timeout: float | None = None
    grace: float = GRACE
    retries: int = 0
    fail_fast: bool = False
    required: bool = False
    exit_policy: str = "last"
    limit: int = LIMIT
    spill: str = ""
    exact: bool = True


class Ran(Value):
    """One implementation that ran. `exit_code` is after the middleware, `own_code` before it."""

    name: str
    kind: str
    exit_code: int
    own_code: int
    timeline: Timeline
    seconds: float
    signal: int = 0
    timed_out: bool = False
    earlier: tuple[Ran, ...] = ()
    """Tries that failed."""

    @property
    def tries(self) -> int:
        return len(self.earlier) + 1


def run_implementation(
    implementation: Implementation,
    args: Sequence[str],
    options: Options,
    *,
    environment: Mapping[str, str],
    on_output: OnOutput | None,
) -> Ran:
    if implementation.function is not None:
        return _run_function(implementation, args, options, on_output)
    return _run_script(implementation, args, options, environment, on_output)


def _run_script(
    implementation: Implementation,
    args: Sequence[str],
    options: Options,
    environment: Mapping[str, str],
    on_output: OnOutput | None,
) -> Ran:
    with _ending_with_us():
        recording = capture(
            [implementation.path, *args],
            stdin=None if _at_a_terminal() else b"",
            environment=environment,
            timeout=options.timeout,
            grace=options.grace,
            limit=options.limit,
            spill=options.spill,
            exact=options.exact,
            on_output=on_output,
        )
    timeline, code = recording.timeline, recording.exit_code
    if recording.error:
        code = NOT_FOUND if recording.errno == errno.ENOENT else NOT_EXECUTABLE
        words = f"{implementation.path}: {recording.error}\n".encode()
        timeline = Timeline(((int(Stream.STDERR), 0.0, words),))
        if on_output is not None:
            on_output(Stream.STDERR, words)
    elif recording.timed_out:
        code = TIMED_OUT
    elif code is None:
        code = KILLED + recording.signal
    return Ran(
        implementation.name,
        implementation.kind,
        exit_code=code,
        own_code=code,
        timeline=timeline,
        seconds=recording.seconds,
        signal=recording.signal,
        timed_out=recording.timed_out,
    )


@contextmanager
def _ending_with_us() -> Iterator[None]:
    """A hook has a session of its own, so whoever ends this script does not reach it: we pass that on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    untouched = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for each in untouched:
        signal.signal(each, _leave)
    try:
        yield
    finally:
        for each in untouched:
            signal.signal(each, signal.SIG_DFL)


def _leave(number: int, frame: object) -> None:
    raise SystemExit(KILLED + number)


def _at_a_terminal() -> bool:
    """A hook may ask a person; otherwise the caller's input is the caller's, and a hook must not eat it."""
    try:
        return sys.stdin.isatty()
    except (AttributeError, ValueError):
        return False


class _Written(io.TextIOBase):
    """A stream whose every write becomes a piece of the timeline."""

    def __init__(self, stream: Stream, keeping: Keeping, tell: OnOutput | None) -> None:
        self._stream = stream
        self._keeping = keeping
        self._tell = tell
        self._start = time.monotonic()

    @property
    def buffer(self) -> _WrittenBytes:
        return _WrittenBytes(self.put)

    def write(self, text: str) -> int:
        self.put(text.encode("utf-8", "surrogateescape"))
        return len(text)

    def put(self, data: bytes) -> None:
        self._keeping.add(self._stream, time.monotonic() - self._start, data)
        if self._tell is not None:
            self._tell(self._stream, data)

    def writable(self) -> bool:
        return True


class _WrittenBytes(io.RawIOBase):
    """The same for those who write bytes."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put

    def write(self, data: Buffer) -> int:
        written = bytes(memoryview(data))
        self._put(written)
        return len(written)

    def writable(self) -> bool:
        return True


def _run_function(
    implementation: Implementation, args: Sequence[str], options: Options, on_output: OnOutput | None
) -> Ran:
    """In this process: what it prints through Python is captured; what its children print is not."""
    keeping = Keeping(options.limit, options.spill)
    start = time.monotonic()
    real = sys.stdout, sys.stderr

    def tell(stream: Stream, data: bytes) -> None:
        written, (sys.stdout, sys.stderr) = (sys.stdout, sys.stderr), real
        try:
            if on_output is not None:
                on_output(stream, data)
        finally:
            sys.stdout, sys.stderr = written

    sys.stdout = _Written(Stream.STDOUT, keeping, tell)
    sys.stderr = _Written(Stream.STDERR, keeping, tell)
    try:
        code = _code(implementation, args)
    finally:
        sys.stdout, sys.stderr = real
    return Ran(
        implementation.name,
        implementation.kind,
        exit_code=code,
        own_code=code,
        timeline=keeping.timeline(exact=True),
        seconds=time.monotonic() - start,
    )


def _code(implementation: Implementation, args: Sequence[str]) -> int:
    assert implementation.function is not None
    try:
        code = implementation.function(*args)
    except SystemExit as stop:
        code = stop.code
    except Exception:  # noqa: BLE001 - a hook is foreign code: what it raises is its output and exit code 1
        traceback.print_exc()
        return 1
    if code is None:
        return 0
    known = exit_code_of(code)
    if known is None:
        print(f"{implementation.name}: {code!r} is not an exit code", file=sys.stderr)
        return 1
    return known


def exit_code_of(answer: object) -> int | None:
    """As a process would give it, except that no failure becomes a success: 256 is not 0."""
    if not isinstance(answer, int) or isinstance(answer, bool):
        return None
    return answer & 0xFF or int(answer != 0)
