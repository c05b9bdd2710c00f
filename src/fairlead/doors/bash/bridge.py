"""Records what hooks in a bash script write. `hooks.bash` holds this text and starts it once per shell.

    OUT_READ OUT_WRITE ERR_READ ERR_WRITE SHELL    two pipes, by their ends, and the script's process id

It goes to the background and says where it can be reached, as numbers of descriptors of its own: process
id, orders, replies, lines, data, index. An order `b` begins a capture, unless it is the first, and
`d OUT ERR` ends it. Each has a reply, which is empty if there is nothing to say. At the end it is how many
bytes were cut, how many NULs left out, whether contracts were lost and whether someone still holds the pipes
(those that hold them by the numbers OUT and ERR, which are the script's own, do not count); the lines are
then in `lines`. `t SECONDS` bounds the rest of the script.

That process is a guard, which holds everything open and does nothing. It has a child that records. If that is
killed, the guard starts another one, which takes the capture to its end: all that was read is in `data`, and
`index` tells whose it is (a stream and a length each), so nothing is lost with a process. What the script has
asked for may be lost, so the reply `?` tells it to ask again.

    finish SHELL OUT ERR DATA INDEX

prints the lines of a capture whose guard was killed, from descriptors of the script.

Written for Python 3.6, so that one that is too old can say what it is.
"""

import fcntl
import os
import select
import signal
import sys
import time

from fairlead.doors.bash.recorded import Log, lines_of, put

LINGER = 0.1
"""Seconds that what a hook leaves running may still write."""
TURNS = 20
"""How many recorders may be killed before there is no other one."""


if sys.version_info < (3, 8) or sys.platform != "linux":
    sys.stdout.write(
        f"! it is Python {sys.version_info[0]}.{sys.version_info[1]} on {sys.platform}, "
        "and 3.8 or later on Linux is needed\n"
    )
    sys.exit(1)


def main() -> None:
    if sys.argv[1] == "finish":
        finish(*sys.argv[2:7])
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # it ends with the script, whoever ends that, and not before it
    Recorder(*(int(word) for word in sys.argv[1:6])).start()


