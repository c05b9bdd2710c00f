"""Decisions as events of the Open Cybersecurity Schema Framework 1.x: JSON lines in a file, or over HTTP.

A call of a shell is a Process event, one of a file a File System event, any other an API event; what was
stopped is a Detection Finding as well. Commands, paths, prompts and results are not in them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from fairlead.errors import FairleadError
from fairlead.journal.files import open_private
from fairlead.journal.ids import time_of
from fairlead.model.tool_call import ToolKind
from fairlead.model.value import Value
from fairlead.secrets.redact import redact_text
from fairlead.sinks.http_endpoint import HttpEndpoint
from fairlead.sinks.origin import Origin

SCHEMA = "1.9.0"
_PROCESS, _FILE, _API, _FINDING = 1007, 1001, 6003, 2004
_CREATE, _READ, _UPDATE, _DELETE, _OTHER = 1, 2, 3, 4, 99
_LAUNCH = 1
_FILE_ACTIVITIES = {
    ToolKind.READ: _READ, ToolKind.LIST: _READ, ToolKind.SEARCH: _READ, ToolKind.WRITE: _CREATE,
    ToolKind.EDIT: _UPDATE, ToolKind.PATCH: _UPDATE, ToolKind.NOTEBOOK: _UPDATE, ToolKind.DELETE: _DELETE,
}  # fmt: skip
_API_ACTIVITIES = {ToolKind.FETCH: _READ, ToolKind.WEB_SEARCH: _READ, ToolKind.MCP: _OTHER}
_LONGEST = 256

Record = Mapping[str, object]
Json = dict[str, object]


class Answer(Value):
    """What a verdict is in OCSF: `action_id`, `disposition_id`, `severity_id`."""

    action: int
    disposition: int
    severity: int


_ALLOWED = Answer(1, 1, 1)
_ANSWERS = {
    "continue": _ALLOWED,
    "allow": _ALLOWED,
    "approve": Answer(1, 8, 1),
    "ask": Answer(0, 23, 2),
    "block": Answer(2, 2, 3),
    "halt": Answer(2, 2, 4),
}
_REWRITTEN, _WOULD, _FAILED = Answer(4, 11, 1), Answer(3, 15, 2), Answer(2, 27, 3)


class OcsfSink:
    """`target` is the path of a file that is appended to, or an http address that takes a JSON array.

    Close it, or use it as a context, when done.
    """

    def __init__(
        self, target: str, *, origin: Origin | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self._origin = origin or Origin()
        self._path = "" if target.startswith(("http://", "https://")) else os.path.abspath(target)
        self._endpoint = (
            None if self._path else HttpEndpoint(target, headers, hint="does it take OCSF as JSON?")
        )
        self._closed = False

    def send(self, records: Sequence[Record]) -> None:
        if self._closed:
            raise FairleadError("this sink is closed", hint="make another one")
        events = [event for record in records for event in events_of(record, self._origin)]
        if self._endpoint is not None and events:
            self._endpoint.post("", events)
        elif events:
            self._append(events)

    def _append(self, events: Sequence[Json]) -> None:
        """All of them or none: what a full disk left of a batch is taken back."""
        data = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events).encode("ascii")
        descriptor = open_private(self._path)
        try:
            end = os.fstat(descriptor).st_size
            if os.write(descriptor, data) != len(data):
                os.ftruncate(descriptor, end)
                raise FairleadError(f"{self._path} has no room", hint="free some space")
            os.fsync(descriptor)
        except OSError as error:
            raise FairleadError(f"{self._path} cannot be written: {error.strerror}") from error
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Twice is no harm."""
        self._closed = True
        if self._endpoint is not None:
            self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def events_of(record: Record, origin: Origin) -> Iterator[Json]:
    """The event of a call, and a finding if it was stopped. What observers said later is none."""
    if "observes" in record:
        return
    verdict = _mapping(record.get("verdict"))
    yield _event(record, verdict, origin)
    if verdict.get("decision") in ("block", "halt"):
        yield _finding(record, verdict, origin)


