"""Ratios of the script doors to bare loops, and what the capture carries: `python -m benchmarks.scripts`.

Contestants take turns, and the cheapest round of each counts, in processor time of everything that it
started: on a busy machine wall time says more about the neighbours.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from fairlead.doors import bash as bash_door
from fairlead.doors.scripts.script_hooks import ScriptHooks
from fairlead.executors.capture import capture
from fairlead.model.timeline import Stream

HOOKS = Path(bash_door.__file__).parent / "hooks.bash"
ROUNDS = 15
Contestant = Callable[[], object]

BARE_LOOP = 'for s in "$1"/h-*.sh; do "$s" a; done'
DOOR = f'source "{HOOKS}"; HOOKS_DIR=$1; hooks:declare h; hooks:do h a'
MIDDLEWARE = 'mw() { return "$2"; }; hooks:middleware h mw'
CAPTURED = f'source "{HOOKS}"; HOOKS_DIR=$1; hooks:declare h; {MIDDLEWARE}; hooks:do h a'
BARE_SOURCE = 'for s in "$1"/h-*.sh; do source "$s"; hook:run a; done'
SOURCED = f'source "{HOOKS}"; HOOKS_DIR=$1 HOOKS_EXEC_MODE=source; hooks:declare h; hooks:do h a'


def main() -> None:
    adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'what':<44}{'bare ms':>10}{'hooks ms':>10}{'ratio':>8}{'budget':>8}")
        for count in (1, 10, 100):
            python_door(Path(folder), count)
        for count in (1, 10, 100):
            bash_doors(Path(folder), count)
        source_mode(Path(folder))
    throughput()
    order()
    lost_contracts()


def scripts(folder: Path, count: int, body: str = "exit 0", shell: str = "/bin/sh") -> str:
    place = folder / f"{count}-{abs(hash(body))}"
    place.mkdir(exist_ok=True)
    for number in range(count):
        script = place / f"h-{number:03}.sh"
        script.write_text(f"#!{shell}\n{body}\n")
        script.chmod(0o755)
    return str(place)


def python_door(folder: Path, count: int) -> None:
    place = scripts(folder, count)
    files = sorted(os.path.join(place, name) for name in os.listdir(place))
    hooks = ScriptHooks(place)
    hooks.declare("h")
    hooks.middleware("h", lambda *_: None)

    def bare() -> None:
        for file in files:
            subprocess.run([file, "a"], check=True)

    report(f"Python, {count} captured", bare, {"hooks": lambda: hooks.do("h", "a")}, 2.0)


def bash_doors(folder: Path, count: int) -> None:
    place = scripts(folder, count)
    doors = {"default": lambda: bash(DOOR, place), "captured": lambda: bash(CAPTURED, place)}
    report(f"bash, {count}", lambda: bash(BARE_LOOP, place), doors, 4.0)


def source_mode(folder: Path) -> None:
    """Scripts that do a little work each: what is compared is the work, not the start of a shell."""
    work = "hook:run() { local i; for ((i = 0; i < 20000; i++)); do :; done; }"
    place = scripts(folder, 10, work, "/bin/bash")
    report(
        "bash, 10 sourced", lambda: bash(BARE_SOURCE, place), {"source": lambda: bash(SOURCED, place)}, 1.05
    )


def bash(program: str, place: str) -> None:
    subprocess.run(["bash", "-c", program, "bash", place], check=True, stdin=subprocess.DEVNULL)


def report(what: str, bare: Contestant, others: Mapping[str, Contestant], budget: float) -> None:
    best = dict.fromkeys(["bare", *others], float("inf"))
    for _ in range(ROUNDS):
        for name, contestant in {"bare": bare, **others}.items():
            start = spent()
            contestant()
            best[name] = min(best[name], spent() - start)
    for name in others:
        ratio = best[name] / best["bare"]
        label = f"{what} ({name})"
        print(f"{label:<44}{best['bare'] * 1e3:>10.1f}{best[name] * 1e3:>10.1f}{ratio:>8.2f}{budget:>8.2f}")


def adopt_orphans() -> None:
    """So that the time of a recorder, which its shell does not wait for, is counted."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def spent() -> float:
    """Processor seconds of this process and of all that it started; waits for those that are still there."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def throughput() -> None:
    size = 10_000_000
    seconds = min(
        capture(["head", "-c", str(size), "/dev/zero"], limit=1 << 30).seconds for _ in range(ROUNDS)
    )
    print(f"\ncapture of 10 MB: {size / seconds / 1e6:.0f} MB/s (budget 50)")


WRITES = """
import os, random
for number in range(2000):
    os.write(random.choice((1, 2)), b"%d\\n" % number)
"""


def order() -> None:
    misplaced = written = 0
    for _ in range(20):
        lines = capture([sys.executable, "-c", WRITES]).timeline.lines
        written += len(lines)
        misplaced += sum(int(line.data) != place for place, line in enumerate(lines))
    print(f"randomly interleaved writes: {misplaced} of {written} misplaced")


def lost_contracts(runs: int = 1000) -> None:
    script = "printf warn >&2; echo contract:env:X=yes"
    lost = 0
    for _ in range(runs):
        timeline = capture(["/bin/sh", "-c", script]).timeline
        lost += timeline.data(Stream.STDOUT) != b"contract:env:X=yes\n" or len(timeline.lines) != 2
    print(f"contract lines beside an unterminated line of stderr: {lost} of {runs} lost")


if __name__ == "__main__":
    main()
