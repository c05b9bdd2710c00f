"""The worker processes of the middleware files: warm, one call at a time each, killed when one hangs."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress

from fairlead.executors.frames import Frames, packed
from fairlead.executors.recorder import Recorder
from fairlead.model.timeline import Timeline
from fairlead.platforms import here

_START = 10.0
_GRACE = 0.2
_IDLE = 300.0
_MOST = 8
_SOURCES = 256

_PROGRAM = "import sys; sys.path += sys.argv[2:]; from fairlead.executors.worker import main; main()"

MIDDLEWARE_PACKAGES = "middleware-packages"
"""In an environment that belongs to Fairlead alone: where the person keeps packages for hooks, a folder to a
line. Only workers look there, and last: the guard itself runs nothing from it."""

Signature = tuple[int, int, int, int]


class WorkerGoneError(Exception):
    """The process ended in the middle of a call."""


class WorkerBusyError(Exception):
    """The deadline passed before there was an answer."""


class Worker:
    """One process that runs the middleware files of one policy directory."""

    def __init__(self, directory: str, environment: Mapping[str, str]) -> None:
        self.directory = directory
        self.idle_since = 0.0
        self._environment: Mapping[str, str] = environment
        self._sent: dict[str, bytes] = {}
        self._modules: Mapping[str, bytes] | None = None
        self._frames = Frames()
        self._recorder = Recorder()
        self._channel, theirs = socket.socketpair()
        try:
            self._process = _started(theirs.fileno(), self._recorder, environment)
        except BaseException:
            self._channel.close()
            self._recorder.close()
            raise
        finally:
            theirs.close()
        self._recorder.release()
        self._recorder.watch(self._channel.fileno())
        try:
            self._receive(time.monotonic() + _START)
        except BaseException:
            self.end()
            raise

    def call(
        self,
        request: dict[str, object],
        *,
        source: bytes,
        modules: Mapping[str, bytes] | None,
        environment: Mapping[str, str],
        deadline: float,
    ) -> tuple[dict[str, object], Timeline]:
        """The worker's answer and what was printed meanwhile. When it raises: `end` the worker."""
        self._recorder.settle(0)
        self._recorder.take()  # what a thread of an earlier call printed belongs to nobody
        if environment != self._environment:
            request = {**request, "environment": dict(environment)}
            self._environment = environment
        self._send(self._packed(request, source, modules), deadline)
        reply = self._receive(deadline)
        self._recorder.settle(0)
        return reply, self._recorder.take()

    def _packed(
        self, request: dict[str, object], source: bytes, modules: Mapping[str, bytes] | None
    ) -> bytes:
        """With the source and the modules, where the process does not have them yet."""
        path = str(request["path"])
        parts = [b"" if self._sent.get(path) == source else source]
        request = {**request, "source": len(parts[0])}
        if modules != self._modules:
            request["modules"] = None if modules is None else [[k, len(v)] for k, v in modules.items()]
            parts += (modules or {}).values()
        self._sent[path], self._modules = source, modules
        return packed(request, b"".join(parts))

    @property
    def output(self) -> Timeline:
        """What was printed in a call that did not end."""
        return self._recorder.take()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def exit_code(self) -> int | None:
        """How the process ended, negative for a signal; None when it has not."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE)
        return None

    def end(self) -> None:
        """Ends the process and what it started; a worker that waits for calls ends when its channel does."""
        self._recorder.forget(self._channel.fileno())
        self._channel.close()
        if self.alive:
            self._signal(signal.SIGTERM)
            self.exit_code()
        self._signal(signal.SIGKILL)
        self.exit_code()
        self._recorder.close()

    def _signal(self, number: int) -> None:
        here.signal_group(self._process.pid, number)

    def _send(self, data: bytes, deadline: float) -> None:
        self._channel.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            self._channel.sendall(data)
        except TimeoutError as error:
            raise WorkerBusyError from error
        except OSError as error:
            raise WorkerGoneError from error

    def _receive(self, deadline: float) -> dict[str, object]:
        while (frame := self._frames.next()) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise WorkerBusyError
            if self._channel.fileno() in self._recorder.wait(left):
                self._frames.add(self._read())
        return frame[0]

    def _read(self) -> bytes:
        try:
            data = self._channel.recv(1 << 16)
        except OSError as error:
            raise WorkerGoneError from error
        if not data:
            self._recorder.settle(0)
            raise WorkerGoneError
        return data


def _started(channel: int, recorder: Recorder, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Isolated (`-I`): neither the cwd nor the environment can put a module in our way."""
    home = __file__.rsplit(os.sep, 3)[0]
    stdout, stderr = recorder.write_ends
    return subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, str(channel), home, *_packages_of_the_person()],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        cwd="/",
        pass_fds=(channel,),
        start_new_session=True,
    )


