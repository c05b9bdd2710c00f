from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.observers.token_usage import track_token_usage
from fairlead.store import ledger


def claude(message: str, given: int, made: int, **more: int) -> str:
    usage = {"input_tokens": given, "output_tokens": made, **more}
    entry = {"type": "assistant", "message": {"id": message, "model": "claude-x", "usage": usage}}
    return json.dumps(entry) + "\n"


def usage_of(transcript: Path, tmp_path: Path) -> Mapping[str, object]:
    event = Event(EventName.AFTER_TOOL, transcript_path=str(transcript))
    outcome = track_token_usage(event, {"state_dir": str(tmp_path / "state")}, ())
    assert outcome is not None
    assert outcome.failure is None
    return outcome.metrics


def test_claude_code_counts_each_message_once_however_often_it_is_written(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    first = claude("m1", 10, 1, cache_read_input_tokens=100, cache_creation_input_tokens=50)
    again = claude("m1", 10, 7, cache_read_input_tokens=100, cache_creation_input_tokens=50)
    transcript.write_text('{"type":"user"}\n' + first + again + "not json\n" + claude("m2", 5, 2))
    assert usage_of(transcript, tmp_path) == {
        "input_tokens": 15,
        "output_tokens": 9,
        "cache_read_tokens": 100,
        "cache_write_tokens": 50,
        "reasoning_tokens": 0,
        "total_tokens": 174,
        "messages": 2,
        "model": "claude-x",
        "behind": 0,
    }


def test_only_what_is_new_is_read_and_a_half_line_waits(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    line = claude("m2", 5, 2)
    transcript.write_text(claude("m1", 10, 1) + line[:30])
    assert usage_of(transcript, tmp_path)["total_tokens"] == 11
    with transcript.open("a") as file:
        file.write(line[30:] + claude("m2", 5, 4))
    metrics = usage_of(transcript, tmp_path)
    assert (metrics["total_tokens"], metrics["messages"]) == (20, 2)
    assert usage_of(transcript, tmp_path) == metrics


def test_a_long_transcript_is_read_in_bounded_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "_AT_ONCE", 1000)
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("".join(claude(f"m{number}", 1, 1) for number in range(50)) + "x" * 5000 + "\n")
    behind = []
    for _ in range(20):
        metrics = usage_of(transcript, tmp_path)
        behind.append(metrics["behind"])
    assert metrics["total_tokens"] == 100
    assert behind[-1] == 0
    assert behind == sorted(behind, reverse=True)


def test_another_transcript_under_the_same_name_is_counted_anew(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(claude("m1", 10, 1) * 3)
    usage_of(transcript, tmp_path)
    transcript.unlink()
    transcript.write_text(claude("m9", 1, 1))
    assert usage_of(transcript, tmp_path)["total_tokens"] == 2


def test_codex_writes_running_totals(tmp_path: Path) -> None:
    transcript = tmp_path / "rollout.jsonl"
    lines = [
        {"type": "turn_context", "payload": {"model": "gpt-x"}},
        {"type": "event_msg", "payload": {"type": "token_count", "info": None}},
    ]
    for given in (100, 300):
        total = {
            "input_tokens": given,
            "cached_input_tokens": 40,
            "output_tokens": 7,
            "reasoning_output_tokens": 3,
        }
        info = {"total_token_usage": total, "last_token_usage": total}
        lines.append({"type": "event_msg", "payload": {"type": "token_count", "info": info}})
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    metrics = usage_of(transcript, tmp_path)
    assert (metrics["input_tokens"], metrics["cache_read_tokens"], metrics["output_tokens"]) == (260, 40, 7)
    assert (metrics["total_tokens"], metrics["model"]) == (307, "gpt-x")


@pytest.mark.parametrize("lines", [True, False])
def test_gemini_writes_tokens_with_each_message(tmp_path: Path, lines: bool) -> None:
    tokens = {"input": 100, "output": 20, "cached": 30, "thoughts": 5, "tool": 1, "total": 126}
    messages = [
        {"id": "1", "type": "user", "content": "x"},
        {"id": "2", "type": "gemini", "model": "gemini-x", "tokens": tokens},
    ]
    transcript = tmp_path / ("s.jsonl" if lines else "s.json")
    text = "".join(json.dumps(m) + "\n" for m in messages) if lines else json.dumps({"messages": messages})
    transcript.write_text(text)
    metrics = usage_of(transcript, tmp_path)
    assert metrics["total_tokens"] == 126
    assert (metrics["input_tokens"], metrics["cache_read_tokens"], metrics["model"]) == (71, 30, "gemini-x")


def test_without_a_transcript_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert track_token_usage(Event(EventName.AFTER_TOOL), {"state_dir": str(tmp_path)}, ()) is None


def test_what_is_no_transcript_is_reported_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("absent", "pipe", "."):
        event = Event(EventName.AFTER_TOOL, transcript_path=str(tmp_path / name))
        outcome = track_token_usage(event, {"state_dir": str(tmp_path / "state")}, ())
        assert outcome is not None
        assert outcome.failure is not None


@pytest.mark.parametrize("state", ["", "[]", '{"offset":"x"}', '{"offset":1,"inode":2,"usage":[]}'])
def test_a_damaged_state_is_counted_again(tmp_path: Path, state: str) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(claude("m1", 10, 1))
    usage_of(transcript, tmp_path)
    (file,) = (tmp_path / "state").glob("*.json")
    file.write_text(state)
    assert usage_of(transcript, tmp_path)["total_tokens"] == 11


def test_a_canary_is_on_no_account(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(claude("m1", 10, 1))
    event = Event(EventName.AFTER_TOOL, transcript_path=str(transcript), canary=True)
    assert track_token_usage(event, {"state_dir": str(tmp_path / "state")}, ()) is None
    assert not (tmp_path / "state").exists()
