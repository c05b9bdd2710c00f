from __future__ import annotations

import json
import re
from pathlib import Path

from fairlead.journal.ids import new_id, time_of, timestamp
from fairlead.journal.line import encode, observation_of, record_of
from fairlead.journal.scrub import FIELD_LIMIT
from fairlead.model.decision import Decision
from fairlead.model.event import Event, Subagent
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Evidence, HookType, Outcome
from fairlead.model.timeline import Stream, Timeline
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Reply, Verdict

NOW = 1_790_000_000.25


def shell(command: str, **changes: object) -> Event:
    call = ToolCall("Bash", {"command": command}, ToolKind.SHELL, id="toolu_1")
    event = Event(
        EventName.BEFORE_TOOL,
        native_name="PreToolUse",
        agent="claude",
        session="s1",
        root="/home/dev/acme",
        cwd="/home/dev/acme/sub",
        tool=call,
        request="ab" * 16,
        raw=b"{}",
    )
    return event.replace(**changes)


def blocked(command: str, part: str) -> Verdict:
    start = command.index(part)
    proof = Evidence(part, command, start, start + len(part), "deletes everything")
    outcome = Outcome(
        Decision.BLOCK,
        "because",
        hook="block-dangerous-commands",
        rule="filesystem/delete",
        evidence=(proof,),
        metrics={"rules": 3},
        milliseconds=0.5,
    )
    return Verdict(
        Decision.BLOCK,
        "because",
        hook=outcome.hook,
        rule=outcome.rule,
        evidence=(proof,),
        outcomes=(outcome,),
        gating=True,
        milliseconds=1.25,
    )


def test_a_line_has_every_field_of_version_1() -> None:
    record = record_of(
        shell("rm -rf /"),
        blocked("rm -rf /", "rm -rf /"),
        Reply(2, b'{"deny":1}', b"because\n"),
        policy="p1",
        now=NOW,
    )
    assert list(record) == [
        "v",
        "id",
        "request",
        "ts",
        "agent",
        "event",
        "native_event",
        "session",
        "root",
        "policy",
        "facts",
        "outcomes",
        "verdict",
        "degraded",
        "rendered",
        "ms",
    ]
    assert record["v"] == 1
    assert record["policy"] == "p1"
    assert record["rendered"] == {"exit": 2, "stdout": '{"deny":1}', "stderr": "because\n"}
    assert record["verdict"]["decision"] == "block"
    outcome = record["outcomes"][0]
    assert {"hook", "type", "decision", "reason", "rule", "evidence", "metrics", "ms", "failure"} <= set(
        outcome
    )
    assert outcome["evidence"] == [{"text": "rm -rf /", "start": 0, "end": 8, "detail": "deletes everything"}]
    assert json.loads(encode(record)) == record


def test_the_facts_tell_what_the_call_was() -> None:
    event = shell(
        "ls",
        subagent=Subagent("a1", "explore"),
        permission_mode="auto",
        attended=True,
        transcript_path="/t.jsonl",
        agent_version="2.1.325",
        turn="p1",
        payload={"tool_name": "Bash", "prompt_id": "p1", "effort": {"level": "high"}},
    )
    facts = record_of(event, Verdict(gating=True), Reply())["facts"]
    assert facts["tool"]["call"] == "toolu_1"
    assert (facts["tool"]["name"], facts["tool"]["kind"], facts["gating"]) == ("Bash", "shell", True)
    assert facts["subagent"] == {"id": "a1", "type": "explore"}
    assert (facts["permission_mode"], facts["attended"], facts["transcript"]) == ("auto", True, "/t.jsonl")
    assert (facts["agent_version"], facts["turn"]) == ("2.1.325", "p1")
    assert facts["more"] == {"prompt_id": "p1", "effort": {"level": "high"}}


def test_prompts_and_results_are_recorded() -> None:
    event = shell("ls", prompt="do it", result=ToolResult({"stdout": "a"}, ok=False, error="no"))
    facts = record_of(event, Verdict(), Reply())["facts"]
    assert facts["prompt"] == "do it"
    assert facts["result"] == {"ok": False, "error": "no", "output": {"stdout": "a"}}


def test_law_8_no_part_of_a_line_holds_a_secret() -> None:
    command = "export API_TOKEN=hunter2hunter2 && rm -rf /"
    outcome = Outcome(
        Decision.BLOCK,
        f"no: {command}",
        evidence=(Evidence("API_TOKEN=hunter2hunter2", command, 7, 31),),
        updated_input={"command": command},
        metrics={"password": "hunter2hunter2"},
        timeline=Timeline(((Stream.STDERR, 0.0, command.encode()),)),
        failure=Failure(Stage.EXECUTION, FailureCode.TIMEOUT, command, {"env": command}),
    )
    verdict = Verdict(
        Decision.BLOCK,
        command,
        evidence=outcome.evidence,
        outcomes=(outcome,),
        additional_context=command,
        system_message=command,
        extra={"a": command},
        stop_reason=command,
        updated_output={"x": command},
    )
    event = shell(
        command,
        prompt=command,
        result=ToolResult({"secret": "hunter2hunter2"}, error=command),
        payload={"note": command},
        raw=command.encode(),
        session=command,
        native_name=command,
    )
    record = record_of(event, verdict, Reply(2, command.encode(), command.encode(), degraded=command))
    assert "hunter2hunter2" not in encode(record)
    assert record["redacted"] > 0


