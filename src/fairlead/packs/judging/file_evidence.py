"""How it is told what a call would run from files: the way to a line, whose its file is, and what was read."""

from __future__ import annotations

from fairlead.packs.judging.call_effects import Call
from fairlead.shell.script import Origin, Why

_WHOSE = {
    "committed": "committed",
    "written": "written since the last commit",
    "fetched": "fetched in this session",
}
MOST_NAMED = 32
"""Files that one outcome names; of the rest it says how many there are."""


def whose(owner: str) -> str:
    """What is told of a file's owner."""
    return _WHOSE[owner]


def way_to(origin: Origin, call: Call) -> str:
    """`Makefile:12 → scripts/x.sh:40 (written since the last commit)`."""
    steps = " → ".join(f"{_shown(each.path, call)}:{each.line}" for each in origin.chain)
    owner = next((file.owner for file in call.files if file.path == origin.path), "")
    return f"{steps} ({_WHOSE[owner]})" if owner else steps


def where_it_stands(origin: Origin, call: Call) -> str:
    """For the model, behind a reason."""
    return f"It stands in {_shown(origin.path, call)}, line {origin.line}, which this call would run."


def files_told(call: Call) -> dict[str, object]:
    """What was read, with digests that tell a later change; and what would run and was not read."""
    told: dict[str, object] = {}
    if call.files:
        told["files"] = [
            {"path": _shown(file.path, call), "sha256": file.digest, "owner": file.owner}
            for file in call.files[:MOST_NAMED]
        ]
    unread = [part for part in dict.fromkeys(call.script.unread) if part.why != Why.MISSING]
    if unread:
        told["unread"] = [{"path": _shown(part.path, call), "why": part.why} for part in unread[:MOST_NAMED]]
    more = max(len(call.files) - MOST_NAMED, 0) + max(len(unread) - MOST_NAMED, 0)
    return told | {"more_files": more} if more else told


def _shown(path: str, call: Call) -> str:
    """From the project's root, where it is below it."""
    return path.removeprefix(call.where.root.rstrip("/") + "/")
