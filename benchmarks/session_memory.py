"""What remembering costs: `python -m benchmarks.session_memory [NOTES]`.

Writes many notes of one session and asks about them as guards do: the file, the memory of the process and the
time for each must not grow with their number.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.sessions.memory import Memories
from fairlead.sessions.note import Kind, Note
from fairlead.sessions.note_files import NoteFiles

_PARTS = 10


def main(words: list[str]) -> int:
    most = int(words[0]) if words else 1_000_000
    event = Event(EventName.BEFORE_TOOL, agent="claude", session="bench", request="r" * 32)
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories(NoteFiles(folder))
        print(f"a question without a memory: {_question(memories, event):.2f} us")
        print(f"{'notes':>10} {'file':>10} {'process':>10} {'a note':>10} {'a question':>12}")
        for part in range(_PARTS):
            spent = _noted(memories, event, range(part * most // _PARTS, (part + 1) * most // _PARTS))
            size = sum(entry.stat().st_size for entry in os.scandir(folder))
            resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            done = (part + 1) * most // _PARTS
            asked = _question(memories, event)
            print(
                f"{done:>10,} {size >> 10:>6} KiB {resident >> 10:>6} MiB {spent:>7.1f} us {asked:>9.2f} us"
            )
    return 0


def _noted(memories: Memories, event: Event, numbers: range) -> float:
    begun = time.process_time()
    for number in numbers:
        kind = Kind.FETCHED if number % 7 == 0 else Kind.WROTE
        memories.note(event, [Note(kind, f"/home/someone/project/src/package/file-{number}.py", "x.example")])
    return (time.process_time() - begun) / max(1, len(numbers)) * 1e6


def _question(memories: Memories, event: Event) -> float:
    memory = memories.of(event)
    begun = time.process_time()
    for _ in range(2000):
        memory.fetched("/home/someone/project/src/package/deep/down/there.py")
    return (time.process_time() - begun) / 2000 * 1e6


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