def _packages_of_the_person() -> list[str]:
    try:
        with open(os.path.join(sys.prefix, MIDDLEWARE_PACKAGES), encoding="utf-8") as file:
            return file.read().splitlines()
    except OSError:
        return []


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Without what changes how Python or the loader of programs behaves."""
    return {k: v for k, v in environment.items() if not k.startswith(("PYTHON", "LD_"))}


class Workers:
    """The workers that are there, handed out one call at a time; safe to use from several threads."""

    def __init__(self, *, most: int = _MOST, idle_seconds: float = _IDLE) -> None:
        self._most = most
        self._idle_seconds = idle_seconds
        self._lock = threading.Condition()
        self._idle: list[Worker] = []
        self._count = 0
        self._closed = False
        self._sources: dict[str, tuple[Signature, bytes]] = {}

    def take(self, directory: str, environment: Mapping[str, str], deadline: float) -> Worker:
        """A warm worker of this directory, else a new one; WorkerBusyError when none is free in time."""
        with self._lock:
            while True:
                if self._closed:
                    raise WorkerGoneError("the workers are closed")
                warm = self._warm(directory)
                if warm is not None:
                    return warm
                if self._count >= self._most and self._idle:
                    self._idle.pop(0).end()
                    self._count -= 1
                if self._count < self._most:
                    self._count += 1
                    break
                if not self._lock.wait(max(deadline - time.monotonic(), 0)):
                    raise WorkerBusyError
        try:
            return Worker(directory, environment)
        except BaseException:
            self._one_less()
            raise

    def _warm(self, directory: str) -> Worker | None:
        for worker in reversed([idle for idle in self._idle if idle.directory == directory]):
            self._idle.remove(worker)
            if worker.alive:
                return worker
            worker.end()
            self._count -= 1
        return None

    def give_back(self, worker: Worker) -> None:
        """After a call that ended as it should."""
        worker.idle_since = time.monotonic()
        with self._lock:
            wanted = not self._closed
            if wanted:
                self._idle.append(worker)
                self._lock.notify()
        if not wanted:
            self.discard(worker)
        self.recycle()

    def discard(self, worker: Worker) -> None:
        """After any other: nobody gets this one again."""
        worker.end()
        self._one_less()

    def recycle(self) -> None:
        """Ends workers that nobody has needed for a while."""
        oldest = time.monotonic() - self._idle_seconds
        with self._lock:
            stale = [worker for worker in self._idle if worker.idle_since < oldest]
            self._idle = [worker for worker in self._idle if worker.idle_since >= oldest]
        for worker in stale:
            self.discard(worker)

    def source(self, path: str) -> bytes:
        """What the file says now, read again only when it changed. Raises OSError."""
        info = os.stat(path)
        signature = (info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino)
        known = self._sources.get(path)
        if known is not None and known[0] == signature:
            return known[1]
        with open(path, "rb") as file:
            source = file.read()
        if len(self._sources) >= _SOURCES:
            self._sources.clear()
        self._sources[path] = (signature, source)
        return source

    def close(self) -> None:
        """Ends all workers; those in use end when their call does."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            self._lock.notify_all()
        for worker in idle:
            self.discard(worker)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one_less(self) -> None:
        with self._lock:
            self._count -= 1
            self._lock.notify()
