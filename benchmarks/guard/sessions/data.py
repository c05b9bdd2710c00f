"""Sessions and their projects, as examiners wrote them: one file for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HARMLESS = HERE / "harmless"
ATTACKS = HERE / "attacks"


@dataclass(frozen=True)
class Project:
    """`files` are committed, `ignored` ones are only on the disk, `uncommitted` is a person's work."""

    files: Mapping[str, str]
    executable: tuple[str, ...] = ()
    ignored: Mapping[str, str] = field(default_factory=dict)
    uncommitted: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One call, what it gave, and what it would change on the disk: nothing of it is ever run."""

    tool: str
    input: Mapping[str, Any]
    result: str = ""
    writes: Mapping[str, str] = field(default_factory=dict)
    deletes: tuple[str, ...] = ()
    commits: bool = False
    dangerous: bool = False
    why: str = ""


@dataclass(frozen=True)
class Session:
    name: str
    project: str
    title: str
    steps: tuple[Step, ...]


def read_project(name: str, folder: Path = HERE / "projects") -> Project:
    given = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return Project(
        given["files"],
        tuple(given.get("executable", ())),
        given.get("ignored", {}),
        given.get("uncommitted", {}),
    )


def read_sessions(folder: Path) -> list[Session]:
    return [read_session(file) for file in sorted(folder.glob("*.jsonl"))]


def read_session(file: Path) -> Session:
    head, *calls = (json.loads(text) for text in file.read_text(encoding="utf-8").splitlines() if text)
    return Session(file.stem, head["project"], head["title"], tuple(_step(call) for call in calls))


def _step(call: Mapping[str, Any]) -> Step:
    then = call.get("then", {})
    return Step(
        call["tool"],
        call["input"],
        call.get("result", ""),
        then.get("write", {}),
        tuple(then.get("delete", ())),
        then.get("commit", False),
        call.get("expect") == "interrupt",
        call.get("why", ""),
    )
