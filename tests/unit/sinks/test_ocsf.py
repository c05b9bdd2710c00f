"""OCSF events, held against a table of what the schema demands of each class."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.errors import FairleadError
from fairlead.model.tool_call import ToolKind
from fairlead.sinks.ocsf import OcsfSink, events_of
from fairlead.sinks.origin import Origin
from index_kit import call

ORIGIN = Origin("host-1", "pseudonym", "web", "m-1")
_NUMBERS = ("activity_id", "category_uid", "class_uid", "type_uid", "time", "severity_id")
BASE: Mapping[str, type] = {**dict.fromkeys(_NUMBERS, int), "metadata": dict}
PROFILED = {"action_id": int, "disposition_id": int}
CLASSES: Mapping[int, Mapping[str, type]] = {
    1001: {"actor": dict, "device": dict, "file": dict},
    1007: {"actor": dict, "device": dict, "process": dict},
    6003: {"actor": dict, "api": dict, "src_endpoint": dict},
    2004: {"finding_info": dict},
}
OBJECTS: Mapping[str, Mapping[str, type]] = {
    "metadata": {"version": str, "product": dict},
    "file": {"name": str, "type_id": int},
    "api": {"operation": str},
    "finding_info": {"uid": str, "title": str},
    "device": {"type_id": int},
    "ai_agent": {"uid": str},
}
ACTIVITIES = {1001: {1, 2, 3, 4, 99}, 1007: {1, 99}, 6003: {1, 2, 3, 4, 99}, 2004: {1, 99}}
ACTIONS, DISPOSITIONS = {0, 1, 2, 3, 4, 99}, {0, *range(1, 28), 99}


def faults(event: Mapping[str, object]) -> list[str]:
    """What the schema would not take."""
    class_uid = event["class_uid"]
    assert isinstance(class_uid, int)
    wanted = {**BASE, **PROFILED, **CLASSES[class_uid]}
    found = [name for name, kind in wanted.items() if not isinstance(event.get(name), kind)]
    for name, members in OBJECTS.items():
        inside = event.get(name, dict.fromkeys(members, None)) if name in event else None
        found += [
            f"{name}.{m}"
            for m, k in members.items()
            if inside is not None and not isinstance(inside.get(m), k)
        ]
    if event["type_uid"] != class_uid * 100 + event["activity_id"]:
        found.append("type_uid is no sum")
    if event["activity_id"] not in ACTIVITIES[class_uid] or event["category_uid"] != class_uid // 1000:
        found.append("activity or category")
    if event["action_id"] not in ACTIONS or event["disposition_id"] not in DISPOSITIONS:
        found.append("action or disposition")
    if ("ai_agent" in event) == (class_uid == 2004):
        found.append("the profile of agents is for categories 1 and 6")
    return found


def of_kind(kind: str, decision: str = "continue", **verdict: object) -> dict[str, object]:
    made = call(1, decision)
    facts = {"tool": {"name": "T", "kind": kind, "input": {"command": "secret words"}}}
    return {**made, "facts": facts, "verdict": {**made["verdict"], **verdict}}


@pytest.mark.parametrize("kind", [*ToolKind, "unheard-of"])
@pytest.mark.parametrize("decision", ["continue", "allow", "approve", "ask", "block", "halt"])
def test_every_call_is_an_event_of_the_schema(kind: str, decision: str) -> None:
    events = list(events_of(of_kind(kind, decision), ORIGIN))
    assert [faults(event) for event in events] == [[]] * len(events)
    assert len(events) == (2 if decision in ("block", "halt") else 1)
    assert "secret words" not in json.dumps(events)


@pytest.mark.parametrize(
    ("verdict", "action", "disposition"),
    [
        ({"decision": "continue"}, 1, 1),
        ({"decision": "approve"}, 1, 8),
        ({"decision": "block"}, 2, 2),
        ({"decision": "halt"}, 2, 2),
        ({"decision": "ask"}, 0, 23),
        ({"decision": "continue", "updated_input": {"a": 1}}, 4, 11),
        ({"decision": "continue", "would": {"decision": "block", "rule": "a/b"}}, 3, 15),
        ({"decision": "block", "failures": [{"code": "TIMEOUT"}]}, 2, 27),
    ],
)
def test_a_verdict_is_an_action_and_a_disposition(
    verdict: dict[str, object], action: int, disposition: int
) -> None:
    event = next(events_of({**call(1), "verdict": verdict}, ORIGIN))
    assert (event["action_id"], event["disposition_id"]) == (action, disposition)


@pytest.mark.parametrize(
    ("kind", "class_uid", "activity"),
    [
        ("shell", 1007, 1),
        ("read", 1001, 2),
        ("write", 1001, 1),
        ("edit", 1001, 3),
        ("delete", 1001, 4),
        ("mcp", 6003, 99),
    ],
)
def test_the_kind_of_a_tool_is_a_class_and_an_activity(kind: str, class_uid: int, activity: int) -> None:
    event = next(events_of(of_kind(kind), ORIGIN))
    assert (event["class_uid"], event["activity_id"]) == (class_uid, activity)


def test_whatever_a_record_holds_it_is_an_event() -> None:
    for odd in (
        {},
        {"verdict": 7, "facts": [], "id": None},
        {"verdict": {"decision": []}, "facts": {"tool": 1}},
    ):
        for event in events_of(odd, Origin()):
            assert faults(event) == []


def test_events_are_appended_to_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "ocsf.jsonl"
    with OcsfSink(str(path), origin=ORIGIN) as sink:
        sink.send([call(1), call(2, "block")])
        sink.send([call(3)])
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["class_uid"] for event in events] == [1007, 1007, 2004, 1007]
    assert os.stat(path).st_mode & 0o077 == 0
    assert {event["actor"]["user"]["uid"] for event in events} == {"pseudonym"}
    with pytest.raises(FairleadError, match="closed"):
        sink.send([call(4)])


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FairleadError):
        OcsfSink(str(tmp_path / "link")).send([call(1)])
    assert not (tmp_path / "elsewhere").exists()
