"""Puts every line of the corpus on its side: the visible part, or the fifth that nobody looks at.

`python -m benchmarks.guard.split` sorts the files (write new lines into corpus/, without an id);
`--check` only says what is not where it belongs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.guard.lines import HELD_OUT, VISIBLE, identify, is_held_out, line_of

Record = dict[str, object]


def main(words: list[str]) -> int:
    found = faults()
    if "--check" in words:
        print("\n".join(found) or "every line is on its side")
        return 1 if found else 0
    for name in sorted({file.name for folder in (VISIBLE, HELD_OUT) for file in folder.glob("*.jsonl")}):
        _sort(name)
    return 0


def faults() -> list[str]:
    """Lines on the wrong side, with a wrong id, twice there, or that cannot be read."""
    found: list[str] = []
    seen: set[str] = set()
    for folder in (VISIBLE, HELD_OUT):
        for file in sorted(folder.glob("*.jsonl")):
            for number, record in enumerate(_records(file), 1):
                found += [f"{file.name}:{number}: {fault}" for fault in _faults(record, folder, file, seen)]
    return found


def _faults(record: Record, folder: Path, file: Path, seen: set[str]) -> list[str]:
    line_of(record)
    identity = identify(record)
    found = []
    if record.get("id") != identity:
        found.append(f"the id is {record.get('id')!r}, its content says {identity!r}")
    if is_held_out(identity) != (folder == HELD_OUT):
        found.append("on the wrong side")
    if identity in seen:
        found.append("there twice")
    if record["pack"] != file.stem or not record.get("why"):
        found.append("wrong pack, or no reason")
    seen.add(identity)
    return found


def _sort(name: str) -> None:
    records = {}
    for folder in (VISIBLE, HELD_OUT):
        for record in _records(folder / name):
            identity = identify(record)
            records[identity] = {**record, "id": identity}
    for folder in (VISIBLE, HELD_OUT):
        side = [
            record for identity, record in records.items() if is_held_out(identity) == (folder == HELD_OUT)
        ]
        text = "".join(json.dumps(record) + "\n" for record in side)
        (folder / name).write_text(text, encoding="utf-8")


def _records(file: Path) -> list[Record]:
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
