"""Shows what a hook prints while it comes, without the lines that are contracts."""

from __future__ import annotations

import re

from fairlead.doors.scripts.console import Console
from fairlead.model.timeline import CONTRACT, Stream

_CONTRACT_LINES = re.compile(rb"^" + CONTRACT + rb".*(?:\n|\Z)", re.MULTILINE)


class LiveLines:
    """A line is held back as long as it may be a contract; one that is none is shown before it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._held = b""
        self._within_line = False

    def write(self, stream: Stream, data: bytes) -> None:
        if stream is not Stream.STDOUT:
            self._console.write(stream, data)
            return
        shown = b""
        if self._within_line:
            end = data.find(b"\n") + 1
            shown, data = (data[:end], data[end:]) if end else (data, b"")
            self._within_line = not end
        data = self._held + data
        whole = data.rfind(b"\n") + 1
        shown += self._without_contracts(data[:whole])
        self._held = data[whole:]
        if self._held and not _may_be_contract(self._held):
            shown += self._held
            self._held, self._within_line = b"", True
        if shown:
            self._console.write(stream, shown)

    def end(self) -> None:
        rest = self._without_contracts(self._held)
        self._held = b""
        if rest:
            self._console.write(Stream.STDOUT, rest)

    def _without_contracts(self, lines: bytes) -> bytes:
        if CONTRACT not in lines:
            return lines
        self._console.hide(b"".join(_CONTRACT_LINES.findall(lines)))
        return _CONTRACT_LINES.sub(b"", lines)


def _may_be_contract(line: bytes) -> bool:
    return line.startswith(CONTRACT) if len(line) >= len(CONTRACT) else CONTRACT.startswith(line)
