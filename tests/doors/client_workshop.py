"""The clients under test, with a daemon and an interpreter that do what a test says."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from fairlead.doors.daemon.wire import (
    Intake,
    WireError,
    acknowledgement,
    read_request,
    reply_frame,
)
from fairlead.doors.hook.hook_call import HookCall
from fairlead.model.verdict import Reply

ROOT = Path(__file__).resolve().parents[2]
INTERPRETER = """#!{python} -IS
import os, sys, time
payload = b""
while part := os.read(0, 1 << 20):
    payload += part
with open({seen!r}, "w") as file:
    import json
    words = [os.fsencode(word).decode("latin-1") for word in sys.argv[1:]]
    noted = dict(words=words, payload=payload.decode("latin-1"), environment=dict(os.environ))
    json.dump(noted, file)
os.replace({seen!r}, {seen!r} + ".json")
{then}
"""
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
RUNNERS = {
    "valgrind": "valgrind -q --error-exitcode=99 --leak-check=full --child-silent-after-fork=yes",
    "aarch64": "qemu-aarch64-static",
}
"""What runs a client that this machine does not run by itself, or not strictly enough."""
PUBLISHED = ("x86_64", "aarch64")
ANSWERS_COLD = "os.write(3, {frame!r})"


def native_build() -> Any:
    """The module `native/build.py`, which is no part of the package."""
    spec = spec_from_file_location("fairlead_native_build", ROOT / "native" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_client(kind: str, directory: Path) -> Path:
    """A client as the wheel carries it; the pure one with the first line that `fairlead install` gives it."""
    build = native_build()
    if kind == "native":
        return build.build_native(directory)
    if kind == "sanitized":
        return build.build_native(directory, flags=SANITIZERS)
    if kind == "valgrind":
        return build.build_native(directory, flags=("-g", "-O1"))
    if kind in PUBLISHED:
        return published_client(kind, directory)
    client = build.build_pure(directory)
    source = client.read_text()
    client.write_text(f"#!{sys.executable} -IS\n" + source[source.index('"""fairlead-hook') :])
    return client


def published_client(processor: str, directory: Path) -> Path:
    """The one in the wheel that `make dist` made for Linux on that processor."""
    wheel = next(Path(os.environ["FAIRLEAD_DIST"]).glob(f"*manylinux*_{processor}.*whl"))
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("scripts/fairlead-hook"))
        client = directory / "fairlead-hook"
        client.write_bytes(archive.read(name))
    client.chmod(0o755)
    return client


class Workshop:
    """One client in a place of its own, with its record, home, daemon and interpreter."""

    def __init__(self, client: Path, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.run_folder = self.home / "run"
        self.state = self.home / "state"
        for made in (self.run_folder, self.state, folder / "bin"):
            made.mkdir(parents=True)
        self.run_folder.chmod(0o700)
        self.client = folder / "bin" / "fairlead-hook"
        shutil.copy2(client, self.client)
        self.record_path = Path(f"{self.client}.record")
        self.runner = next((name for name in RUNNERS if client.parent.name.startswith(name)), "")
        if self.runner:
            self._run_by(RUNNERS[self.runner])
        self.seen = folder / "seen"
        self.record = {"interpreter": str(self.make_interpreter(Reply(0, b"cold answer", b"")))}

    def _run_by(self, runner: str) -> None:
        checked = self.client.rename(f"{self.client}.checked")
        self.record_path = Path(f"{checked}.record")
        self.client.write_text(f'#!/bin/sh\nexec {runner} "$0.checked" "$@"\n')
        self.client.chmod(0o755)

    def note(self, text: str) -> Path:
        """The record of the client that is installed in this home, whichever client is called."""
        path = self.home / "share" / "bin" / "fairlead-hook.record"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
        return path

    def make_interpreter(self, reply: Reply | None = None, then: str = "") -> Path:
        """A program that notes what it was given, and then answers or does something else."""
        path = self.folder / "interpreter"
        then = then or ANSWERS_COLD.format(frame=reply_frame(reply or Reply()))
        path.write_text(INTERPRETER.format(python=sys.executable, seen=str(self.seen), then=then))
        path.chmod(0o755)
        return path

    def start(
        self,
        *words: str,
        environment: Mapping[str, str] | None = None,
        stdin: int = subprocess.PIPE,
        moved: bool = True,
        **options: object,
    ) -> subprocess.Popen[bytes]:
        record = "".join(f"{key}={value}\n" for key, value in self.record.items())
        self.record_path.write_text(record)
        where = ["--home", str(self.home)] if moved else []
        return subprocess.Popen(
            [str(self.client), *where, *words],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", **(environment or {})},
            **options,  # type: ignore[arg-type]
        )

    def call(
        self,
        *words: str,
        payload: bytes = b"{}",
        environment: Mapping[str, str] | None = None,
        **options: object,
    ) -> Reply:
        process = self.start(*(words or ("claude", "PreToolUse")), environment=environment, **options)  # type: ignore[arg-type]
        out, err = process.communicate(payload, timeout=60)
        return Reply(process.returncode, out, err)

    def cold_call(self) -> dict[str, object] | None:
        """What the interpreter was given; None if it was never started."""
        try:
            return json.loads(Path(f"{self.seen}.json").read_text())  # type: ignore[no-any-return]
        except FileNotFoundError:
            return None


def bound_socket(folder: Path) -> socket.socket:
    """Through a descriptor, because the name of a socket has to be short."""
    descriptor = os.open(folder, os.O_PATH)
    made = socket.socket(socket.AF_UNIX)
    made.bind(f"/proc/self/fd/{descriptor}/daemon.sock")
    os.close(descriptor)
    return made


def leave_a_socket(folder: Path) -> None:
    """As a daemon does that was killed."""
    bound_socket(folder).close()


Behaviour = Callable[[socket.socket, HookCall], None]


class Daemon:
    """A daemon whose every answer is the test's."""

    def __init__(self, folder: Path, behaviour: Behaviour) -> None:
        self.requests: list[HookCall] = []
        self.roots: list[str] = []
        self._behaviour = behaviour
        self._release = threading.Event()
        self._listener = bound_socket(folder)
        self._listener.listen(16)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, suppress(WireError):  # a client that connects early may think better of it
                    arrived = read_request(Intake(connection, 30))
                    assert arrived is not None
                    request, root = arrived
                    self.requests.append(request)
                    self.roots.append(root)
                    self._behaviour(connection, request)

    def wait(self) -> None:
        """For behaviours that hang until the test is over."""
        self._release.wait(60)

    def close(self) -> None:
        self._release.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)


class Daemons:
    def __init__(self) -> None:
        self.started: list[Daemon] = []

    def __call__(self, workshop: Workshop, behaviour: Behaviour) -> Daemon:
        self.started.append(Daemon(workshop.run_folder, behaviour))
        return self.started[-1]


def answering(reply: Reply, seconds: float = 10) -> Behaviour:
    def behave(connection: socket.socket, _: HookCall) -> None:
        connection.sendall(acknowledgement(seconds))
        connection.sendall(reply_frame(reply))

    return behave


def request_id(words: list[str]) -> str:
    found = words[words.index("--request") + 1]
    assert re.fullmatch("[0-9a-f]{32}", found)
    return found
