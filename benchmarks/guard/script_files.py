"""How well whole script files are read: `python -m benchmarks.guard.script_files FOLDER [--list WHAT]`.

Each folder in the folder is a project. Every file in it is taken for a shell script, and read as if a call
in the project ran it, with its neighbours at hand; a `package.json` gives its scripts instead. The table says
which of them cannot be parsed or run into a bound, how much work the reading is, and which would be stopped:
when they are judged in full, as what an agent wrote, and when they are committed. Nothing is run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from statistics import median

from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import Call, surroundings
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.packs.judging.judge import Match, find_matches
from fairlead.packs.judging.losses.committed_work import PersonsOwn
from fairlead.packs.names.hiding import with_hidden_names
from fairlead.packs.project_files.owners import COMMITTED
from fairlead.packs.project_files.sight import FileRead
from fairlead.packs.repository.states import CLEAN, LOST
from fairlead.packs.rule import Scene
from fairlead.shell.bounds import MAX_FILE
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script
from fairlead.shell.script import Script, Why
from fairlead.shell.unknown import Kind

HOME = "/home/user"
PROJECT = f"{HOME}/project"
BOUNDS = frozenset(
    (
        Kind.TOO_MANY_STEPS, Kind.TOO_DEEP, Kind.TEXT_TOO_LONG, Kind.MADE_TEXT_TOO_LONG, Kind.SYNTAX_TOO_DEEP,
        Kind.TOO_MUCH_AT_END,
    )
)  # fmt: skip


@dataclass
class Reading:
    """One script, and what came of it."""

    name: str
    size: int
    steps: int = 0
    read_ns: int = 0
    judged_ns: int = 0
    faults: list[str] = field(default_factory=list)
    bounds: list[str] = field(default_factory=list)
    full: list[Match] = field(default_factory=list)
    committed: list[Match] = field(default_factory=list)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--list", choices=("faults", "bounds", "full", "committed", "slow"), default="")
    told = arguments.parse_args()
    where = surroundings(PROJECT, HOME, NOWHERE)
    readings = [read(told.folder, name, text, where) for name, text in texts_below(told.folder)]
    if told.list:
        show(readings, told.list)
    for title, kind in (("shell scripts", False), ("package scripts", True)):
        some = [reading for reading in readings if ("package.json" in reading.name) is kind]
        if some:
            print_table(title, some)


def texts_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        if path.name != "package.json":
            yield str(path.relative_to(folder)), path.read_bytes()
            continue
        scripts = json.loads(path.read_text()).get("scripts", {})
        for name, line in scripts.items():
            yield f"{path.relative_to(folder)}:{name}", line.encode()


def read(folder: Path, name: str, text: bytes, where: Surroundings) -> Reading:
    reading = Reading(name, len(text))
    started = time.process_time_ns()
    script = _script(folder, name, text)
    reading.read_ns = time.process_time_ns() - started
    reading.steps = script.steps
    for part in script.opaque:
        if part.unknown.kind == Kind.SYNTAX:
            reading.faults.append(f"{part.origin.line if part.origin else 0}: {part.unknown.wording}")
        if part.unknown.kind in BOUNDS:
            reading.bounds.append(part.unknown.kind)
    reading.bounds += [file.why for file in script.unread if file.why != Why.MISSING]
    started = time.process_time_ns()
    _judge(script, where, reading)
    reading.judged_ns = time.process_time_ns() - started
    return reading


def _script(folder: Path, name: str, text: bytes) -> Script:
    environment = {"HOME": HOME, "PWD": PROJECT, "TMPDIR": "/tmp"}
    if "package.json" in name:
        return read_script(text, cwd=PROJECT, home=HOME, environment=environment)
    project, _, path = name.partition("/")

    def files(path: str) -> bytes | None:
        inside = folder / project / path.removeprefix(f"{PROJECT}/")
        return inside.read_bytes()[: MAX_FILE + 1] if path.startswith(PROJECT) and inside.is_file() else None

    call = f"bash {quote(path)}"
    return read_script(call, cwd=PROJECT, home=HOME, top=PROJECT, environment=environment, files=files)


def _judge(script: Script, where: Surroundings, reading: Reading) -> None:
    settings = read_settings({})
    effects = with_hidden_names(tuple(effects_of(script, where)), script, where)
    files = tuple(FileRead(file.path, "", COMMITTED, file.path) for file in script.files)
    left = PersonsOwn(Call(where, script, effects, is_shell=True, files=files))
    packs = tuple(dict.fromkeys((*settings.dangers, *settings.guarding)))
    for match in find_matches(effects, packs, Scene(script, where, _Clean(), settings.level)):
        reading.full.append(match)
        if not left(match.rule, match.effect):
            reading.committed.append(match)


class _Clean:
    """A work tree in which nothing is lost."""

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = LOST, /) -> str:
        return CLEAN

    def tracks(self, root: str, paths: Sequence[str], /) -> bool:
        return True


def show(readings: list[Reading], what: str) -> None:
    if what == "slow":
        for reading in sorted(readings, key=lambda each: each.steps / (each.size + 500))[-40:]:
            taken = f"{reading.steps:8} steps {reading.size:8} bytes {reading.read_ns / 1e6:7.1f} ms"
            print(taken, reading.name)
        return
    for reading in readings:
        for found in getattr(reading, what):
            print(f"{reading.name}\t{_described(found)}")


def _described(found: object) -> str:
    if not isinstance(found, Match):
        return str(found)
    origin = found.effect.command.origin
    what = found.effect.what.replace("\n", " ")[:140]
    return f"{found.rule.id}\t{origin.line if origin else '?'}\t{what}\t{found.effect.detail[:80]}"


def print_table(title: str, readings: list[Reading]) -> None:
    size = sum(reading.size for reading in readings)
    print(f"\n{title}: {len(readings)}, {size / 1024:.0f} KB")
    for what in ("faults", "bounds", "full", "committed"):
        some = [reading for reading in readings if getattr(reading, what)]
        words = {"faults": "not parsed", "bounds": "at a bound", "full": "stopped in full"}
        print(f"  {words.get(what, 'stopped as committed'):22}{len(some):6} {len(some) / len(readings):8.2%}")
    rules = Counter(
        match.rule.id for reading in readings for match in {m.rule.id: m for m in reading.full}.values()
    )
    print("  by rule, in full:", ", ".join(f"{rule} {count}" for rule, count in rules.most_common(12)))
    print("  size            scripts   steps/KB median, most   reading us/KB   judging us/KB")
    for low, high in ((0, 1), (1, 4), (4, 16), (16, 64), (64, 256), (256, 1 << 20)):
        some = [each for each in readings if low * 1024 <= each.size < high * 1024]
        if some:
            print(f"  {low:4}-{high:<7} KB {len(some):7} {_per_kb(some)}")


def _per_kb(some: list[Reading]) -> str:
    steps = [each.steps * 1024 / each.size for each in some if each.size]
    times = [each.read_ns / 1e3 * 1024 / each.size for each in some if each.size]
    judging = [each.judged_ns / 1e3 * 1024 / each.size for each in some if each.size]
    return f"{median(steps):12.0f} {max(steps):9.0f} {median(times):15.0f} {median(judging):15.0f}"


if __name__ == "__main__":
    sys.exit(main())
