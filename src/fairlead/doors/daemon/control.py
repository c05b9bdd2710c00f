"""The daemon from outside: is it there, how is it, end it, start it again."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from contextlib import suppress
from typing import Any

from fairlead.doors.daemon.lifecycle import LOCK, LOG, SOCKET, DaemonError, ensure_daemon, take_lock
from fairlead.doors.daemon.wire import PING, PONG, frame, hello
from fairlead.platforms import here
from fairlead.policy.places import Places

_PAUSE = 0.02
_PATIENCE = 10.0
_PONG_BOUND = 64 * 1024


def ping(places: Places, seconds: float = 2.0) -> dict[str, Any] | None:
    """What the daemon says of itself; None when there is none. Raises DaemonError for a silent one."""
    connection = _connect(places)
    if connection is None:
        return None
    with connection:
        connection.settimeout(seconds)
        try:
            connection.sendall(hello("control") + frame(PING))
            answer = b""
            while part := connection.recv(_PONG_BOUND):
                answer += part
            if answer[4:5] != bytes((PONG,)):
                raise DaemonError(
                    f"the daemon would not say how it is: {answer[5:].decode(errors='replace')}"
                )
            facts: dict[str, Any] = json.loads(answer[5:])
            return facts
        except (OSError, ValueError) as error:
            raise DaemonError(
                f"the daemon does not answer: {error}", hint="`fairlead daemon restart` replaces it"
            ) from error


def stop(places: Places, seconds: float = _PATIENCE) -> int | None:
    """Ends the daemon and returns its process id; None when there was none. Calls in flight are finished."""
    connection = _connect_when_started(places, seconds)
    if connection is None:
        return None
    with connection:
        pid = _owner(connection)
        process = here.exit_of(pid)
    try:
        for ending in (signal.SIGTERM, signal.SIGKILL):
            here.signal_exactly(pid, process, ending)
            if _released(places, seconds):
                return pid
    except ProcessLookupError:
        return pid
    finally:
        if process is not None:
            os.close(process)
    raise DaemonError(f"process {pid} holds {places.run} and does not end", hint=f"kill -9 {pid}")


def start(places: Places, home: str = "", seconds: float = _PATIENCE) -> dict[str, Any]:
    """Starts a daemon unless there is one, and waits until it answers."""
    ensure_daemon(places, home)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(DaemonError):  # on a busy machine it may need longer for its first answer
            facts = ping(places)
            if facts is not None:
                return facts
        time.sleep(_PAUSE)
    raise DaemonError("the daemon does not come up", hint="`fairlead daemon logs` may say why")


def read_log(places: Places, lines: int) -> list[str]:
    try:
        with open(os.path.join(places.run, LOG), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()[-lines:]
    except FileNotFoundError:
        return []


def _connect_when_started(places: Places, seconds: float) -> socket.socket | None:
    """One that holds the lock and does not listen yet is about to: it is waited for."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        connection = _connect(places)
        if connection is not None or not os.path.exists(os.path.join(places.run, LOCK)) or _is_free(places):
            return connection
        time.sleep(_PAUSE)
    raise DaemonError("a daemon is starting and does not come up", hint="`fairlead daemon logs` may say why")


def _connect(places: Places) -> socket.socket | None:
    """Through a descriptor of the folder: its name may be longer than the name of a socket can be."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        folder = here.open_folder(places.run)
    except FileNotFoundError:
        connection.close()
        return None
    try:
        connection.settimeout(2.0)
        connection.connect(here.short_name(folder, SOCKET))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except OSError as error:
        connection.close()
        raise DaemonError(f"the daemon cannot be reached: {error}") from error
    finally:
        os.close(folder)
    return connection


def _owner(connection: socket.socket) -> int:
    """The kernel's word for who listens, if it is one of ours."""
    pid, uid = here.peer(connection)
    if uid != os.getuid():
        raise DaemonError(f"the daemon is one of user {uid}")
    if pid == 0:
        raise DaemonError(
            "the daemon runs in a container or another process namespace",
            hint="end it there: fairlead daemon stop",
        )
    return pid


def _released(places: Places, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if _is_free(places):
            return True
        time.sleep(_PAUSE)
    return False


def _is_free(places: Places) -> bool:
    """Nobody is the daemon, nor about to be."""
    lock = take_lock(places)
    if lock is not None:
        os.close(lock)
    return lock is not None