def test_offsets_that_redaction_has_moved_are_left_out() -> None:
    command = "TOKEN=abc123 rm -rf /"
    record = record_of(shell(command), blocked(command, "rm -rf /"), Reply())
    assert record["outcomes"][0]["evidence"] == [{"text": "rm -rf /", "detail": "deletes everything"}]


def test_the_input_hash_tells_equal_inputs_and_knows_no_secret() -> None:
    def hash_of(command: str) -> object:
        return record_of(shell(command), Verdict(), Reply())["facts"]["tool"]["hash"]

    assert hash_of("ls") == hash_of("ls") != hash_of("ls -l")
    assert hash_of("TOKEN=abc ls") == hash_of("TOKEN=def ls")


def test_fields_are_capped_with_a_mark_and_leave_room_for_their_neighbours() -> None:
    call = ToolCall("Write", {"content": "x" * 10_000_000, "file_path": "/a/b"}, ToolKind.WRITE)
    record = record_of(shell("", tool=call, prompt="y" * 100_000), Verdict(), Reply())
    tool_input = record["facts"]["tool"]["input"]
    assert len(tool_input["content"]) < FIELD_LIMIT
    assert tool_input["content"].endswith("…[capped: 10000000 characters]")
    assert tool_input["file_path"] == "/a/b"
    assert record["facts"]["prompt"].startswith("y" * 1000)
    assert record["capped"] == 2
    assert len(encode(record)) < 3 * FIELD_LIMIT


def test_a_secret_across_the_cap_does_not_leave_a_half() -> None:
    text = "x" * (FIELD_LIMIT - 4096 - 20) + " TOKEN=" + "s3cr3t" * 20
    record = record_of(shell("", tool=ToolCall("Write", {"content": text})), Verdict(), Reply())
    assert "s3cr3t" not in encode(record)


def test_a_secret_that_comes_into_view_because_another_one_was_cut_is_taken_out_too() -> None:
    block = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA7" * 1800, "-----END RSA PRIVATE KEY-----"]
    )
    call = ToolCall("Write", {"a": block, "b": "z " * 22_500 + "AKIA" + "IOSFODNN7ABCDEFG" + " y" * 7_000})
    line = encode(record_of(shell("ls", tool=call), Verdict(), Reply()))
    assert "[redacted:private-key]" in line and " y y y" in line
    assert "IOSFODNN7ABCDEFG" not in line


def test_hostile_shapes_are_written_all_the_same() -> None:
    deep: object = "end"
    for _ in range(500):
        deep = [deep]
    many = {f"key{number}": "v" * 50 for number in range(100_000)}
    odd = {"nan": float("nan"), "inf": float("inf"), "bytes": b"\xff", "lone": "\ud800", "big": 1 << 100_000}
    for value in (deep, many, odd, [[]] * 100_000):
        call = ToolCall("X", {"value": value})
        record = record_of(shell("", tool=call), Verdict(), Reply(0, b"\xff\x00"))
        line = encode(record).encode("ascii")
        assert len(line) < 8 * FIELD_LIMIT
        assert b"\n" not in line
        json.loads(line)


def test_what_observers_said_is_a_line_of_its_own_with_the_same_request() -> None:
    event = shell("ls")
    record = record_of(event, Verdict(), Reply())
    seen = Outcome(hook="log-operations", type=HookType.OBSERVABILITY, metrics={"logged": True})
    observation = observation_of(event, Verdict(), [seen], observes=str(record["id"]))
    assert observation["observes"] == record["id"]
    assert observation["request"] == record["request"]
    assert observation["id"] != record["id"]
    assert "verdict" not in observation
    assert observation["outcomes"][0]["metrics"] == {"logged": True}


def test_the_first_of_a_hooks_output_is_kept_in_the_order_of_its_writes() -> None:
    chunks = (
        (Stream.STDOUT, 0.0, b"one\n"),
        (Stream.STDERR, 0.1, b"two\n"),
        (Stream.STDOUT, 0.2, b"x\n" * 50_000),
    )
    outcome = Outcome(timeline=Timeline(chunks), exit_code=3)
    (kept,) = record_of(shell("ls"), Verdict(outcomes=(outcome,)), Reply())["outcomes"]
    assert kept["output"][:3] == [[1, "one"], [2, "two"], [1, "x"]]
    assert kept["exit"] == 3
    assert len(encode(kept)) < 64 * 1024


def test_ids_sort_by_time_and_never_repeat() -> None:
    ids = [new_id(NOW + number / 1000) for number in range(100)]
    assert ids == sorted(ids)
    assert len({new_id(NOW) for _ in range(1000)}) == 1000
    assert abs(time_of(ids[0]) - NOW) < 0.001
    assert timestamp(NOW) == "2026-09-21T14:13:20.250000Z"


def test_every_fact_is_in_the_documented_schema() -> None:
    page = (Path(__file__).parents[3] / "docs" / "journal.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `facts`"))
    event = shell(
        "ls",
        result=ToolResult("x"),
        prompt="p",
        model_request={"a": 1},
        model_response={"a": 1},
        subagent=Subagent("a1", "explore"),
        permission_mode="auto",
        attended=True,
        transcript_path="/t.jsonl",
        agent_version="1",
        turn="t",
        payload={"effort": 1},
    )
    facts = record_of(event, Verdict(), Reply())["facts"]
    assert [name for name in facts if not re.search(rf"`{name}\b", row)] == []
