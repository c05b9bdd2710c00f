"""What never leaves a machine, whatever its journal holds and whatever a bundle allows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.fleet.telling.leaving import Origin, message_of
from fairlead.fleet.telling.privacy import DEFAULT_FIELDS, MORE_FIELDS, Privacy, read_privacy
from fairlead.journal.ids import new_id
from fairlead.secrets.redact import redact, secrets_in

HOME = "/srv/people/mallory"
ORIGIN = Origin("m-1", "web", user="mallory", homes=(HOME,), bundle_version=3, bundle_sha256="ab" * 32)
WIDEST = Privacy(frozenset((*DEFAULT_FIELDS, *MORE_FIELDS)), commands=("*",), paths=("*",), people=b"k" * 32)
SECRETS = st.sampled_from(
    ["ghp_" + "a1B2" * 9, "AKIAABCDEFGHIJKLMNOP", "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx"]
)
HOMES = st.sampled_from(
    [HOME, f"{HOME}/src/a.py", "/home/alice", "/home/alice/.ssh/id", "/Users/bob/x", "/root/y"]
)
PRIVATE = "PRIVATE-"
words = st.text(max_size=12).map(lambda text: f"{PRIVATE}{text}")
hostile = st.one_of(SECRETS, HOMES, words, st.text(max_size=20))
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | hostile,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile, inner, max_size=3),
    max_leaves=8,
)
NAMES = (
    *("id", "request", "prev", "ts", "agent", "event", "native_event", "session", "root", "policy", "facts"),
    *("outcomes", "verdict", "degraded", "rendered", "ms", "canary", "lost", "observes", "environment"),
)


def in_place(record: dict[str, object]) -> dict[str, object]:
    return {**record, "v": 1, "id": new_id(1_790_000_000.0), "writer": "ab" * 8, "seq": 1}


lines = st.dictionaries(st.sampled_from(NAMES) | hostile, anything, max_size=12).map(in_place)
tools = st.fixed_dictionaries(
    {"kind": st.sampled_from(["shell", "write", "mcp", "other"]) | anything, "name": hostile},
    optional={"input": anything, "mcp_server": hostile, "mcp_tool": hostile},
)
verdicts = st.fixed_dictionaries(
    {"decision": st.sampled_from(["block", "continue"]) | anything, "rule": hostile, "reason": hostile},
    optional={"hook": hostile, "would": anything, "evidence": anything, "updated_input": anything},
)
facts = st.fixed_dictionaries(
    {"tool": tools},
    optional=dict.fromkeys(("cwd", "prompt", "result", "model_request", "transcript", "more"), anything),
)
shaped = st.fixed_dictionaries(
    {"facts": facts, "verdict": verdicts, "outcomes": st.lists(verdicts, max_size=3)},
    optional={"session": hostile, "agent": hostile, "root": HOMES, "rendered": anything, "request": hostile},
).map(in_place)
rules = st.fixed_dictionaries(
    {},
    optional={
        "fields": st.lists(st.sampled_from((*DEFAULT_FIELDS, *MORE_FIELDS)) | hostile) | anything,
        "commands": st.lists(hostile) | anything,
        "paths": st.lists(hostile) | anything,
        "people": hostile,
        "retention": anything,
    },
)


def sent(record: dict[str, object], privacy: Privacy) -> str:
    return json.dumps(message_of(record, privacy, ORIGIN), ensure_ascii=False)


@given(lines | shaped)
def test_no_secret_leaves_whatever_is_allowed(record: dict[str, object]) -> None:
    message = message_of(record, WIDEST, ORIGIN)
    assert redact(message) == message
    assert not secrets_in(json.dumps(message["line"], ensure_ascii=False))


@given(lines | shaped)
def test_no_home_leaves_whatever_is_allowed(record: dict[str, object]) -> None:
    text = json.dumps(message_of(record, WIDEST, ORIGIN)["line"])
    for home in (HOME, "/home/alice", "/Users/bob", "/root"):
        assert home not in text


@given(
    st.lists(SECRETS | HOMES | words | st.text("/ ='\"home", max_size=8), max_size=6),
    st.sampled_from(["", " "]),
)
def test_a_command_that_may_leave_takes_no_secret_and_no_home_along(pieces: list[str], between: str) -> None:
    tool = {"kind": "shell", "name": "Bash", "input": {"command": between.join(pieces)}}
    line = in_place({"facts": {"tool": tool}, "verdict": {"rule": "git/force-push", "decision": "block"}})
    shown = message_of(line, WIDEST, ORIGIN)["line"].get("facts", {}).get("command", "")
    assert redact(shown) == shown
    assert not any(home in shown for home in (HOME, "/home/alice", "/Users/bob"))


@given(HOMES | words, st.text("/.ab", max_size=12))
def test_a_path_that_may_leave_is_within_the_project(root: str, path: str) -> None:
    tool = {"kind": "write", "name": "Write", "input": {"file_path": path, "content": PRIVATE}}
    line = in_place({"root": root, "facts": {"tool": tool}, "verdict": {"rule": "a/b", "decision": "block"}})
    shown = message_of(line, WIDEST, ORIGIN)["line"]["facts"].get("path", "")
    assert not shown.startswith("/")
    assert ".." not in shown.split("/")
    assert PRIVATE not in shown


@given(lines | shaped)
def test_by_default_no_text_of_a_command_a_path_or_a_content_leaves(record: dict[str, object]) -> None:
    facts = record.get("facts")
    content = {"facts": {**facts, "tool": {**facts["tool"], "input": {"command": "Zebra stripes"}}}} if (
        isinstance(facts, dict) and isinstance(facts.get("tool"), dict)
    ) else {}  # fmt: skip
    assert "Zebra" not in sent({**record, **content}, Privacy())


@pytest.mark.parametrize(
    "place",
    ["prompt", "result", "model_request", "model_response", "transcript", "more", "cwd", "permission_mode"],
)
@given(value=words | st.dictionaries(words, words, min_size=1, max_size=3))
def test_what_no_bundle_can_let_out_stays_here(place: str, value: object) -> None:
    line = in_place({"facts": {place: value}, "verdict": {"rule": "git/force-push", "decision": "block"}})
    message = message_of(line, WIDEST, ORIGIN)
    assert PRIVATE not in json.dumps(message)
    assert f"/facts/{place}" in message["erased"]


@given(value=words | st.lists(words, min_size=1))
@pytest.mark.parametrize("place", ["environment", "env", "rendered", "reason"])
def test_what_is_unknown_is_not_even_named(place: str, value: object) -> None:
    assert PRIVATE not in sent(in_place({place: value, f"{PRIVATE}{place}": value}), WIDEST)


@given(rules, lines | shaped)
def test_a_bundle_may_say_anything_and_lets_out_only_what_has_a_name(
    rule: object, record: dict[str, object]
) -> None:
    privacy, _ = read_privacy(rule)
    line = message_of(record, privacy, ORIGIN)["line"]
    always = {"id", "request", "writer", "seq", "prev", "ts", "observes", "lost", "user"}
    places = {"agent", "event", "native_event", "session", "policy", "canary", "degraded", "ms"}
    assert set(line) <= always | places | {"facts", "verdict", "outcomes"}


@given(rules)
def test_a_bundle_that_is_wrong_lets_out_no_more_than_one_that_says_nothing(rule: object) -> None:
    privacy, problems = read_privacy(rule)
    if problems and isinstance(rule, dict) and not isinstance(rule.get("fields"), list | tuple):
        assert privacy.fields <= frozenset(DEFAULT_FIELDS)
    named = rule.get("commands") if isinstance(rule, dict) else None
    assert not privacy.commands or isinstance(named, list | tuple)


@given(lines | shaped)
def test_a_line_keeps_its_place_in_the_chain(record: dict[str, object]) -> None:
    line = message_of(record, Privacy(frozenset()), ORIGIN)["line"]
    assert (line["id"], line["writer"], line["seq"]) == (record["id"], record["writer"], record["seq"])


@given(lines | shaped)
def test_a_message_is_small_whatever_the_line_is(record: dict[str, object]) -> None:
    assert len(sent(record, WIDEST)) < 64 * 1024
