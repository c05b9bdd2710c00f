"""Machines of a fleet as their messages show them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.doors.fleet.collecting.intake import Decision, take_decision
from fairlead.fleet.telling.leaving import Origin, message_of
from fairlead.fleet.telling.privacy import Privacy
from fairlead.journal.ids import new_id, timestamp

NOW = 1_790_000_000.0
WRITER = "ab" * 8


def line(seq: int, decision: str = "continue", *, writer: str = WRITER, **more: object) -> dict[str, object]:
    """A journal line in its place."""
    now = NOW + seq
    rule = "git/force-push" if decision in ("block", "ask") else ""
    return {
        "v": 1,
        "id": new_id(now),
        "request": f"{seq:032x}",
        "writer": writer,
        "seq": seq,
        "prev": f"{seq:064x}",
        "ts": timestamp(now),
        "agent": "claude",
        "event": "BeforeTool",
        "session": "s1",
        "root": "/home/dev/acme",
        "facts": {
            "cwd": "/home/dev/acme",
            "tool": {"name": "Bash", "kind": "shell", "input": {"command": "ls"}},
        },
        "outcomes": [],
        "verdict": {"decision": decision, "rule": rule, "hook": "guard", "reason": "because"},
        "ms": 1.5,
        **more,
    }


def sent(
    record: Mapping[str, object], machine: str = "m-1", *, group: str = "web", bundle: int = 3
) -> dict[str, object]:
    """What the machine makes of it."""
    origin = Origin(machine, group, user="dev", bundle_version=bundle, bundle_sha256="ab" * 32)
    return message_of(record, Privacy(people=b"k" * 32), origin)


def taken(record: Mapping[str, object], machine: str = "m-1", **more: object) -> Decision:
    """What the centre takes of it."""
    body = json.dumps(sent(record, machine, **more)).encode()
    found = take_decision(machine, body, mark="s/1").decision
    assert found is not None
    return found


def heartbeat(
    machine: str = "m-1", *, group: str = "web", at: str = "2026-09-21T14:00:00Z", **more: object
) -> bytes:
    body = {
        "v": 1,
        "machine": machine,
        "group": group,
        "at": at,
        "host": f"{machine}.example",
        "fairlead": {"version": "0.1.0", "build": "abc"},
        "bundle": {"version": 3, "sha256": "ab" * 32, "state": "current", "reason": "", "since": at},
        "rows": [{"name": "claude", "state": "ok"}],
        "agents": [
            {"agent": "claude", "installed": True, "proved": True, "calls": 4, "seen_without_calls": False}
        ],
        "journal": {"behind": 0},
        "off": False,
        "mode": "enforce",
        "counts": {"calls": 4, "blocks": 1, "asks": 0, "failures": 0, "would": 0},
        **more,
    }
    return json.dumps(body).encode()
