"""Runs a process and records what it writes; a timeout bounds it, whatever it does (law 5)."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

from fairlead.executors.recorder import LIMIT, OnOutput, Recorder
from fairlead.model.timeline import Timeline
from fairlead.model.value import Value
from fairlead.platforms import here

GRACE = 2.0
"""Seconds between asking a process group to end and ending it."""

DRAIN = 0.1
"""Seconds that output may still come after the exit, when children of the process hold its pipes."""

_POLL = 0.01
_REAP = 2.0


class Recording(Value):
    """What came of one process. `exit_code` is None when it never started, was killed or did not end."""

    timeline: Timeline
    exit_code: int | None = None
    signal: int = 0
    timed_out: bool = False
    seconds: float = 0.0
    error: str = ""
    """Why it could not be started."""
    errno: int = 0
    """The same as a number, where the system gave one."""


def capture(
    argv: Sequence[str],
    *,
    stdin: bytes | None = b"",
    environment: Mapping[str, str] | None = None,
    directory: str | None = None,
    timeout: float | None = None,
    grace: float = GRACE,
    limit: int = LIMIT,
    exact: bool = True,
    spill: str = "",
    on_output: OnOutput | None = None,
) -> Recording:
    """Runs `argv` in a process group of its own until it exits or `timeout` seconds have passed.

    Its exit is the end, not the closing of its pipes: a child that it leaves behind delays nobody. With
    `stdin=None` it reads what this process would read. Output above `limit` goes to a file in `spill`.
    """
    start = time.monotonic()
    recorder = Recorder(exact=exact, limit=limit, spill=spill, on_output=on_output)
    try:
        try:
            child = _start(argv, recorder, stdin, environment, directory)
        except (OSError, ValueError) as error:
            number = (error.errno or 0) if isinstance(error, OSError) else 0
            return Recording(
                recorder.take(), error=_why(error), errno=number, seconds=time.monotonic() - start
            )
        deadline = None if timeout is None else start + timeout
        timed_out = child.run(deadline, grace)
        recorder.settle(DRAIN)
        code = child.code
        return Recording(
            recorder.take(),
            exit_code=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else 0,
            timed_out=timed_out,
            seconds=time.monotonic() - start,
        )
    finally:
        recorder.close()


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.strerror}: {os.fsdecode(error.filename)}"
    return str(error)


def _start(
    argv: Sequence[str],
    recorder: Recorder,
    stdin: bytes | None,
    environment: Mapping[str, str] | None,
    directory: str | None,
) -> _Child:
    out, err = recorder.write_ends
    read, write = (None, None) if stdin is None else os.pipe()
    try:
        process = _spawn(argv, (read, out, err), environment, directory)
    except BaseException:
        if write is not None:
            os.close(write)
        raise
    finally:
        if read is not None:
            os.close(read)
        recorder.release()
    return _Child(process, recorder, None if write is None else _Feed(write, stdin or b""))


def _spawn(
    argv: Sequence[str],
    streams: tuple[int | None, int, int],
    environment: Mapping[str, str] | None,
    directory: str | None,
) -> subprocess.Popen[bytes]:
    """Starts a session of its own. A script without a first line that names its interpreter is for the
    shell, as it is when a shell runs it."""
    stdin, stdout, stderr = streams

    def start(words: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            words,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            cwd=directory,
            start_new_session=True,
        )

    try:
        return start(argv)
    except OSError as error:
        if error.errno != _NO_INTERPRETER or _is_program(argv[0]):
            raise
        return start([_SHELL if os.access(_SHELL, os.X_OK) else "/bin/sh", *argv])


def _is_program(path: str) -> bool:
    """As shells tell one of another machine from a script: its first line holds a NUL."""
    with open(path, "rb") as file:
        return b"\0" in file.read(80).partition(b"\n")[0]


_SHELL = "/bin/bash"
_NO_INTERPRETER = 8  # ENOEXEC; the `errno` module would be one import more


class _Feed:
    """What the child is to read, written as it has room."""

    def __init__(self, descriptor: int, data: bytes) -> None:
        self.descriptor = descriptor
        self._rest = memoryview(data)
        os.set_blocking(descriptor, False)

    def write(self) -> bool:
        """Puts what fits; False once there is nothing left to put, or nobody who reads."""
        try:
            while self._rest:
                self._rest = self._rest[os.write(self.descriptor, self._rest) :]
        except BlockingIOError:
            return True
        except OSError:
            pass  # the child closed its input: it is free not to read
        return False

    def close(self) -> None:
        os.close(self.descriptor)


class _Child:
    """A started process: fed, recorded, waited for, and stopped when it takes too long."""

    def __init__(self, process: subprocess.Popen[bytes], recorder: Recorder, feed: _Feed | None) -> None:
        self._process = process
        self._recorder = recorder
        self._feed = feed
        self._pidfd = here.exit_of(process.pid)
        if self._pidfd is not None:
            recorder.watch(self._pidfd)
        if feed is not None and feed.write():
            recorder.watch(feed.descriptor, writing=True)
        else:
            self._end_feed(watched=False)

    def run(self, deadline: float | None, grace: float) -> bool:
        """Until it exits, or is made to; True when that was because of the deadline."""
        try:
            timed_out = not self._exits_by(deadline)
            if timed_out:
                self._stop(grace)
        except BaseException:
            self._end_with_us(grace)
            raise
        finally:
            self._unwatch()
        return timed_out

    def _end_with_us(self, grace: float) -> None:
        """Who interrupts this process does not reach one in a session of its own. A second time: at once."""
        try:
            self._stop(grace)
        finally:
            self._signal(signal.SIGKILL)
            self._process.wait()

    @property
    def code(self) -> int | None:
        return self._process.poll()

    def _exits_by(self, deadline: float | None) -> bool:
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            if self._pidfd is None:
                left = _POLL if left is None else min(left, _POLL)
            ready = self._recorder.wait(left)
            if self._feed is not None and self._feed.descriptor in ready and not self._feed.write():
                self._end_feed(watched=True)
            if self._pidfd in ready or (self._pidfd is None and self._process.poll() is not None):
                return True

    def _stop(self, grace: float) -> None:
        """Asks the group to end, then ends it. It is not reaped in between, so its number stays its own."""
        self._signal(signal.SIGTERM)
        self._exits_by(time.monotonic() + grace)
        self._signal(signal.SIGKILL)
        self._exits_by(time.monotonic() + _REAP)

    def _signal(self, number: int) -> None:
        here.signal_group(self._process.pid, number)

    def _end_feed(self, *, watched: bool) -> None:
        if self._feed is None:
            return
        if watched:
            self._recorder.forget(self._feed.descriptor)
        self._feed.close()
        self._feed = None

    def _unwatch(self) -> None:
        self._end_feed(watched=True)
        if self._pidfd is not None:
            self._recorder.forget(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
