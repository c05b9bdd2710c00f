"""The daemon's own process: from the lock that it was handed to the end of its last call."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import fairlead
from fairlead.doors.daemon.large_pages import use_large_pages
from fairlead.doors.daemon.lifecycle import LOCK, SOCKET, DaemonError, identity
from fairlead.doors.daemon.server import Judge, Rules, Server
from fairlead.doors.daemon.settings import read_settings
from fairlead.doors.daemon.wire import WIRE_VERSION
from fairlead.doors.hook.hook_call import Acknowledge, HookCall
from fairlead.errors import FairleadError, JournalError
from fairlead.journal.files import private_directory
from fairlead.model.verdict import Reply
from fairlead.platforms import here
from fairlead.policy.installed import is_private, placed, recorded_interpreter
from fairlead.policy.places import Places, find_places

if TYPE_CHECKING:
    from fairlead.doors.hook.systems import Systems

_PATROL_SECONDS = 1.0
_FAREWELL_SECONDS = 60.0
_FLEET_SECONDS = 60.0
_LOG_BOUND = 1024 * 1024
_BACKLOG = 512
_SWITCH_SECONDS = 0.001
"""Python's 5 ms would let one long decision keep short ones waiting that long."""


class Daemon:
    """Holds the lock and the socket of one user."""

    def __init__(self, places: Places, lock: int, judge: Judge) -> None:
        self._places = places
        self._lock = lock
        self._judge = judge
        self._settings = read_settings(places.config)
        self._started = time.time()
        self._package = fairlead.__file__
        self._sign = sign_of_the_build(places)
        self._build = identity(self._sign)
        self._superseded = not is_the_recorded_one(places)
        self._fleet_look = 0.0
        self._modules: dict[str, tuple[int, ...]] = {}
        self._leaving = threading.Event()
        self._reason = ""
        self._socket = os.path.join(places.run, SOCKET)
        self._files: dict[str, tuple[int, ...]] = {}
        self._installed = self._installation()

    def run(self) -> None:
        """Until a signal, an upgrade, idleness, or the loss of its socket."""
        signal.signal(signal.SIGTERM, lambda *_: self.retire("asked to"))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        for problem in self._settings.problems:
            log(problem)
        self._patrol_code()
        rules = Rules(
            self._judge, self._status, log, self._outdated, self.retire, workers=int(self._settings.workers)
        )
        self._server = Server(self._bind(), rules)
        self._server.start()
        log(f"started: process {os.getpid()}, fairlead {fairlead.__version__}")
        while not self._leaving.wait(_PATROL_SECONDS):
            self._patrol()
        self._leave()

    def retire(self, reason: str) -> None:
        self._reason = self._reason or reason
        self._leaving.set()

    def _bind(self) -> socket.socket:
        folder = here.open_folder(self._places.run)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _remove(self._socket)
            listener.bind(here.short_name(folder, SOCKET))
        finally:
            os.close(folder)
        listener.listen(_BACKLOG)
        lock = os.path.join(self._places.run, LOCK)
        self._files = {path: identity(path)[:2] for path in (self._socket, lock)}
        return listener

    def _outdated(self) -> bool:
        return self._superseded or identity(self._sign) != self._build

    def _patrol(self) -> None:
        gone = [path for path, known in self._files.items() if identity(path)[:2] != known]
        if gone:
            self.retire(f"{gone[0]} was taken away")
        elif self._outdated() or not self._patrol_code():
            self.retire("another build is installed")
        elif self._installation() != self._installed:
            self.retire("another client or agent was installed")
        elif (
            not self._server.busy and time.monotonic() - self._server.last_call > self._settings.idle_seconds
        ):
            self.retire(f"idle for {self._settings.idle_seconds:.0f} s")
        elif time.monotonic() >= self._fleet_look:
            self._fleet_look = time.monotonic() + _FLEET_SECONDS
            self._start_fleet_agent()

    def _start_fleet_agent(self) -> None:
        """Where this user belongs to a fleet, and no service manager runs its agent. No call waits for it."""
        if not os.path.lexists(self._places.user_enrolment):
            return
        from fairlead.doors.fleet.running.starting import ensure_agent  # only where there is a fleet

        try:
            if ensure_agent(self._places):
                log("started the agent of the fleet")
        except (FairleadError, OSError) as error:
            log(f"the agent of the fleet cannot be started: {error}")

    def _installation(self) -> tuple[tuple[int, ...], ...]:
        """Marks of what says where the guard lives: every system here was built with it."""
        records = (self._places.client_record, placed(self._places).record, self._places.installed)
        return tuple(map(identity, records))

    def _patrol_code(self) -> bool:
        """Whether every module of ours is as it was when first seen: an editable install changes in parts."""
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            if path and module.__name__.startswith("fairlead"):
                found = identity(path)
                if self._modules.setdefault(path, found) != found:
                    return False
        return True

    def _leave(self) -> None:
        """The socket goes before the lock, so that it is never a successor's socket that goes."""
        if identity(self._socket)[:2] == self._files[self._socket]:
            _remove(self._socket)
        self._server.close()
        os.close(self._lock)
        log(f"leaving: {self._reason}; {self._server.calls} calls answered")
        deadline = time.monotonic() + _FAREWELL_SECONDS
        while self._server.busy and time.monotonic() < deadline:
            time.sleep(0.02)

    def _status(self) -> bytes:
        server = self._server
        facts = {
            "pid": os.getpid(),
            "version": fairlead.__version__,
            "wire": WIRE_VERSION,
            "package": os.path.dirname(self._package),
            "interpreter": sys.executable,
            "started": self._started,
            "calls": server.calls,
            "busy": max(0, server.busy - 1),  # this question is no call
            "workers": server.workers,
            "resident_bytes": here.own_memory(),
            "idle_seconds": self._settings.idle_seconds,
            "problems": list(self._settings.problems),
        }
        return json.dumps(facts).encode()


