"""What a machine tells of itself, in the columns that the centre asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from fairlead.doors.fleet.collecting.intake import Incident, storable
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.fleet.telling.heartbeat import Heartbeat, read_heartbeat
from fairlead.model.value import Value
from fairlead.secrets.redact import redact

STATES = ("current", "stale", "expired", "none", "refused")
_WELL = re.compile(r"(ok|well|good|pass|installed|not installed|proved|guarded)\b", re.IGNORECASE)
"""How the state of a row begins that nobody has to look at."""


class Beat(Value):
    """In columns. `at` is in milliseconds."""

    machine: str
    group: str
    at: int
    host: str
    version: str
    bundle: int
    bundle_state: str
    mode: str
    off: bool
    behind: int
    agents: int
    unguarded: int
    """Agents that were seen without hook calls."""
    unwell: int
    """Rows of doctor that are not as they should be."""
    message: str


def take_heartbeat(sender: str, body: bytes, *, mark: str) -> Beat | Incident:
    try:
        found = read_heartbeat(body, sender)
    except RefusedError as error:
        forged = error.refusal.code is RefusalCode.FORGED
        return Incident(sender, "forged" if forged else "unreadable", mark, error.message)
    return _columns(found)


def _columns(found: Heartbeat) -> Beat:
    clean = redact(found.as_json())
    return Beat(
        machine=found.machine,
        group=found.group,
        at=found.at * 1000,
        host=_shown(found.host),
        version=_shown(found.version),
        bundle=found.bundle.version,
        bundle_state=found.bundle.state if found.bundle.state in STATES else "none",
        mode=found.mode,
        off=found.off,
        behind=found.behind,
        agents=len(found.agents),
        unguarded=sum(agent.get("seen_without_calls") is True for agent in found.agents),
        unwell=sum(not is_well(row) for row in found.rows),
        message=json.dumps(clean, separators=(",", ":"), default=str),
    )


def is_well(row: Mapping[str, object]) -> bool:
    """A row says so by itself, or by the first word of its state."""
    if isinstance(row.get("well"), bool):
        return bool(row["well"])
    return _WELL.match(str(row.get("state", ""))) is not None


def _shown(text: str) -> str:
    return storable(str(redact(text)))
