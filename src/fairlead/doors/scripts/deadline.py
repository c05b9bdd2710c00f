"""Ends this script when its time is over, whatever it is doing then.

Another process watches the clock: code that does not come back to the interpreter cannot be interrupted from
within. That process runs this file and nothing else of ours.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time

TIMED_OUT = 124
_LAST_GRACE = 1.0
_POLL = 0.05


def end_after(seconds: float, grace: float) -> None:
    """From now on this process has so many seconds; it then ends with 124, and so does what it started."""
    words = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(seconds), str(grace)]
    signal.signal(signal.SIGALRM, _Alarm())
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    starter = os.posix_spawn(sys.executable, words, os.environ, file_actions=nothing, setsid=True)
    os.waitpid(starter, 0)  # the watcher is its child, and no child that this script would have to wait for


class _Alarm:
    """The first one lets the script leave as by `sys.exit`; at the second it is made to."""

    def __init__(self) -> None:
        self._rung = False

    def __call__(self, number: int, frame: object) -> None:
        if self._rung:
            os._exit(TIMED_OUT)
        self._rung = True
        os.write(2, b"fairlead: the time that a hook set for this script is over\n")
        if not threading.main_thread().is_alive():  # it has ended, and waits for other threads
            sys.stdout.flush()
            os._exit(TIMED_OUT)
        raise SystemExit(TIMED_OUT)


def _watch(process: int, seconds: float, grace: float) -> None:
    end = _Ending(process)
    if os.fork():
        return
    if end.within(seconds):
        return
    children = _descendants(process)
    _tell([process], signal.SIGALRM)
    _tell(children, signal.SIGTERM)
    if not end.within(grace):
        _tell([process], signal.SIGALRM)
    _tell(children, signal.SIGKILL)
    if not end.within(_LAST_GRACE):
        _tell([process], signal.SIGKILL)


class _Ending:
    """Waits for the end of a process; whether it came within so many seconds."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._descriptor = os.pidfd_open(process) if hasattr(os, "pidfd_open") else None

    def within(self, seconds: float) -> bool:
        if self._descriptor is not None:
            return bool(select.select([self._descriptor], [], [], seconds)[0])
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                os.kill(self._process, 0)
            except ProcessLookupError:
                return True
            time.sleep(_POLL)
        return False


def _tell(processes: list[int], number: int) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except (ProcessLookupError, PermissionError):
            continue


def _descendants(process: int) -> list[int]:
    """Those that its threads have started, and theirs; none where the system does not tell."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass  # it has just ended
    return [each for child in found for each in (*_descendants(child), child)]


if __name__ == "__main__":
    _watch(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