def sign_of_the_build(places: Places) -> str:
    """The file that changes when another build is installed. Environments of our own stay as they are, and
    the client's record goes from one to the next; anybody else's are upgraded where they stand."""
    return placed(places).record if is_private(sys.executable, places) else fairlead.__file__


def is_the_recorded_one(places: Places) -> bool:
    """An upgrade may come between the choice of the interpreter and the moment at which the sign is read."""
    return not is_private(sys.executable, places) or recorded_interpreter(places) in ("", sys.executable)


def run(home: str, lock: int) -> None:
    """The daemon of the user, or of `--home`."""
    from fairlead.doors.hook.call import answer
    from fairlead.doors.hook.systems import Systems

    places = find_places(home)
    systems = Systems(places, lasting=True, saving=True)

    def judge(call: HookCall, acknowledge: Acknowledge | None) -> tuple[Reply, Callable[[], None] | None]:
        answered = answer(call, systems, acknowledge)
        return answered.reply, answered.afterwards or systems.journal.settle

    warm_up(systems)
    serve(places, lock, judge)
    systems.close()


_FAMILIAR = """
true && ls -la | sort > /dev/null; cp a b; git log; gh pr list; aws --version; docker ps; kubectl get pods
psql -c 'select 1'; lsblk; ps aux; sudo -l; systemctl status x; npm ls; pip list; curl -s localhost; ssh -V
python3 -c 'print(1)'; node -e '1'; perl -e '1'; ruby -e '1'; php -r '1'; hg status; crontab -l; id
fairlead status; rclone ls x:; openssl version; make -n; rails -v; pass ls; vim --version; trap 'true' EXIT
find . -name x; mkfs -V; lvm version; elm --version; pw help; fj --version; salt --version; cmd /c ver
ansible --version; pm-suspend --help; sed -n p a; tmux ls
"""
"""A program of each kind that the guards have tables for. It is judged, and never run."""


def warm_up(systems: Systems) -> None:
    """Imports and compiles what every call needs, before the first one has to wait for it."""
    from fairlead.dialects.agent_registry import AGENTS, dialect_named
    from fairlead.model.event import Event
    from fairlead.model.event_name import EventName
    from fairlead.model.fast_records import compile_records
    from fairlead.model.tool_call import ToolCall, ToolKind
    from fairlead.packs.guards.practice import load_rooms, practise
    from fairlead.policy.answers import questions  # noqa: F401 - loaded for the first call that has to be asked about
    from fairlead.secrets.redact import compile_hints
    from fairlead.shell.lazy_pattern import compile_patterns

    with suppress(JournalError):  # the first call would make it, and the policy would seem to have changed
        private_directory(systems.journal.directory)
    for agent in AGENTS:
        dialect_named(agent)
    harmless = ToolCall("Bash", {"command": _FAMILIAR}, ToolKind.SHELL)
    systems.compiled("/", "claude").fire(Event(EventName.BEFORE_TOOL, agent="claude", cwd="/", tool=harmless))
    load_rooms()
    practise()
    compile_records()
    compile_patterns()
    compile_hints()
    gc.collect()
    gc.freeze()
    use_large_pages()


def serve(places: Places, lock: int, judge: Judge) -> None:
    try:
        sys.setswitchinterval(_SWITCH_SECONDS)
        Daemon(places, lock, judge).run()
    except OSError as error:
        log(f"cannot serve: {error}")
        raise DaemonError(f"cannot serve: {error}") from error


def log(words: str) -> None:
    """To stderr, which is the log; it starts anew when it is full."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        if os.fstat(2).st_size > _LOG_BOUND:
            os.ftruncate(2, 0)
        os.write(2, f"{stamp} {words}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass  # a log that cannot be written is no reason not to answer


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
