"""`log-operations`: one JSON line per operation, in a file of the user's choice."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from fairlead.journal.ids import timestamp
from fairlead.journal.line import encode
from fairlead.journal.scrub import Scrubber
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.observers.append import append, place
from fairlead.observers.report import failed, seen

DEFAULT_FILE = "~/.claude/logs/operations.jsonl"


def log_operations(event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /) -> Outcome:
    """Config: `log_file`. The line has the fields timestamp, session_id, tool_name, tool_input, blocked."""
    path = place(str(config.get("log_file") or DEFAULT_FILE), event.root)
    scrubber = Scrubber()
    entry = {
        "timestamp": timestamp(time.time()),
        "session_id": scrubber.field(event.session or None),
        "tool_name": scrubber.field(event.tool.name if event.tool else None),
        "tool_input": scrubber.field(event.tool.input if event.tool else None),
        "blocked": any(outcome.decision.stops for outcome in previous),
    }
    problem = append(path, encode(entry) + "\n")
    if problem:
        return failed(f"Logging failed: {problem}", {"logged": False, "log_file": path, "error": problem})
    return seen("Logged successfully", {"logged": True, "log_file": path})
