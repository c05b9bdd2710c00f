"""What the capture of the bash door loses or misplaces: `python -m benchmarks.scripts.losses [RUNS]`.

Each run is a script with hooks that capture badly: non-blocking streams (asyncio, node), background children,
NUL bytes, 50 MB, writes to both streams at random; meanwhile its recorder is killed again and again. What the
middleware was given is compared with what was written. With each run the two recorders take turns.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.scripts.__main__ import HOOKS

ASYNCIO = """#!{python}
import asyncio, sys
async def main():
    loop = asyncio.get_running_loop()
    for name, pipe in (("o", sys.stdout), ("e", sys.stderr)):
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
        writer = asyncio.StreamWriter(transport, protocol, None, loop)
        for number in range(1000):
            writer.write(f"{{name}}{{number}}\\n".encode())
            await writer.drain()
        while transport.get_write_buffer_size():
            await asyncio.sleep(0.001)
asyncio.run(main())
"""
NODE = """#!{node}
for (let i = 0; i < 500; i++) { console.log("o" + i); console.error("e" + i) }
"""
BACKGROUND = "#!/bin/bash\n(echo child) & (sleep 2; echo late) & wait %1; echo parent"
NUL = "#!/bin/bash\nprintf 'a\\0b\\n\\0c\\0\\n'"
BIG = """#!{python}
import os
for number in range(50_000): os.write(1, b"%08d" % number + b"x" * 991 + b"\\n")
"""
RANDOM = """#!{python}
import os, random
for number in range(2000): os.write(random.choice((1, 2)), b"%d\\n" % number)
"""
CONTRACT = "#!/bin/bash\nprintf warn >&2; echo contract:X=yes"
KILLS = 5
MAIN = """
source "$1"
mw() {
  local -n lines=$3
  count=$((count + 1))
  printf '%s\\n' "${lines[@]}" >"$PWD/seen-$count"
  return "$2"
}
hooks:declare h
hooks:middleware h mw
HOOKS_EXIT_POLICY=worst hooks:do h
"""


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    native = Path(sys.executable).with_name("fairlead-recorder")
    recorders = ["/nowhere", *([str(native)] if native.exists() else [])]
    total: dict[str, int] = {}
    for number in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            for what, count in one_run(Path(folder), recorders[number % len(recorders)]).items():
                total[what] = total.get(what, 0) + count
    print(f"{runs} runs, recorders: {len(recorders)}")
    for what, count in total.items():
        print(f"{what:<40}{count:>10}")


def one_run(folder: Path, recorder: str) -> dict[str, int]:
    names = write_hooks(folder / "ci-cd")
    (folder / "main.sh").write_text(MAIN)
    environment = {**os.environ, "FAIRLEAD_RECORDER": recorder, "TMPDIR": str(folder)}
    words = ["bash", "main.sh", str(HOOKS)]
    script = subprocess.Popen(words, cwd=folder, env=environment, stderr=subprocess.PIPE)
    killed: list[int] = []
    killer = threading.Thread(target=kill_recorders, args=(script, folder, killed))
    killer.start()
    _, said = script.communicate()
    killer.join()
    counts = {"recorders killed": len(killed), "of them during a hook": said.count(b"took over")}
    counts["scripts that failed"] = int(script.returncode != 0)
    for number, name in enumerate(names, 1):
        seen = (folder / f"seen-{number}").read_bytes().decode().splitlines()
        counts[f"{name}: lines lost or more"], counts[f"{name}: misplaced"] = compared(name, seen)
    return counts


def write_hooks(folder: Path) -> list[str]:
    folder.mkdir()
    node = shutil.which("node")
    texts = {"asyncio": ASYNCIO.format(python=sys.executable), "background": BACKGROUND}
    texts |= {"big": BIG.format(python=sys.executable), "contract": CONTRACT}
    texts |= {"node": NODE.replace("{node}", node)} if node else {}
    texts |= {"nul": NUL, "random": RANDOM.format(python=sys.executable)}
    for name, text in texts.items():
        (folder / f"h-{name}.x").write_text(text)
        (folder / f"h-{name}.x").chmod(0o755)
    return sorted(texts)


def kill_recorders(script: subprocess.Popen[bytes], folder: Path, killed: list[int]) -> None:
    """As the one that ends processes when memory is short: it does not ask when that would suit."""
    while script.poll() is None and len(killed) < KILLS:
        time.sleep(random.uniform(0.05, 0.5))
        newest = max(recorders_of(folder), default=0)
        if newest and newest not in killed:
            with suppress(ProcessLookupError):
                os.kill(newest, signal.SIGKILL)
                killed.append(newest)


def recorders_of(folder: Path) -> Iterator[int]:
    """Those of a script of this folder, which are children of their guards."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError, ValueError):
            words = Path(f"/proc/{name}/cmdline").read_bytes()
            ours = f"TMPDIR={folder}".encode() in Path(f"/proc/{name}/environ").read_bytes()
            is_guard = os.readlink(f"/proc/{name}/cwd") == "/"
            if ours and is_guard and (b"fairlead-recorder" in words or b"O_DIRECT" in words):
                yield from map(int, Path(f"/proc/{name}/task/{name}/children").read_text().split())


def compared(name: str, seen: list[str]) -> tuple[int, int]:
    """How many lines are missing or too many, and how many are not in their place."""
    if name in ("asyncio", "node"):  # which stream comes first is the program's own choice
        count = 1000 if name == "asyncio" else 500
        seen = sorted(seen, key=lambda line: line[0])
        written = [f"1: o{i}" for i in range(count)] + [f"2: e{i}" for i in range(count)]
    elif name == "random":
        written = [f"{line[:2]} {place}" for place, line in enumerate(seen[:2000])]
        written += ["missing"] * (2000 - len(seen))
    else:
        written = {
            "background": ["1: child", "1: parent"],
            "big": [f"1: {i:08}" + "x" * 991 for i in range(50_000)],
            "contract": ["2: warn", "1: contract:X=yes"],
            "nul": ["1: ab", "1: c"],
        }[name]
    lost = len(set(written) ^ set(seen)) if name != "random" else abs(2000 - len(set(seen)))
    return lost, sum(one != other for one, other in zip(written, seen, strict=False)) if not lost else 0


if __name__ == "__main__":
    main()