class Recorder:
    def __init__(self, out_read: int, out_write: int, err_read: int, err_write: int, shell: int) -> None:
        self.shell = shell
        self.streams = {out_read: b"1", err_read: b"2"}
        self.write_ends = [out_write, err_write]
        for end in self.write_ends:
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_DIRECT)
            fcntl.fcntl(end, 1031, 1)  # F_SETPIPE_SZ: one page, which is one packet
        for end in self.streams:
            os.set_blocking(end, False)
            _drop(end)  # what was there before it was in packet mode would swallow the first packet
        self.orders, self.orders_write = os.pipe()
        self.replies_read, self.replies = os.pipe()
        self.alive = _pidfd(shell)
        self.poller = self._poller()
        self.lines = os.memfd_create("lines")
        self.log = Log(os.memfd_create("data"), os.memfd_create("index"))
        self.pipes = {_identity(os.fstat(end)) for end in self.streams}
        self.newest = _newest_process()
        self.bound = os.memfd_create("bound")
        self.deadline = 0.0
        self.left = False
        self.took_over = False

    def _poller(self) -> select.epoll:  # type: ignore[name-defined, unused-ignore]
        poller = select.epoll()
        for end in self.streams:
            poller.register(end, select.EPOLLIN | select.EPOLLET)
        poller.register(self.orders, select.EPOLLIN)
        if self.alive >= 0:
            poller.register(self.alive, select.EPOLLIN)
        return poller

    def start(self) -> None:
        places = (self.orders, self.replies_read, self.lines, self.log.data, self.log.index)
        child = os.fork()
        if child:
            os.write(1, (" ".join(str(number) for number in (child, *places)) + "\n").encode())
            os._exit(0)
        self._let_go_of_the_rest()
        self.guard()

    def guard(self) -> None:
        for turn in range(TURNS):
            child = os.fork()
            if not child:
                if turn:
                    self._take_over()
                self.serve()
                os._exit(0)
            self._close_write_ends()
            if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
                return

    def _take_over(self) -> None:
        """Leaves the pipes after this capture: only who has their writing ends can clear flags on them."""
        self.took_over = True
        self.poller = self._poller()  # who was killed may have been told of writes that it did not take
        self.deadline = float(os.pread(self.bound, 32, 0) or 0)
        self.log.mend()
        self._drop_orders()
        os.write(self.replies, b"?\n")

    def _drop_orders(self) -> None:
        """They will be given again, unless they were obeyed: then the script reads `lines` at this moment."""
        if select.select([self.orders], [], [], 0)[0]:
            for order in os.read(self.orders, 4096).split(b"\n"):
                if order.startswith(b"t"):  # which has no reply, so nobody gives it again
                    self._obey(order.split())

    def _let_go_of_the_rest(self) -> None:
        """Locks, files and folders of the script are not ours to hold."""
        ours = {
            self.poller.fileno(),
            self.alive,
            self.orders,
            self.orders_write,
            self.replies_read,
            self.replies,
        }
        ours |= (
            {self.lines, self.log.data, self.log.index, self.bound} | set(self.streams) | set(self.write_ends)
        )
        for number in [int(name) for name in os.listdir("/proc/self/fd")]:
            if number not in ours:
                try:
                    os.close(number)
                except OSError:
                    continue  # that of the listing itself
        os.chdir("/")

    def serve(self) -> None:
        """Events come in the order of the writes."""
        while self.streams or self.deadline:
            asked = b""
            for ready, event in self.poller.poll(self._patience()):
                if ready == self.alive:
                    return
                if ready == self.orders:
                    asked += os.read(self.orders, 4096)
                else:
                    self._take(ready, event)
            for order in asked.split(b"\n"):
                self._obey(order.split())
            if self.deadline and time.monotonic() >= self.deadline:
                self.deadline = 0.0
                _end(self.shell)
            if self.alive < 0 and not os.path.exists(f"/proc/{self.shell}"):
                return

    def _patience(self) -> "float | None":
        waits = [] if self.alive >= 0 else [1.0]
        if self.deadline:
            waits.append(max(self.deadline - time.monotonic(), 0))
        return min(waits) if waits else None

    def _take(self, pipe: int, event: int) -> None:
        if not self.left:
            self.log.take(self.streams[pipe], pipe)
        while self.left and _drop(pipe):
            pass
        if event & select.EPOLLHUP:
            self.poller.unregister(pipe)
            del self.streams[pipe]

    def _obey(self, order: "list[bytes]") -> None:
        if order[:1] == [b"d"] and not self.left:
            self._end_capture({int(number) for number in order[1:]})
        elif order[:1] == [b"b"]:
            self.log.clear()
            self.newest = _newest_process()
            os.write(self.replies, b"\n")
        elif order[:1] == [b"t"]:
            self.deadline = time.monotonic() + float(order[1])
            os.pwrite(self.bound, repr(self.deadline).encode(), 0)

    def _end_capture(self, numbers: "set[int]") -> None:
        self._settle(0)
        held = self._held(numbers)
        until = time.monotonic() + LINGER
        while held and time.monotonic() < until:
            self._settle(0.005)
            held = self._held(numbers)
        self._settle(0)
        lines, nuls = lines_of(self.log.writes())
        os.ftruncate(self.lines, 0)
        os.lseek(self.lines, 0, os.SEEK_SET)
        put(self.lines, b"".join(line + b"\n" for line in lines))
        held = held or self.took_over
        said = (self.log.cut, nuls, int(self.log.lost > 0), int(held))
        reply = " ".join(str(number) for number in said) if any(said) else ""
        for end in self.write_ends:  # a hook may have set more flags on it than its own life
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_DIRECT)
        os.write(self.replies, reply.encode() + b"\n")
        if held:
            self._leave()

    def _settle(self, seconds: float) -> None:
        """Takes all that was written before now, or comes within a time."""
        while True:
            ready = [each for each, _ in self.poller.poll(seconds) if each in self.streams]
            if not ready:
                return
            for pipe in ready:
                self.log.take(self.streams[pipe], pipe)
            seconds = 0

    def _held(self, numbers: "set[int]") -> bool:
        """Whether a process that began since the capture before writes on the pipes."""
        now = _newest_process()
        since = range(self.newest + 1, now + 1)
        if now < self.newest or len(since) > 5000:
            since = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # type: ignore[assignment, unused-ignore]
        ours = (os.getpid(), os.getppid(), self.shell)
        return any(self._holds(process, numbers) for process in since if process not in ours)

    def _holds(self, process: int, numbers: "set[int]") -> bool:
        try:
            for name in os.listdir(f"/proc/{process}/fd"):
                if int(name) in numbers:
                    continue
                if _identity(os.stat(f"/proc/{process}/fd/{name}")) in self.pipes:
                    return True
        except OSError:
            return False  # it is gone, or another's
        return False

    def _leave(self) -> None:
        """The script takes new pipes; whoever still writes on these may do so, and nobody reads it."""
        self.left = True
        self._close_write_ends()
        for place in (self.log.data, self.log.index):
            os.ftruncate(place, 0)

    def _close_write_ends(self) -> None:
        for end in self.write_ends:
            os.close(end)
        self.write_ends = []


def _drop(pipe: int) -> bool:
    try:
        return bool(os.read(pipe, 65536))
    except BlockingIOError:
        return False


def _identity(status: os.stat_result) -> "tuple[int, int]":
    return status.st_dev, status.st_ino


def _pidfd(process: int) -> int:
    """Readable when the process ends; -1 where there is no such thing."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return -1


def _newest_process() -> int:
    with open("/proc/loadavg") as file:
        return int(file.read().split()[-1])


def finish(shell: str, out: str, err: str, data: str, index: str) -> None:
    places = [f"/proc/{shell}/fd/{number}" for number in (out, err, data, index)]
    writes = Log.__new__(Log)
    writes.data, writes.index = (os.open(place, os.O_RDONLY) for place in places[2:])
    read = writes.writes()
    for tag, place in zip((b"1", b"2"), places[:2]):  # noqa: B905 - `strict` is not in every Python
        pipe = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
        try:
            read.append((tag, os.read(pipe, 65536)))
        except BlockingIOError:
            continue
    for line in lines_of(read)[0]:
        sys.stdout.buffer.write(line + b"\n")


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


def _descendants(process: int) -> "list[int]":
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    own = [child for child in children if child != os.getpid()]
    return [each for child in own for each in [*_descendants(child), child]]


if __name__ == "__main__":
    main()
