"""What `fairlead undo` shows: the saves, and what bringing one back does."""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Iterator

from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.undo.keeper import FOLDER as SAVES
from fairlead.undo.manifest import FILE, FOLDER
from fairlead.undo.plan import BACK, BESIDE, LEFT, REMOVE, SET, Step
from fairlead.undo.restoring import Brought, Restoring
from fairlead.undo.selection import Found
from fairlead.undo.store import Store

_LONGEST_DIFF = 1 << 20
_WORDS = {BACK: "back", BESIDE: "beside", REMOVE: "gone", SET: "set", LEFT: "left"}
_SHORT = 60


def store_of(session: Session) -> Store:
    return Store(os.path.join(session.places.state, SAVES))


def size_of(size: int) -> str:
    return f"{size / 1_048_576:.1f} MB" if size >= 104_858 else f"{size / 1024:.1f} KB"


def list_lines(found: list[Found]) -> list[str]:
    now = time.time()
    rows: list[tuple[str, ...]] = []
    for each in found:
        manifest = each.manifest
        files = sum(1 for entry in manifest.entries if entry.has_content)
        what = manifest.what if len(manifest.what) <= _SHORT else f"{manifest.what[:_SHORT]}…"
        rows.append(
            (
                ago(manifest.at / 1e9, now),
                manifest.id,
                str(files or ""),
                size_of(each.saved.size),
                manifest.agent,
                printable(manifest.root),
                printable(what),
            )
        )
    return table(_SAVES, rows)


_SAVES = (
    Column("WHEN", right=True),
    Column("ID"),
    Column("FILES", right=True, spare=2),
    Column("SIZE", right=True, spare=1),
    Column("AGENT", spare=4),
    Column("PROJECT", spare=3),
    Column("WHAT", prose=True),
)


def list_rows(found: list[Found]) -> list[dict[str, object]]:
    return [
        {
            "id": each.manifest.id,
            "at": each.manifest.at / 1e9,
            "agent": each.manifest.agent,
            "session": each.manifest.session,
            "call": each.manifest.call,
            "root": each.manifest.root,
            "what": each.manifest.what,
            "rules": each.manifest.rules,
            "bytes": each.saved.size,
            "paths": [entry.path for entry in each.manifest.entries if entry.has_content or entry.link],
            "left_out": each.manifest.left_out,
            "undoes": each.manifest.undoes,
        }
        for each in found
    ]


def brought_lines(brought: Brought, root: str) -> Iterator[str]:
    """One line for each path that changes or stands in the way; folders only where they are made."""
    for step in brought.steps:
        if step.act in _WORDS and not (step.entry.kind == FOLDER and step.act == LEFT):
            why = f" ({step.why})" if step.why else ""
            yield f"{_WORDS[step.act]:<7} {printable(_shown(step, root))}{why}"
    for told in brought.git:
        yield f"{'git' if told.done else 'left':<7} {printable(told.what)}"
    for each in brought.missing:
        yield f"{'left':<7} {printable(each)} could not be set"


def _shown(step: Step, root: str) -> str:
    path = step.to if step.act == BESIDE else step.path
    return os.path.relpath(path, root)


def brought_row(brought: Brought) -> dict[str, object]:
    return {
        "id": brought.id,
        "steps": [
            {"path": step.path, "act": step.act, "to": step.to, "why": step.why}
            for step in brought.steps
            if step.act in _WORDS
        ],
        "git": [{"what": told.what, "done": told.done} for told in brought.git],
        "missing": brought.missing,
        "undo": brought.saved_as,
    }


def diff_lines(restoring: Restoring) -> Iterator[str]:
    """From what is there now to what would be brought back."""
    with restoring.reading():
        for step in restoring.steps():
            if step.act in (BACK, BESIDE) and step.entry.kind == FILE:
                yield from _diff(step.path, restoring.content_of(step.entry))
            elif step.act in _WORDS and step.entry.kind != FOLDER:
                yield f"{_WORDS[step.act]} {printable(step.path)}"


def _diff(path: str, content: str) -> Iterator[str]:
    one, other = _text(path), _text(content)
    if one is None or other is None:
        yield f"binary files differ: {printable(path)}"
        return
    for line in difflib.unified_diff(one, other, f"{path} (now)", f"{path} (saved)", lineterm=""):
        yield printable(line)


def _text(path: str) -> list[str] | None:
    """The lines of a small text; none for what is not there."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LONGEST_DIFF + 1)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return []
    if len(data) > _LONGEST_DIFF or b"\0" in data:
        return None
    return data.decode("utf-8", "replace").splitlines()
