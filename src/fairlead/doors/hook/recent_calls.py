"""One call that is seen twice: an agent that reads two settings files asks through both.

The second time it keeps the request under which it was first seen. So readers of the journal count it once,
and what a person granted for one call holds for both answers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic, sleep

from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.places import make_private
from fairlead.policy.reload import Mark, mark_of

_SAME_CALL = 10.0
"""Seconds within which the same call is one."""
_IN_MEMORY, _ON_DISK = 4096, 256
"""How many calls are remembered."""
_FRESH = 2 * _SAME_CALL
"""Seconds in which a daemon looks for calls that were answered before it was there."""
_TRIES, _PAUSE = 50, 0.004


class Seen(Value):
    """A call, when it came first, and through which agents' commands it came since."""

    request: str
    at: float
    doors: tuple[str, ...]


Calls = dict[str, Seen]


class RecentCalls:
    """Kept in memory by a process that lasts, and in a file for those that answer one call each."""

    def __init__(self, path: str, *, lasting: bool = False) -> None:
        self._path, self._lasting = path, lasting
        self._calls: Calls = {}
        self._answered: Calls = {}
        self._mark: Mark = ()
        self._fresh_until = monotonic() + _FRESH
        self._lock = Lock()

    def request_of(self, event: Event, *, door: str, request: str) -> str:
        """The request of this call. `door` is the agent in whose settings the command stands."""
        call = _identity(event) if request else ""
        if not call:
            return request
        if self._lasting:
            return self._in_memory(call, door, request)
        try:
            return self._on_disk(_on_disk_key(call), door, request)
        except OSError:
            return request  # it may be counted twice, but no answer is lost for that

    def _in_memory(self, call: str, door: str, request: str) -> str:
        key, now = f"{call[0]}{hash(call)}", monotonic()
        with self._lock:
            if now < self._fresh_until and key not in self._calls:
                earlier = self._earlier(call)
                if earlier is not None:
                    self._calls[key] = earlier
            if len(self._calls) >= _IN_MEMORY:
                self._calls = _alive(self._calls, _IN_MEMORY // 2)
            return _joined(self._calls, key, door, request, now)

    def _earlier(self, call: str) -> Seen | None:
        """As a process of one call has answered it; their file is read when it has changed."""
        mark = mark_of(self._path)
        if mark != self._mark:
            self._mark, self._answered = mark, _load(self._path)
        return self._answered.get(_on_disk_key(call)) if self._answered else None

    def _on_disk(self, key: str, door: str, request: str) -> str:
        with _held(self._path):
            calls = _load(self._path)
            first = _joined(calls, key, door, request, monotonic())
            _save(self._path, _alive(calls, _ON_DISK))
        return first


def _joined(calls: Calls, key: str, door: str, request: str, now: float) -> str:
    """Joins the call, or begins another: the same moment through the same door is a second call."""
    seen = calls.get(key)
    if seen is not None and 0 <= now - seen.at < _SAME_CALL and (key[0] == "i" or door not in seen.doors):
        calls[key] = seen.replace(doors=(*seen.doors, door))
        return seen.request
    calls[key] = Seen(request, now, (door,))
    return request


def _alive(calls: Calls, most: int) -> Calls:
    now = monotonic()
    recent = [(key, seen) for key, seen in calls.items() if 0 <= now - seen.at < _SAME_CALL]
    return dict(sorted(recent, key=lambda item: item[1].at)[-most:])


def _identity(event: Event) -> str:
    """By the agent's own id of the call, else by the moment that it gives to it; empty without either.

    Two settings files may be served with different spellings, so the kind counts and not the name.
    """
    tool = event.tool
    if tool is not None and tool.id:
        mark = f"id {tool.id}"
    elif event.timestamp and event.session:
        mark = f"at {_moment(event.timestamp)}"
    else:
        return ""
    call = (tool.kind._value_, dict(tool.input)) if tool is not None else ()
    said = (mark, event.agent, event.session, event.name._value_, event.subagent, event.prompt, call)
    return f"{mark[0]} {said!r}"


def _on_disk_key(call: str) -> str:
    """The same for every process, and without the words of the call."""
    return call[0] + sha256_hex(call.encode("utf-8", "surrogatepass"))


def _moment(stamp: str) -> str:
    """Milliseconds, whether the agent writes them as a number or as a date."""
    from datetime import datetime

    if stamp.isdecimal():
        return stamp
    try:
        return str(round(datetime.fromisoformat(stamp).timestamp() * 1000))
    except ValueError:
        return stamp


@contextmanager
def _held(path: str) -> Iterator[None]:
    """Nobody else has the file in between; who keeps it for long is not waited for."""
    make_private(os.path.dirname(path))
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        for _ in range(_TRIES):
            with suppress(BlockingIOError):
                here.lock(lock, wait=False)
                break
            sleep(_PAUSE)
        else:
            raise BlockingIOError(f"{path} is in use")
        yield
    finally:
        os.close(lock)


def _load(path: str) -> Calls:
    try:
        with open(path, "rb") as file:
            kept = json.load(file)
        return {
            str(key): Seen(str(request), float(at), tuple(doors))
            for key, (request, at, doors) in kept.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # not there, or no longer ours to read: every call is then a first one


def _save(path: str, calls: Calls) -> None:
    draft = f"{path}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    with open(os.open(draft, flags, 0o600), "wb") as file:
        kept = {key: (seen.request, seen.at, seen.doors) for key, seen in calls.items()}
        file.write(json.dumps(kept).encode())
    os.replace(draft, path)
