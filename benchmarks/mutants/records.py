"""What came of each mutant, kept as JSON lines; and the survivors that were read and accepted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.mutants.rooms import ROOT


@dataclass(frozen=True)
class Record:
    """`proof` is the state of the files that the outcome rests on: when it differs, the mutant runs again."""

    room: str
    mutant: str
    outcome: str
    proof: str
    by: str = ""
    seconds: float = 0.0


class Records:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[tuple[str, str], Record] = {}
        lines = file.read_text().splitlines() if file.exists() else []
        for line in lines:
            self._keep(_read(line))

    def find(self, room: str, mutant: str) -> Record | None:
        return self._known.get((room, mutant))

    def add(self, record: Record) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a") as file:
            file.write(json.dumps(asdict(record)) + "\n")
        self._keep(record)

    def _keep(self, record: Record | None) -> None:
        if record:
            self._known[record.room, record.mutant] = record


def _read(line: str) -> Record | None:
    try:
        return Record(**json.loads(line))
    except (ValueError, TypeError):
        return None  # the last line of a run that was cut short


def proof(module: Path, tests: Iterable[Path], by: str = "") -> str:
    """A digest of the module and of what tried it.

    A kill rests on the one test file that noticed; a survival on all of the room's.
    """
    files = [ROOT / by.partition("::")[0]] if by else sorted(tests)
    digest = hashlib.sha256()
    for file in (module, *files):
        digest.update(file.read_bytes() if file.is_file() else b"")
    return digest.hexdigest()[:16]


def read_accepted(text: str) -> dict[str, str]:
    """Mutant -> reason. A mutant stands at the margin, its reason below it, indented; `#` is a comment."""
    accepted: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            last = line.strip()
            accepted[last] = ""
        else:
            accepted[last] = f"{accepted[last]} {line.strip()}".strip()
    return accepted
