"""Writes down what the guard makes of many lines, and compares what two trees made of them.

python -m benchmarks.guard.golden dump FILE [--set corpus] [--inputs DIR] [-j N] [--sample N] [--hash-seed N]
python -m benchmarks.guard.golden compare OLD NEW [--parts effects,verdict] [--except FILE] [--limit N]
python -m benchmarks.guard.golden show LINE [--tool NAME]
python -m benchmarks.guard.golden make-inputs DIR [--texts DIR]

`compare` names the differing lines; `show` prints everything that this tree makes of one line, for a diff
with what another tree prints. Lines that are held out are named by their ids alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchmarks.guard.golden.compare import compare, excuses, report
from benchmarks.guard.golden.dump import HASH_SEED, PARTS, all_parts, dumped
from benchmarks.guard.golden.inputs import (
    CORPUS,
    GENERATORS,
    freeze,
    frozen_lines,
    lines_of,
    text_files,
    visible_texts,
)
from benchmarks.guard.lines import Line


def main(words: list[str]) -> int:
    given = _parser().parse_args(words)
    result: int = given.run(given)
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard.golden", description=__doc__)
    commands = parser.add_subparsers(required=True)
    dump = commands.add_parser("dump")
    dump.add_argument("file", type=Path)
    dump.add_argument("--set", default=CORPUS)
    dump.add_argument("--inputs", type=Path, default=Path())
    dump.add_argument("-j", "--jobs", type=int, default=1)
    dump.add_argument("--sample", type=int, default=1, help="only every Nth line")
    dump.add_argument("--hash-seed", type=int, default=HASH_SEED)
    dump.set_defaults(run=_dump)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--parts", default=",".join(PARTS))
    comparing.add_argument("--except", dest="excused", type=Path)
    comparing.add_argument("--inputs", type=Path, default=Path())
    comparing.add_argument("--limit", type=int, default=50)
    comparing.set_defaults(run=_compare)
    show = commands.add_parser("show")
    show.add_argument("line")
    show.add_argument("--tool", default="Bash")
    show.set_defaults(run=_show)
    making = commands.add_parser("make-inputs")
    making.add_argument("folder", type=Path)
    making.add_argument("--texts", type=Path, help="a folder of text files, for the set `lines`")
    making.set_defaults(run=_make_inputs)
    return parser


def _dump(given: argparse.Namespace) -> int:
    lines = list(lines_of(given.set, given.inputs))[:: given.sample]
    with given.file.open("w", encoding="utf-8") as file:
        for record in dumped(lines, given.jobs, hash_seed=given.hash_seed):
            file.write(json.dumps(record, separators=(",", ":")) + "\n")
    return 0


def _compare(given: argparse.Namespace) -> int:
    parts = tuple(part for part in given.parts.split(",") if part in PARTS)
    excused = excuses(given.excused) if given.excused else frozenset()
    found = compare(given.old, given.new, parts=parts, excused=excused)
    wanted = {each.id for each in found.differences}
    texts = {id: text for id, text in visible_texts().items() if id in wanted}
    for file in sorted(given.inputs.glob("inputs-*.jsonl")) if wanted - texts.keys() else ():
        texts |= {line.id: line.command for line in frozen_lines(file) if line.id in wanted}
    _print(report(found, texts, given.limit))
    return 1 if found.differences or found.only_old else 0


def _show(given: argparse.Namespace) -> int:
    (parts,) = all_parts([Line("shown", given.line, "pass", tool=given.tool)])
    _print(shown(parts))
    return 0


def _make_inputs(given: argparse.Namespace) -> int:
    given.folder.mkdir(parents=True, exist_ok=True)
    sets = {name: make() for name, make in GENERATORS.items()}
    if given.texts:
        sets["lines"] = text_files(given.texts)
    _print(
        f"{name}: {freeze(given.folder / f'inputs-{name}.jsonl', texts)} lines"
        for name, texts in sets.items()
    )
    return 0


def shown(parts: Mapping[str, object]) -> Iterator[str]:
    """Each member of each part on a line of its own."""
    for name in PARTS:
        part = parts[name]
        members = list(part.items()) if isinstance(part, Mapping) else part
        for member in members if isinstance(members, list) else ():
            yield f"{name}: {json.dumps(member)}"


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
