"""The corpus, line by line: one call, the decision that it deserves, and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
VISIBLE = HERE / "corpus"
HELD_OUT = HERE / "held_out"
HOME = "/home/user"
PROJECT = "/home/user/project"
"""The project that the corpus speaks of; `project.py` says what stands in for it."""

WORDS = {
    "block": "block",
    "deny": "block",
    "halt": "block",
    "ask": "stop",
    "stop": "stop",
    "pass": "pass",
    "allow": "pass",
    "continue": "pass",
}
"""What `expected` may say. `ask` is met by a block as well: both keep the call from simply going on."""


@dataclass(frozen=True)
class Line:
    """For a file tool, `command` is the path; for Grep the path, with the pattern in `content`; for any
    other tool it may be the whole input, as JSON."""

    id: str
    command: str
    expected: str
    pack: str = "-"
    why: str = ""
    tool: str = "Bash"
    content: str = ""
    cwd: str = ""
    core: bool = False
    needs: str = ""

    @property
    def dangerous(self) -> bool:
        return self.expected != "pass"


class CorpusError(Exception):
    """A file that is not a corpus, with the place and the reason."""


def read_lines(file: Path) -> list[Line]:
    return list(_lines(file))


def read_folder(folder: Path) -> list[Line]:
    return [line for file in sorted(folder.glob("*.jsonl")) for line in _lines(file)]


def _lines(file: Path) -> Iterator[Line]:
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            yield line_of(json.loads(text), fallback=f"{file.name}:{number}")
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{file}:{number}: {type(error).__name__}: {error}") from None


def line_of(record: dict[str, object], fallback: str = "") -> Line:
    """Only `command` and `expected` are needed; fields that are not ours are left alone."""
    expected = str(record["expected"])
    if expected not in WORDS:
        raise ValueError(f"expected is {expected!r}, not one of {', '.join(WORDS)}")
    if not isinstance(record["command"], str):
        raise TypeError("command is not a string")
    return Line(
        id=str(record.get("id") or fallback),
        command=record["command"],
        expected=WORDS[expected],
        pack=str(record.get("pack") or record.get("class") or "-"),
        why=str(record.get("why") or ""),
        tool=str(record.get("tool") or "Bash"),
        content=str(record.get("content") or ""),
        cwd=str(record.get("cwd") or ""),
        core=record.get("core") is True,
        needs=str(record.get("needs") or ""),
    )


def identify(record: dict[str, object]) -> str:
    """Its pack and a hash of what is judged, so that a changed line is a new one."""
    judged = [record["command"], *(record.get(key, "") for key in ("tool", "content", "cwd"))]
    digest = hashlib.sha256(json.dumps(judged, ensure_ascii=True).encode()).hexdigest()
    return f"{record['pack']}/{digest[:8]}"


def is_held_out(identity: str) -> bool:
    """A fifth of all ids, by nothing but their hash."""
    return int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 5 == 0
