"""What saving costs, and what a harmless call pays for it: `python -m benchmarks.undo`."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.undo.keeper import Saver
from fairlead.undo.restoring import Restoring
from fairlead.undo.store import Store

_HARMLESS = (
    "ls -la src",
    "cat src/0.txt",
    "git status",
    "grep -rn x src",
    "echo hello",
    "python -m pytest -q",
)
_ROUNDS = 7


class Bench:
    def __init__(self, top: Path) -> None:
        self.project = top / "project"
        self.project.mkdir()
        self.store = Store(str(top / "undo"))
        self.saver = Saver(self.store.folder)

    def fill(self, files: int, size: int) -> None:
        shutil.rmtree(self.project / "src", ignore_errors=True)
        content = random.Random(1).randbytes(size)
        (self.project / "src").mkdir()
        for number in range(files):
            (self.project / "src" / f"{number}.txt").write_bytes(content)

    def judge(self, command: str, **config: object) -> None:
        root = str(self.project)
        call = ToolCall("Bash", {"command": command}, ToolKind.SHELL)
        event = Event(EventName.BEFORE_TOOL, session="s", root=root, cwd=root, tool=call)
        block_dangerous_commands(event, config, (), keeper=self.saver)

    def saving(self, files: int, size: int) -> tuple[float, float]:
        """Milliseconds of processor time to judge and save, and to bring back."""
        self.fill(files, size)
        saved = [_spent(lambda: self.judge("rm -rf src", recoverable="pass")) for _ in range(_ROUNDS)]
        last = self.store.saves()[-1]
        shutil.rmtree(self.project / "src")
        back = _spent(lambda: Restoring(self.store, last, self.store.load(last)).bring_back())
        self.store.prune()
        return min(saved), back

    def harmless(self, **config: object) -> float:
        """Microseconds for one of them, the median."""
        self.fill(3, 10)
        for command in _HARMLESS:
            self.judge(command, **config)
        rounds = [_spent(lambda: self._all(config)) for _ in range(60)]
        return median(rounds) * 1000 / len(_HARMLESS)

    def _all(self, config: dict[str, object]) -> None:
        for command in _HARMLESS:
            self.judge(command, **config)


def _spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        bench = Bench(Path(folder).resolve())
        print(f"{'processor time to save and to bring back':<44} {'save':>10} {'back':>10}")
        for files, size in ((1, 1000), (100, 1000), (2000, 1000), (1, 1 << 20), (1, 60 << 20)):
            saved, back = bench.saving(files, size)
            print(f"{f'{files:,} files of {size:,} bytes':<44} {saved:>7.1f} ms {back:>7.1f} ms")
        off, on = bench.harmless(), bench.harmless(recoverable="pass", save=True)
        again = bench.harmless()
        print(f"a harmless command in the guard: {off:.0f} us; with saving {on:.0f} us; again {again:.0f} us")


if __name__ == "__main__":
    main()