def _event(record: Record, verdict: Record, origin: Origin) -> Json:
    kind = _mapping(_mapping(record.get("facts")).get("tool")).get("kind")
    known = ToolKind(str(kind)) if isinstance(kind, str) and kind in frozenset(ToolKind) else ToolKind.OTHER
    made = _base(record, verdict, origin, *_class_of(known))
    made["ai_agent"] = _agent(record)
    profiles = ["security_control", "ai_operation"]
    made["metadata"] = _metadata(record, profiles)
    if made["class_uid"] == _PROCESS:
        made["process"] = {"name": "shell"}
    elif made["class_uid"] == _FILE:
        made["file"] = {"name": "withheld", "type_id": 0}
    else:
        made["api"] = {"operation": _text(record, "event") or "unknown"}
        made["src_endpoint"] = {"hostname": origin.host or "unknown"}
    return made


def _class_of(kind: ToolKind) -> tuple[int, int]:
    """Class and activity."""
    if kind is ToolKind.SHELL:
        return _PROCESS, _LAUNCH
    if kind in _FILE_ACTIVITIES:
        return _FILE, _FILE_ACTIVITIES[kind]
    return _API, _API_ACTIVITIES.get(kind, _OTHER)


def _finding(record: Record, verdict: Record, origin: Origin) -> Json:
    made = _base(record, verdict, origin, _FINDING, _CREATE)
    rule = _text(verdict, "rule") or "fairlead"
    made["metadata"] = _metadata(record, ["security_control"])
    made["finding_info"] = {
        "uid": _text(record, "id"),
        "title": f"An agent's call was stopped by {rule}",
        "analytic": {"type_id": 1, "name": rule, "uid": rule},
    }
    return made


def _base(record: Record, verdict: Record, origin: Origin, class_uid: int, activity: int) -> Json:
    answer = _answer(verdict)
    made: Json = {
        "category_uid": class_uid // 1000,
        "class_uid": class_uid,
        "activity_id": activity,
        "type_uid": class_uid * 100 + activity,
        "time": _milliseconds(record),
        "severity_id": answer.severity,
        "action_id": answer.action,
        "disposition_id": answer.disposition,
        "actor": {"app_name": _text(record, "agent") or "unknown"},
        "device": {"type_id": 0, "hostname": origin.host or "unknown"},
    }
    if origin.user:
        made["actor"] = {**_mapping(made["actor"]), "user": {"uid": origin.user, "type_id": 1}}
    if origin.machine:
        made["device"] = {**_mapping(made["device"]), "uid": origin.machine}
    if origin.group:
        made["device"] = {**_mapping(made["device"]), "groups": [{"name": origin.group}]}
    if rule := _text(verdict, "rule") or _text(_mapping(verdict.get("would")), "rule"):
        made["firewall_rule"] = {"name": rule, "uid": rule}
    return made


def _answer(verdict: Record) -> Answer:
    if verdict.get("failures") and verdict.get("decision") in ("block", "halt"):
        return _FAILED
    if _mapping(verdict.get("would")).get("decision") in ("ask", "block", "halt"):
        return _WOULD
    decision = verdict.get("decision")
    known = _ANSWERS.get(decision, _ALLOWED) if isinstance(decision, str) else _ALLOWED
    return _REWRITTEN if known is _ALLOWED and verdict.get("updated_input") else known


def _metadata(record: Record, profiles: Sequence[str]) -> Json:
    product = {"name": "Fairlead", "vendor_name": "Fairlead"}
    return {"version": SCHEMA, "product": product, "profiles": list(profiles), "uid": _text(record, "id")}


def _agent(record: Record) -> Json:
    facts = _mapping(record.get("facts"))
    made: Json = {"name": _text(record, "agent") or "unknown", "uid": _text(record, "agent") or "unknown"}
    if version := _text(facts, "agent_version"):
        made["version"] = version
    return made


def _milliseconds(record: Record) -> int:
    try:
        return int(time_of(str(record.get("id"))) * 1000)
    except ValueError:
        return 0


def _text(found: Record, name: str) -> str:
    value = found.get(name)
    return redact_text(value)[:_LONGEST] if isinstance(value, str) else ""


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}
