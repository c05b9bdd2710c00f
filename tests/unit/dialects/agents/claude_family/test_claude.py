import json
from pathlib import Path

import pytest

from fairlead.dialects.agents.claude_family.claude import DIALECT as CLAUDE
from fairlead.errors import PayloadError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

PAYLOADS = Path(__file__).parents[4] / "data" / "payloads" / "claude"
SAMPLES = sorted(PAYLOADS.rglob("*.json"))
EVENTS = CLAUDE.events


def decode(raw: bytes | dict[str, object], native_event: str = "", **environment: str) -> Event:
    body = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    return CLAUDE.decode(body, native_event=native_event, environment=environment)


def pre_tool(**changes: object) -> dict[str, object]:
    payload = {
        "session_id": "s1",
        "cwd": "/p",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    return {key: value for key, value in (payload | changes).items() if value is not ...}


def answer(reply: Reply) -> dict[str, object]:
    value: dict[str, object] = json.loads(reply.stdout)
    return value


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_decodes_to_a_known_event_and_keeps_its_bytes(path: Path) -> None:
    raw = path.read_bytes()
    event = decode(raw)
    sent = json.loads(raw)
    assert event.raw == raw
    assert event.payload == sent
    assert event.native_name == sent["hook_event_name"]
    assert event.name is not EventName.OTHER
    assert event.session == sent["session_id"]
    assert (event.tool is None) == ("tool_name" not in sent)
    if event.tool is not None:
        assert event.tool.name == sent["tool_name"]
        assert event.tool.input == sent["tool_input"]
        assert event.tool.kind is not ToolKind.OTHER


def test_every_event_of_the_agent_has_a_sample() -> None:
    sent = {json.loads(path.read_bytes())["hook_event_name"] for path in SAMPLES}
    assert sent == set(EVENTS)


def test_byte_order_marks_are_stripped_and_kept_in_raw() -> None:
    raw = b"\xef\xbb\xbf" * 2 + json.dumps(pre_tool()).encode()
    event = decode(raw)
    assert event.tool is not None
    assert event.raw == raw


def test_nan_and_a_duplicate_key_are_read_as_the_agent_reads_them() -> None:
    raw = b'{"hook_event_name":"PreToolUse","tool_name":"Read","tool_name":"Bash","tool_input":{"x":NaN}}'
    event = decode(raw)
    assert event.tool is not None
    assert event.tool.name == "Bash"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \n", "empty"),
        (b"not json", "not JSON"),
        (b'{"a": ', "line 1, column"),
        (b'{"a": "\xff"}', "not UTF-8: byte 7 is 0xff"),
        (b"[1]", "a list where an object belongs"),
        (b"[" * 100_000, "JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "JSON"),
    ],
)
def test_what_is_no_object_is_refused_with_its_reason(raw: bytes, words: str) -> None:
    with pytest.raises(PayloadError) as caught:
        decode(raw)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        (pre_tool(hook_event_name=...), "hook_event_name"),
        (pre_tool(tool_name=...), "tool_name"),
        (pre_tool(tool_name=7), "tool_name"),
        (pre_tool(tool_name=""), "tool_name"),
        (pre_tool(tool_input=...), "tool_input"),
        (pre_tool(tool_input=["ls"]), "tool_input"),
        (pre_tool(tool_input="ls"), "tool_input"),
        ({"hook_event_name": "UserPromptSubmit"}, "prompt"),
        ({"hook_event_name": "ConfigChange"}, "source"),
        (pre_tool(hook_event_name="PostToolUse"), "tool_response"),
    ],
)
def test_a_missing_or_unreadable_field_is_named(payload: dict[str, object], field: str) -> None:
    with pytest.raises(PayloadError, match=field):
        decode(payload)


def test_a_command_that_is_a_list_is_left_to_the_validators() -> None:
    event = decode(pre_tool(tool_input={"command": ["rm", "-rf"]}))
    assert event.tool is not None
    assert event.tool.input == {"command": ["rm", "-rf"]}


