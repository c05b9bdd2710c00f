"""Takes in an examiner's lines: `python -m benchmarks.guard.fresh.take_in FOLDER`.

Their lines say `{"id", "line" or "tool" and "input", "danger", "why"}` of a project at /home/dev/app, or are
written as the corpus is. Each file is a class. Which half a line goes to is decided by a hash of it, so
that nobody chooses.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.guard.fresh.sides import OPEN, SEALED
from benchmarks.guard.lines import HOME, PROJECT

_THEIR_PROJECT, _THEIR_HOME = "/home/dev/app", "/home/dev"


def main(words: list[str]) -> int:
    for folder in (OPEN, SEALED):
        folder.mkdir(exist_ok=True)
    for file in sorted(Path(words[0]).glob("*.jsonl")):
        sides: dict[Path, list[str]] = {OPEN: [], SEALED: []}
        for record in _records(file):
            digest = hashlib.sha256(record["command"].encode()).digest()
            sides[SEALED if digest[0] & 1 else OPEN].append(json.dumps(record))
        for folder, texts in sides.items():
            (folder / file.name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        print(f"{file.stem}: {len(sides[OPEN])} open, {len(sides[SEALED])} sealed")
    return 0


def _records(file: Path) -> Iterator[dict[str, str]]:
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        given = json.loads(text)
        if "command" in given:
            yield {"id": f"{file.stem}-{number}", **given, "pack": file.stem}
            continue
        taken = {
            "id": given["id"],
            "command": _here(given["line"] if "line" in given else json.dumps(given["input"])),
            "expected": "ask" if given["danger"] else "pass",
            "pack": file.stem,
            "why": given.get("why") or given.get("kind") or "",
        }
        yield taken if "line" in given else {**taken, "tool": given["tool"]}


def _here(text: str) -> str:
    return text.replace(_THEIR_PROJECT, PROJECT).replace(_THEIR_HOME, HOME)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
