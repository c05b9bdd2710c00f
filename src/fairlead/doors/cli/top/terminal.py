"""The terminal while the overview has it: another screen, keys without Enter, and all of it given back."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType

from fairlead.doors.cli.top.keys import keys_in
from fairlead.doors.cli.top.rows import Row, painted
from fairlead.errors import UsageError

_TAKE = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Another screen, no cursor, and no line that goes on in the next."""
_GIVE_BACK = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_BROKEN_OFF = re.compile(rb"\x1b(\[[0-9;]*|O)?\Z")
_REST = 0.05
"""Seconds for the rest of a key that came in two parts, as over ssh; what is then alone is the key Escape."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)


class Terminal:
    """As a context it is taken, and given back however that ends: by `q`, Ctrl-C, a signal or a crash."""

    def __init__(self, *, colour: bool) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
            raise UsageError("this needs a terminal", hint="`fairlead tail -f` prints each call as a line")
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._colour = colour
        self._before = termios.tcgetattr(self._in)
        self._shown: tuple[object, ...] = ()
        self._taken = False

    def __enter__(self) -> Terminal:
        self._handlers = {number: signal.signal(number, _end) for number in _ENDING}
        self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._pause)
        self._take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def size(self) -> tuple[int, int]:
        """Columns and lines as they are now: asked for each time, a new size needs no signal."""
        found = os.get_terminal_size(self._out)
        return max(found.columns, 1), max(found.lines, 1)

    def draw(self, rows: Sequence[Row], width: int) -> None:
        """Nothing is written where nothing has changed: over ssh each byte counts."""
        lines = [painted(each, width, colour=self._colour) for each in rows]
        if self._shown == (lines, width):
            return
        clear = "\x1b[2J" if not self._shown or self._shown[1] != width else ""
        self._write(f"{clear}\x1b[H" + "\r\n".join(f"\x1b[2K{line}" for line in lines))
        self._shown = (lines, width)

    def keys(self, seconds: float) -> list[str]:
        """What was pressed within that time."""
        data = self._read(seconds)
        if _BROKEN_OFF.search(data):
            data += self._read(_REST)
        return keys_in(data)

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._in], [], [], seconds)
        if not ready:
            return b""
        data = b""
        with suppress(OSError):
            data = os.read(self._in, 1024)
        if not data:
            raise SystemExit(0)  # the other end of the terminal is gone
        return data

    @contextmanager
    def given_back(self) -> Iterator[None]:
        """The ordinary screen for a while, such as for a question that is answered by a whole line."""
        self._give_back()
        try:
            yield
        finally:
            self._take()

    def _take(self) -> None:
        tty.setcbreak(self._in, termios.TCSADRAIN)
        self._write(_TAKE)
        self._shown, self._taken = (), True

    def _give_back(self) -> None:
        with suppress(OSError, termios.error):  # a terminal that is gone needs nothing back
            self._write(_GIVE_BACK)
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._before)
        self._taken = False

    def _pause(self, number: int, where: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its screen, and this goes on where it was."""
        taken = self._taken
        self._give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        if taken:
            self._take()

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._out, data) :]


def _end(number: int, where: FrameType | None) -> None:
    raise SystemExit(128 + number)
