"""Records what hooks in a bash script write. `hooks.bash` holds this text and starts it once per shell.

Arguments: two pipes that the script opened for reading and writing (stdout and stderr of hooks), one for
orders, the process id of the script. Orders are lines: `b` begins a capture, `d` ends it, `t SECONDS` bounds
the rest of the script. Answers go to stdout: first the place of captures, then for each the number of its
lines and of the bytes that were too many to keep.
"""

import fcntl
import os
import select
import signal
import sys
import time

MOST_BYTES = 64 << 20
MOST_WRITES = 1_000_000


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # it ends with the script, whoever ends that, and not before it
    out, err, orders, shell = (int(word) for word in sys.argv[1:5])
    poller = select.epoll()
    streams = {_opened(out): b"1: ", _opened(err): b"2: "}
    control = _opened(orders)
    for pipe in (*streams, control):
        poller.register(pipe, select.EPOLLIN | select.EPOLLET)
    alive = os.pidfd_open(shell)
    poller.register(alive, select.EPOLLIN)
    place = os.memfd_create("capture")
    _say(f"/proc/{os.getpid()}/fd/{place}")
    serve(poller, streams, control, alive, place, shell)


def _opened(number: int) -> int:
    """A reading end of our own. The flag is on that of the script, which we share while we hold it."""
    fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_DIRECT)
    fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, 1)
    own = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)
    os.close(number)
    _read(own)  # what was there before it was in packet mode would swallow the first packet
    return own


def serve(
    poller: select.epoll, streams: dict[int, bytes], control: int, alive: int, place: int, shell: int
) -> None:
    """Events come in the order of the writes, so an order comes after all that was written before it."""
    writes: list[tuple[bytes, bytes]] = []
    kept = dropped = 0
    deadline = None
    while True:
        wait = None if deadline is None else max(deadline - time.monotonic(), 0)
        for ready, _ in poller.poll(wait):
            if ready == alive:
                return
            data = _read(ready)
            if ready != control:
                if kept + len(data) > MOST_BYTES or len(writes) == MOST_WRITES:
                    dropped += len(data)
                    continue
                kept += len(data)
                writes.append((streams[ready], data))
            elif data in (b"b\n", b"d\n"):
                if data == b"d\n":
                    _say(f"{_keep(place, writes)} {dropped}")
                writes.clear()
                kept = dropped = 0
            elif data.startswith(b"t "):
                deadline = time.monotonic() + float(data[2:])
        if deadline is not None and time.monotonic() >= deadline:
            _end(shell)
            deadline = None


def _read(pipe: int) -> bytes:
    """One packet, which is one write."""
    try:
        return os.read(pipe, 65536)
    except BlockingIOError:
        return b""


def _keep(place: int, writes: list[tuple[bytes, bytes]]) -> int:
    """Whole lines, each at the place of its first byte. A shell cannot hold a NUL, so they are left out."""
    lines: list[list[bytes]] = []
    begun: dict[bytes, list[bytes]] = {}
    for tag, data in writes:
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            line = begun.pop(tag, None)
            if line is None:
                lines.append([tag, piece])
            else:
                line.append(piece)
        if rest and tag in begun:
            begun[tag].append(rest)
        elif rest:
            begun[tag] = [tag, rest]
            lines.append(begun[tag])
    os.ftruncate(place, 0)
    data = b"".join(b"".join(line) + b"\n" for line in lines)
    while data:
        data = data[os.pwrite(place, data, os.fstat(place).st_size) :]
    return len(lines)


def _say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def _end(shell: int) -> None:
    """Ends what the script has running, so that it comes to its own end: it is told by SIGALRM."""
    children = _descendants(shell)
    os.kill(shell, signal.SIGALRM)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for child in children:
            try:
                os.kill(child, number)
            except ProcessLookupError:
                continue
        if number == signal.SIGTERM:
            time.sleep(0.2)


def _descendants(process: int) -> list[int]:
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    own = [child for child in children if child != os.getpid()]
    return [each for child in own for each in (*_descendants(child), child)]


if __name__ == "__main__":
    main()
