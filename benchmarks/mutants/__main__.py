"""python -m benchmarks.mutants [--room NAME] [--module PART] [--sample N] [--seed N] [--minutes N] [--list]

Without options: every mutant of every room that has no fresh result yet. --sample takes N of each room at
random (the same for the same seed), --minutes ends the run early; what was found is kept in
.mutants/results.jsonl, and the next run goes on from there. --list runs nothing and prints what is known.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutants.changes import Mutant, mutants, mutated
from benchmarks.mutants.records import Record, Records, proof, read_accepted
from benchmarks.mutants.rooms import PACKAGE, ROOMS, ROOT, Room, module_name
from benchmarks.mutants.trial import Coverage, Replacement, Result, try_out, warm_up, watch

RESULTS = ROOT / ".mutants" / "results.jsonl"
ACCEPTED = Path(__file__).with_name("accepted.txt")
_BASELINE_LIMIT = 900.0
_COLUMNS = ("room", "made", "tried", "killed", "timed out", "survived", "accepted", "score")


@dataclass(frozen=True)
class Candidate:
    """A mutant and the file that it is a mutant of."""

    path: Path
    mutant: Mutant

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(PACKAGE)} {self.mutant.name}"


def main(words: list[str]) -> int:
    options = _options(words)
    os.nice(10)
    records = Records(RESULTS)
    accepted = read_accepted(ACCEPTED.read_text())
    end = time.monotonic() + 60 * options.minutes
    rows = []
    for name in [options.room] if options.room else list(ROOMS):
        made = candidates(ROOMS[name])
        chosen = _sample(made, options)
        if options.survivors:
            chosen = [each for each in chosen if _survived(records.find(name, each.name))]
        if not options.list:
            _try_room(name, chosen, records, end)
        rows.append(_row(name, made, chosen, records, accepted))
        _say_survivors(name, chosen, records, accepted)
        _say_stale(name, made, accepted)
    print(table(rows))
    return int(any(float(row[-1].rstrip(" %") or 100) < options.fail_under for row in rows))


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("--room", choices=list(ROOMS))
    parser.add_argument("--module", default="", help="only files whose path has this in it")
    parser.add_argument("--sample", type=int, default=0, help="as many mutants of each room, at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--survivors", action="store_true", help="only those that survived the last time")
    parser.add_argument("--list", action="store_true", help="run nothing, print what is known")
    parser.add_argument("--fail-under", type=float, default=0, help="exit 1 if a room's score is lower")
    return parser.parse_args(words)


def candidates(room: Room) -> list[Candidate]:
    return [Candidate(path, mutant) for path in room.modules() for mutant in mutants(path.read_text())]


def _sample(made: list[Candidate], options: argparse.Namespace) -> list[Candidate]:
    """By chance, so that a run that is cut short is a sample too; the same after an edit elsewhere."""

    def chance(each: Candidate) -> bytes:
        return hashlib.sha256(f"{options.seed} {each.name}".encode()).digest()

    chosen = sorted((each for each in made if options.module in str(each.path)), key=chance)
    return chosen[: options.sample] if options.sample else chosen


def _try_room(name: str, chosen: list[Candidate], records: Records, end: float) -> None:
    room = ROOMS[name]
    tests = room.test_files()
    left = [each for each in chosen if not _is_fresh(records.find(name, each.name), each, tests)]
    if not left:
        return
    coverage = watch(tests, room.modules(), _BASELINE_LIMIT)
    warm_up(coverage.libraries)
    for number, each in enumerate(left):
        if time.monotonic() > end:
            print(f"# {name}: time is up, {len(left) - number} mutants are left", file=sys.stderr)
            return
        began = time.monotonic()
        result = attempt(each, coverage)
        grounds = proof(each.path, tests, result.by)
        seconds = round(time.monotonic() - began, 2)
        records.add(Record(name, each.name, result.outcome, grounds, result.by, seconds))


def _survived(record: Record | None) -> bool:
    return record is not None and record.outcome == "survived"


def _is_fresh(record: Record | None, candidate: Candidate, tests: list[Path]) -> bool:
    return record is not None and record.proof == proof(candidate.path, tests, record.by)


def attempt(candidate: Candidate, coverage: Coverage) -> Result:
    path = str(candidate.path)
    tests = coverage.of(path, candidate.mutant.lines)
    if not tests:
        return Result("survived")
    code = mutated(candidate.path.read_text(), candidate.mutant.ordinal, path)
    limit = 10 + 4 * sum(coverage.seconds[test] for test in tests)
    return try_out(Replacement(module_name(candidate.path), path, code), tests, limit)


def _row(
    name: str, made: list[Candidate], chosen: list[Candidate], records: Records, accepted: dict[str, str]
) -> tuple[str, ...]:
    found = [(each.name, record) for each in chosen if (record := records.find(name, each.name))]
    counts = Counter(
        "accepted" if record.outcome == "survived" and mutant in accepted else record.outcome
        for mutant, record in found
    )
    caught = counts["killed"] + counts["timed out"]
    score = f"{100 * caught / len(found):.1f} %" if found else ""
    numbers = (counts[each] for each in ("killed", "timed out", "survived", "accepted"))
    return (name, str(len(made)), str(len(found)), *map(str, numbers), score)


def table(rows: list[tuple[str, ...]]) -> str:
    """Markdown. The score counts what was accepted as not caught."""
    lines = [_COLUMNS, tuple("---" for _ in _COLUMNS), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _say_survivors(name: str, chosen: list[Candidate], records: Records, accepted: dict[str, str]) -> None:
    for each in sorted(chosen, key=lambda each: (str(each.path), each.mutant.ordinal)):
        record = records.find(name, each.name)
        if _survived(record) and each.name not in accepted:
            print(f"{each.name}  (line {each.mutant.lines.start})")


def _say_stale(name: str, made: list[Candidate], accepted: dict[str, str]) -> None:
    known = {each.name for each in made}
    for mutant in accepted:
        if mutant.startswith(ROOMS[name].folder + "/") and mutant not in known:
            print(f"# accepted.txt names a mutant that is no more: {mutant}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
