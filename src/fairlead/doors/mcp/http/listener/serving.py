"""`fairlead mcp --url URL --listen WHERE`: binds, and serves until it is interrupted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

import uvicorn

from fairlead.doors.mcp.http.connections import Connections
from fairlead.doors.mcp.http.door import RemoteEntry, remote_pins
from fairlead.doors.mcp.http.listener.checks import Rules, new_token
from fairlead.doors.mcp.http.listener.front import PATH, Front
from fairlead.doors.mcp.http.listener.passage import Passage
from fairlead.doors.mcp.http.listener.sessions import Sessions
from fairlead.doors.mcp.http.listener.where import Where
from fairlead.doors.mcp.http.upstream import Upstream
from fairlead.doors.mcp.judging import Judge
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.policy.places import Places, find_places

_CONNECTIONS = 512
_HEADER_BYTES = 64 * 1024
_JUDGING_THREADS = 32


def listen(entry: RemoteEntry, where: Where, *, token: str, origins: Sequence[str]) -> int:
    """Until it is interrupted."""
    places = find_places(entry.home)
    with where.bound() as listening:
        address = where.shown(listening)
        if token:
            said = "the bearer is in the variable"
        else:
            path = token_file(places, entry.name)
            token, said = _kept_token(path), f"the bearer is in {path}"
        rules = Rules(where.hosts(listening), frozenset(map(str.lower, origins)), token)
        sys.stderr.write(f"fairlead mcp {entry.name}: listening at {address}{PATH}; {said}\n")
        sys.stderr.flush()
        stopped: list[int] = []
        for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn ends, and raises them again
            signal.signal(number, lambda number, _: stopped.append(number))
        asyncio.run(_serve(entry, places, rules, listening))
    return 128 + stopped[0] if stopped else 0


async def _serve(entry: RemoteEntry, places: Places, rules: Rules, listening: socket.socket) -> None:
    pins = remote_pins(places, entry)
    for notice in pins.opening.notices:
        sys.stderr.write(f"fairlead mcp {entry.name}: {notice.text}\n")
    with ThreadPoolExecutor(_JUDGING_THREADS, thread_name_prefix="judge") as pool:
        sessions = Sessions(_maker(entry, places, pins, pool))
        clock = asyncio.ensure_future(sessions.keep_time())
        config = uvicorn.Config(
            Front(rules, sessions),
            http="h11",
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            h11_max_incomplete_event_size=_HEADER_BYTES,
            timeout_graceful_shutdown=1,
        )
        try:
            await uvicorn.Server(config).serve(sockets=[listening])
        finally:
            clock.cancel()
            await sessions.close()


def _maker(entry: RemoteEntry, places: Places, pins: Pins, pool: Executor) -> Callable[[], Passage]:
    loop = asyncio.get_running_loop()

    def make() -> Passage:
        connections = Connections(entry.address)
        return Passage(
            entry.name,
            loop,
            pool,
            judge=Judge(places, entry.name),
            gate=lambda wire, judge: Gate(wire, server=entry.name, judge=judge, pins=pins),
            upstream=lambda hearer, post: Upstream(
                connections, hearer, post, fixed=entry.headers, renews=False
            ),
        )

    return make


def token_file(places: Places, name: str) -> str:
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
    return os.path.join(places.state, "mcp", "listeners", f"{safe}.token")


def _kept_token(path: str) -> str:
    """The same at each start, so that what a client was told stays true; of this user alone."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as file:
            token = new_token()
            file.write(token + "\n")
            return token
    except FileExistsError:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW)) as file:
            found = os.fstat(file.fileno())
            token = file.read().strip()
        if len(token) >= 32 and found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077:
            return token
        os.unlink(path)
        return _kept_token(path)
