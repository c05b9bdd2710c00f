from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.fleet.collecting.heartbeats import Beat, take_heartbeat
from fairlead.doors.fleet.collecting.intake import MOST_BYTES, Incident, holds_no_secret, take_decision
from fairlead.secrets.redact import redact
from fleet_messages import heartbeat, line, sent

TOKEN = "ghp_" + "a1B2" * 9


def body(**more: object) -> bytes:
    return json.dumps({**sent(line(1, "block")), **more}).encode()


def test_a_line_is_taken_in_its_columns() -> None:
    record = line(3, "block", lost={"lines": 2, "why": "disk"})
    found = take_decision("m-1", json.dumps(sent(record)).encode(), mark="s/1").decision
    assert found is not None
    assert (found.id, found.seq, found.unwritten, found.group, found.bundle) == (record["id"], 3, 2, "web", 3)
    assert (found.agent, found.kind, found.decision, found.rule) == (
        "claude",
        "shell",
        "block",
        "git/force-push",
    )
    assert found.retained_as == "objection"
    assert len(found.person) == 20


def test_what_says_that_it_is_from_another_machine_is_forged() -> None:
    found = take_decision("m-2", body(), mark="s/7")
    assert found.decision is None
    assert found.incidents == (Incident("m-2", "forged", "s/7", "it says that it is from 'm-1'"),)


def test_a_secret_is_taken_out_once_more_and_told() -> None:
    message = sent(line(1, "block"))
    message["line"]["facts"]["command"] = f"curl -H 'Authorization: Bearer {TOKEN}'"
    found = take_decision("m-1", json.dumps(message).encode(), mark="s/1")
    assert found.decision is not None
    assert TOKEN not in found.decision.message
    (incident,) = found.incidents
    assert (incident.kind, incident.id) == ("secret", found.decision.id)
    assert incident.detail == "a secret at /line/facts/command"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{",
        b"[" * 100_000,
        b" " * (MOST_BYTES + 1),
        body(line={}),
        body(line={"id": "x", "writer": "ab" * 8, "seq": 1}),
        body(line={**line(1), "seq": 0}),
        body(line={**line(1), "seq": True}),
        body(line={**line(1), "seq": 1 << 60}),
        body(line={**line(1), "writer": "../x"}),
        body().replace(b'"ms": 1.5', b'"ms": 1e999'),
        body().replace(b'"ms": 1.5', b'"ms": NaN'),
    ],
)
def test_what_is_no_line_is_told_and_left(content: bytes) -> None:
    found = take_decision("m-1", content, mark="s/1")
    assert found.decision is None
    assert found.incidents[0].kind == "unreadable"


def test_text_that_a_database_cannot_keep_is_mended() -> None:
    odd = sent(line(1))
    odd["line"]["agent"] = "a\0b\ud800"
    found = take_decision("m-1", json.dumps(odd).encode(), mark="s/1").decision
    assert found is not None
    assert found.agent == "ab?"


def test_a_heartbeat_is_taken_in_its_columns() -> None:
    found = take_heartbeat("m-1", heartbeat(), mark="h/1")
    assert isinstance(found, Beat)
    assert (found.host, found.version, found.bundle, found.bundle_state) == (
        "m-1.example",
        "0.1.0",
        3,
        "current",
    )
    assert (found.agents, found.unguarded, found.unwell, found.off) == (1, 0, 0, False)


def test_a_heartbeat_of_another_machine_is_forged() -> None:
    found = take_heartbeat("m-2", heartbeat("m-1"), mark="h/1")
    assert isinstance(found, Incident)
    assert found.kind == "forged"


@pytest.mark.parametrize("field", ["bundle", "rows", "agents", "journal", "fairlead", "at", "counts", "off"])
@pytest.mark.parametrize("value", [None, 7, "x", [1], {"a": {}}, [[]], -1])
def test_a_heartbeat_that_says_anything_is_taken(field: str, value: object) -> None:
    assert isinstance(take_heartbeat("m-1", heartbeat(**{field: value}), mark="h/1"), Beat)


_NAMES = st.sampled_from(["id", "rule", "password", "token", "pin", "a", "\u212a", "x" * 1100]) | st.text()
_TEXTS = st.sampled_from([TOKEN, "ls", "https://me:s3cr3tPass@host/", "AKIA" + "Q2" * 8]) | st.text()
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(_JSON, st.booleans())
def test_what_is_told_to_hold_no_secret_is_left_as_it_is_by_redaction(found: object, ascii: bool) -> None:
    body = json.dumps(found, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    if holds_no_secret(body, json.loads(body)):
        assert redact(found) == found


def test_the_lines_of_a_machine_are_told_to_hold_no_secret() -> None:
    content = body()
    assert holds_no_secret(content, json.loads(content))


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"a": TOKEN}),
        '{"a": "\\u0067hp_' + "a1B2" * 9 + '"}',
        '{"password": "x"}',
        '{"a": [{"b": {"pin": 1}}]}',
        "[" * 100 + "]" * 100,
        '{"a": "\u212a"}',
    ],
)
def test_what_may_hold_a_secret_is_looked_at_text_by_text(content: str) -> None:
    assert not holds_no_secret(content.encode(), json.loads(content))
