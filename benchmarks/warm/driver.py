"""Calls through the daemon's socket without a client process: what the daemon itself can carry."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.warm.place import Place
from benchmarks.warm.processes import cpu_seconds
from fairlead.doors.daemon import control
from fairlead.doors.daemon.lifecycle import SOCKET
from fairlead.doors.daemon.wire import CALL, CWD, ENVIRONMENT, PAYLOAD, frame, hello


class Driver:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._pid = place.warm_up()["pid"]
        self._path = os.path.join(place.places.run, SOCKET)
        block = b"".join(f"{name}={value}".encode() + b"\0" for name, value in place.environment().items())
        self._fixed = frame(CWD, os.fsencode(place.project)) + frame(ENVIRONMENT, block)

    def call(self, payload: bytes, number: int) -> float:
        """The seconds from connecting to the end of the answer."""
        words = f"{number:032x}\0claude\0PreToolUse\x0030000\0\0".encode()
        sent = hello("bench") + frame(CALL, words) + self._fixed + frame(PAYLOAD, payload)
        started = time.perf_counter()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self._path)
            connection.sendall(sent)
            received = b""
            while part := connection.recv(1 << 16):
                received += part
        assert len(received) > 9, "the daemon did not answer"
        return time.perf_counter() - started

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._pid)

    def resident_bytes(self) -> int:
        facts = control.ping(self._place.places)
        assert facts is not None
        return int(facts["resident_bytes"])


def throughput(place: Place, commands: Sequence[str], calls: int) -> dict[str, object]:
    """Decisions per second of wall time and of the daemon's own processor time, and its memory on the way."""
    driver = Driver(place)
    payloads = [place.payload(command, number) for number, command in enumerate(commands)]
    for number in range(200):
        driver.call(payloads[number % len(payloads)], number)
    curve = [(0, driver.resident_bytes())]
    step = max(1, calls // 20)
    cpu, started = driver.cpu_seconds(), time.perf_counter()
    for number in range(1, calls + 1):
        driver.call(payloads[number % len(payloads)], number)
        if number % step == 0:
            curve.append((number, driver.resident_bytes()))
            drop_journal(place)
    wall, cpu = time.perf_counter() - started, driver.cpu_seconds() - cpu
    return {
        "calls": calls,
        "per_second_wall": round(calls / wall),
        "per_second_of_cpu": round(calls / cpu),
        "resident_mb": round(curve[-1][1] / 1e6, 1),
        "resident_curve": curve,
    }


def drop_journal(place: Place) -> None:
    """Full segments are of no use here, and a long run would fill the disk."""
    for segment in Path(place.places.state, "journal").glob("*.jsonl*"):
        if segment.name != "journal.jsonl":
            segment.unlink()