def test_tool_input_written_as_text_is_parsed() -> None:
    event = decode(pre_tool(tool_input='{"command": "ls"}'))
    assert event.tool is not None
    assert event.tool.input == {"command": "ls"}


def test_the_payloads_own_event_wins_over_the_command_line() -> None:
    assert decode(pre_tool(), "Stop").name is EventName.BEFORE_TOOL
    assert decode(pre_tool(hook_event_name=...), "PreToolUse").name is EventName.BEFORE_TOOL


def test_an_unknown_event_is_other_and_passes_in_silence() -> None:
    event = decode({"hook_event_name": "FutureEvent", "x": 1})
    assert event.name is EventName.OTHER
    assert CLAUDE.render(event, Verdict()) == Reply()


def test_the_root_is_the_agents_variable_and_never_the_cwd() -> None:
    assert decode(pre_tool(), CLAUDE_PROJECT_DIR="/project").root == "/project"
    assert decode(pre_tool()).root == ""


def test_an_mcp_server_whose_name_holds_two_underscores_is_split_by_the_field_that_names_it() -> None:
    event = decode(pre_tool(tool_name="mcp__a__b__c", mcp_server={"name": "a__b"}))
    assert event.tool is not None
    assert (event.tool.mcp_server, event.tool.mcp_tool) == ("a__b", "c")


@pytest.mark.parametrize(
    ("said", "attended"), [("1", True), ("0", False), ("", False), (None, None), ("true", False)]
)
def test_only_a_clear_one_means_that_a_person_is_there(said: str | None, attended: bool | None) -> None:
    environment = {} if said is None else {"CLAUDE_CODE_SESSION_ATTENDED": said}
    assert decode(pre_tool(), **environment).attended is attended


@pytest.mark.parametrize("native", EVENTS)
def test_the_last_resort_refuses_gating_events_and_names_the_way_out(native: str) -> None:
    reply = CLAUDE.last_resort(native)
    if event_named(native) not in GATING:
        assert reply == Reply()
        return
    assert b"fairlead doctor" in reply.stdout
    assert b"fairlead off" in reply.stdout
    assert answer(reply)


@pytest.mark.parametrize("native", EVENTS)
@pytest.mark.parametrize("decision", [Decision.CONTINUE, Decision.ALLOW])
def test_no_objection_is_silence_on_every_event(native: str, decision: Decision) -> None:
    event = Event(event_named(native), native, "claude")
    assert CLAUDE.render(event, Verdict(decision, "fine")) == Reply()


def test_a_long_reason_is_cut_and_stays_valid_json() -> None:
    verdict = Verdict(Decision.BLOCK, "x" * 20_000)
    said = answer(CLAUDE.render(decode(pre_tool()), verdict))["hookSpecificOutput"]
    assert isinstance(said, dict)
    assert len(said["permissionDecisionReason"]) == 10_000
    assert said["permissionDecisionReason"].endswith("(cut)")


def test_a_lone_surrogate_in_a_reason_breaks_nothing() -> None:
    reply = CLAUDE.render(decode(pre_tool()), Verdict(Decision.BLOCK, "bad \ud800 text"))
    assert reply.exit_code == 2
    assert answer(reply)
    assert b"bad \\ud800 text" in reply.stderr


def test_a_rewrite_that_is_no_json_blocks_instead_of_being_lost() -> None:
    verdict = Verdict(updated_input={"command": float("nan")})
    reply = CLAUDE.render(decode(pre_tool()), verdict)
    assert reply.exit_code == 2
    assert b"could not be written as JSON" in reply.stderr
    assert reply.degraded


def test_stderr_never_looks_like_json() -> None:
    verdict = Verdict(Decision.ASK, reason="{}", stop=True, stop_reason='{"decision":"allow"}')
    reply = CLAUDE.render(decode(pre_tool()), verdict)
    assert not reply.stderr.startswith(b"{")
