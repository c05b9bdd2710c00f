"""What a machine tells of itself, in the columns that the centre asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from fairlead.doors.fleet.collecting.intake import Incident, clean_text, number, read_message
from fairlead.model.value import Value
from fairlead.secrets.redact import redact

STATES = ("current", "stale", "expired", "none", "refused")
_WELL = re.compile(r"(ok|well|good|pass|proved|guarded|current)\b", re.IGNORECASE)


class Heartbeat(Value):
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


def take_heartbeat(sender: str, body: bytes, *, mark: str) -> Heartbeat | Incident:
    found = read_message(sender, body, mark)
    if isinstance(found, Incident):
        return found
    clean = redact(found)
    assert isinstance(clean, dict)
    bundle, fairlead = _mapping(clean.get("bundle")), _mapping(clean.get("fairlead"))
    agents, rows = _mappings(clean.get("agents")), _mappings(clean.get("rows"))
    state = clean_text(bundle, "state")
    return Heartbeat(
        machine=sender,
        group=clean_text(clean, "group"),
        at=_moment(clean_text(clean, "at")),
        host=clean_text(clean, "host"),
        version=clean_text(fairlead, "version"),
        bundle=number(bundle.get("version")),
        bundle_state=state if state in STATES else "none",
        mode=clean_text(clean, "mode"),
        off=clean.get("off") is True,
        behind=number(_mapping(clean.get("journal")).get("behind")),
        agents=len(agents),
        unguarded=sum(each.get("seen_without_calls") is True for each in agents),
        unwell=sum(not is_well(each) for each in rows),
        message=json.dumps(clean, separators=(",", ":"), default=str),
    )


def is_well(row: Mapping[str, Any]) -> bool:
    """A row says so by itself, or by the first word of its state."""
    if isinstance(row.get("well"), bool):
        return bool(row["well"])
    return _WELL.match(str(row.get("state", ""))) is not None


def _moment(text: str) -> int:
    """Milliseconds; 0 for what is no time, so that whatever comes later is newer."""
    try:
        return max(int(datetime.fromisoformat(text).timestamp() * 1000), 0)
    except (ValueError, OverflowError, OSError):
        return 0


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: object) -> Sequence[Mapping[str, Any]]:
    found: Iterable[object] = value if isinstance(value, list) else ()
    return [each for each in found if isinstance(each, dict)][:200]
