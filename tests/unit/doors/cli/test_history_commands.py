"""`log`, `tail`, `stats`, `sessions`, `explain` and `index`, in process, over a small journal."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairlead.doors.cli.main import fairlead
from fairlead.doors.cli.presentation.sparks import sparkline
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.cli.recorded.history import moment
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.ids import new_id, timestamp
from index_kit import call, observation, outcome, write


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *words: str) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), *words], standalone_mode=False)


def ran(home: Path, *words: str) -> str:
    result = run(home, *words)
    assert result.exception is None, result.exception
    return result.stdout


def journal(home: Path) -> Path:
    return home / "state" / "journal"


def recent(number: int, decision: str = "continue", **more: object) -> dict[str, object]:
    """A call of so many seconds ago."""
    now = time.time() - number
    command = more.pop("command", f"git push {number}")
    facts = {"tool": {"name": "Bash", "kind": "shell", "call": f"t{number}", "input": {"command": command}}}
    made = call(number, decision, id=new_id(now), ts=timestamp(now), facts=facts)
    return {**made, **more}


def test_log_shows_the_newest_last_with_everything_on_one_line(home: Path) -> None:
    write(journal(home), recent(300), recent(7200, "block", degraded="ask became block"))
    first, second = ran(home, "log").splitlines()
    assert "5m" in second and "pass" in second and "git push 300" in second
    assert "2h" in first and "block" in first and "~" in first and "git/force-push" in first
    assert "1.00 ms" in first


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--denied"], ["git push 2"]),
        (["--decision", "ask", "--decision", "block"], ["git push 3", "git push 2"]),
        (["--since", "90s"], ["git push 3", "git push 2", "git push 1"]),
        (["--until", "90s"], ["git push 100"]),
        (["--event", "PreToolUse", "--text", "push 1", "-n", "1"], ["git push 1"]),
        (["--rule", "git/*"], ["git push 3", "git push 2"]),
        (["--tool", "Read"], []),
        (["--agent", "codex"], []),
        (["--project", "/home/dev/acme", "--session", "s1", "-n", "1"], ["git push 1"]),
        (["--trouble"], []),
    ],
)
def test_log_filters(home: Path, words: list[str], expected: list[str]) -> None:
    write(journal(home), recent(100), recent(3, "ask"), recent(2, "block"), recent(1))
    found = json.loads(ran(home, "log", "--json", *words))
    assert [line["summary"] for line in found] == expected


def test_log_writes_csv_that_no_spreadsheet_runs(home: Path) -> None:
    write(journal(home), recent(1, command="=cmd|' /C calc'!A0"))
    (row,) = csv.DictReader(io.StringIO(ran(home, "log", "--csv")))
    assert row["summary"] == "'=cmd|' /C calc'!A0"
    assert row["decision"] == "continue"


def test_log_gives_whole_records_for_programs(home: Path) -> None:
    write(journal(home), recent(2), recent(1))
    records = [json.loads(line) for line in ran(home, "log", "--records").splitlines()]
    assert [record["request"] for record in records] == ["r2", "r1"]


def test_nothing_an_agent_sent_can_steer_the_terminal(home: Path) -> None:
    write(journal(home), recent(1, "block", command="echo \x1b[2J\x07 hidden\r\n next", session="\x1b]0;x"))
    for words in (["log"], ["explain", "--last"], ["sessions"]):
        shown = ran(home, *words)
        assert "\x1b" not in shown and "\x07" not in shown and "\r" not in shown
    assert printable("a\x1bb") == "a␚b"


def test_unknown_words_are_usage_errors_with_a_hint(home: Path) -> None:
    for words in (["--since", "soon"], ["--decision", "maybe"], ["--event", "Nonsense"]):
        result = run(home, "log", *words)
        assert isinstance(result.exception, UsageError)
        assert result.exception.hint


def test_log_verify_says_whole_or_not(home: Path) -> None:
    write(journal(home), *(recent(number) for number in range(5)))
    assert "5 lines, whole" in ran(home, "log", "verify")
    path = journal(home) / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"push 3", b"pull 3"))
    result = run(home, "log", "verify", "--json")
    assert result.return_value == 1
    report = json.loads(result.stdout)
    assert not report["whole"]
    assert report["findings"][0]["kind"] == "changed"


def test_pruning_needs_a_human(home: Path) -> None:
    write(journal(home), *(recent(number) for number in range(9)), max_bytes=2000)
    result = run(home, "log", "prune", "--max-size", "1K", "--yes")
    assert result.exception is not None
    assert "human" in str(result.exception).lower() or "terminal" in str(result.exception).lower()
    assert len(json.loads(ran(home, "log", "--json"))) == 9


def test_stats_counts_by_everything(home: Path) -> None:
    for number in range(20):
        write(journal(home), recent(number, "block" if number < 5 else "continue"))
    text = ran(home, "stats")
    assert "20 calls: block 5, pass 15" in text
    assert "git/force-push" in text and "LAST SEEN" in text
    data = json.loads(ran(home, "stats", "--json", "--since", "1h"))
    assert data["total"]["calls"] == 20
    (rule,) = json.loads(ran(home, "stats", "--by", "rules", "--json"))
    assert (rule["name"], rule["calls"]) == ("git/force-push", 5)
    (row,) = csv.DictReader(io.StringIO(ran(home, "stats", "--csv")))
    assert (row["name"], row["block"]) == ("claude", "5")


def test_stats_lists_rules_that_never_decided(home: Path) -> None:
    write(journal(home), recent(1, "block"))
    rules = json.loads(ran(home, "stats", "--never", "--json"))
    assert "git/force-push" not in rules
    assert "filesystem/recursive-delete-outside-project" in rules
    assert len(ran(home, "stats", "--never").splitlines()) == len(rules)


def test_a_sparkline_shows_the_shape() -> None:
    assert sparkline([0, 1, 4, 8]) == " ▁▄█"
    assert len(sparkline(list(range(1000)))) <= 60


def test_sessions_are_listed_newest_first(home: Path) -> None:
    write(journal(home), recent(50, session="old"), recent(1, "block", session="new"))
    assert [line["session"] for line in json.loads(ran(home, "sessions", "--json"))] == ["new", "old"]
    head, first, _ = ran(home, "sessions").splitlines()
    assert "BLOCKED" in head and "new" in first


def test_tail_shows_the_last_calls(home: Path) -> None:
    write(journal(home), *(recent(number) for number in range(30, 0, -1)))
    assert len(ran(home, "tail").splitlines()) == 10
    (line,) = ran(home, "tail", "-n", "1", "--json").splitlines()
    assert json.loads(line)["summary"] == "git push 1"


def test_explain_tells_the_whole_story(home: Path) -> None:
    command = "cd / && git push --force"
    proof = {"text": "git push --force", "start": 8, "end": 24, "detail": "rewrites history"}
    made = recent(2, "block", command=command)
    made["verdict"] = {
        "decision": "block",
        "reason": "not here",
        "rule": "git/force-push",
        "hook": "guard",
        "evidence": [proof],
        "alternative": "git push --force-with-lease",
    }
    made["outcomes"] = [
        outcome("guard", "block", rule="git/force-push", reason="not here", evidence=[proof]),
        outcome("broken", failure={"code": "TIMEOUT", "message": "took too long"}),
    ]
    made["rendered"] = {"exit": 2, "stdout": '{"deny": true}', "stderr": "not here\n"}
    write(journal(home), made, observation(made, 1))
    text = ran(home, "explain", str(made["id"])[-8:])
    assert "cd / && git push --force\n                     ^^^^^^^^^^^^^^^^" in text
    for part in (
        "not here",
        "git/force-push",
        "rewrites history",
        "instead    git push --force-with-lease",
        "failed: took too long",
        'stdout: {"deny": true}',
        "exit 2",
        "log-operations",
        "no result of this call was recorded",
        "fairlead allow git/force-push --once",
    ):
        assert part in text
    assert json.loads(ran(home, "explain", "--last", "--json"))["id"] == made["id"]


def test_explain_marks_the_right_part_where_it_stands_after_other_letters(home: Path) -> None:
    command = "echo äöü\nécho ü && rm x"
    start = command.encode().index(b"rm x")
    made = recent(1, "block", command=command)
    made["verdict"] = {**made["verdict"], "evidence": [{"text": "rm x", "start": start, "end": start + 4}]}
    write(journal(home), made)
    lines = ran(home, "explain", "--last").splitlines()
    marks = next(line for line in lines if line.strip() and set(line.strip()) == {"^"})
    above = lines[lines.index(marks) - 1]
    assert above[marks.index("^") : marks.index("^") + 4] == "rm x"


@pytest.mark.parametrize(
    ("event", "decision", "text"),
    [
        ("AfterTool", "continue", "the tool ran"),
        ("AfterTool", "block", "THE AGENT RAN IT ALL THE SAME"),
        ("ToolDenied", "block", "the agent did not run it"),
    ],
)
def test_explain_tells_whether_the_verdict_took_effect(
    home: Path, event: str, decision: str, text: str
) -> None:
    before = recent(5, decision)
    after = recent(1, event=event)
    after["facts"] = before["facts"]
    write(journal(home), before, after)
    assert text in ran(home, "explain", str(before["id"]))


def test_explain_without_a_call_says_what_to_do(home: Path) -> None:
    for words in (["--last"], ["nothing"]):
        result = run(home, "explain", *words)
        assert result.exception is not None
        assert "there is no call" in str(result.exception)
    assert isinstance(run(home, "explain").exception, UsageError)


def test_index_rebuild_and_status(home: Path) -> None:
    write(journal(home), recent(1), recent(2))
    assert "2 calls" in ran(home, "index", "status")
    assert "2 lines" in run(home, "index", "rebuild").stderr
    assert json.loads(ran(home, "index", "status", "--json"))["calls"] == 2


def test_an_index_that_cannot_be_used_says_how_to_mend_it(home: Path) -> None:
    write(journal(home), recent(1))
    (home / "state" / "index" / "index.sqlite3").mkdir(parents=True)
    result = run(home, "log")
    assert isinstance(result.exception, FairleadError)
    assert "index rebuild" in result.exception.hint


def test_times_are_read_as_people_write_them() -> None:
    now = 1_790_000_000.0
    assert moment("90s", now) == now - 90
    assert moment("2h", now) == now - 7200
    assert moment("2026-11-15") is not None
    today, yesterday = moment("today", now), moment("yesterday", now)
    assert today is not None and yesterday is not None
    assert yesterday < today <= now
    assert moment("") is None
    assert (ago(now - 59, now), ago(now - 3600, now), ago(now - 90000, now)) == ("59s", "1h", "1d")


def test_forward_sends_calls_of_the_doctor_only_when_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(journal(home), recent(2), recent(1, canary=True))
    sent: list[list[object]] = []

    class Sink:
        def send(self, records: Sequence[Mapping[str, object]]) -> None:
            sent.append([record.get("canary") for record in records])

        def close(self) -> None:
            pass

    monkeypatch.setattr("fairlead.sinks.statsd.StatsdSink", lambda *_, **__: Sink())
    ran(home, "forward", "--statsd", "127.0.0.1:9", "--from-start")
    ran(home, "forward", "--statsd", "127.0.0.1:9", "--from-start", "--canaries")
    assert sent == [[None], [None, True]]


def test_explain_finds_a_call_of_the_doctor_by_its_id_and_not_as_the_last_one(home: Path) -> None:
    checked = recent(1, canary=True, command="rm -rf /")
    write(journal(home), recent(2, command="make"), checked)
    assert "made by `fairlead doctor`" in ran(home, "explain", str(checked["id"]))
    assert "make" in ran(home, "explain", "--last").splitlines()[0]
    assert "rm -rf /" in ran(home, "explain", "--last", "--canaries").splitlines()[0]


def test_explain_advises_only_what_works(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    project.mkdir()
    write(journal(home), recent(3, "block", root=str(project), request="a"))
    assert f"`fairlead allow git/force-push --in '{project}' --once` excepts one call" in ran(
        home, "explain", "--last"
    )
    write(journal(home), recent(2, "block", root="/gone", request="b"))
    told = ran(home, "explain", "--last")
    assert "`fairlead allow git/force-push --once` excepts" in told and "hooks disable" not in told
    verdict = {"decision": "block", "rule": "engine/validation", "hook": "engine", "reason": "no input"}
    write(journal(home), recent(1, "block", verdict=verdict, request="c"))
    assert "to change" not in ran(home, "explain", "--last")
    verdict |= {"hook": "block-dangerous-commands", "rule": "git/force-push"}
    write(journal(home), recent(0, "block", verdict=verdict, request="d"))
    assert "`fairlead hooks disable block-dangerous-commands` turns the hook off" in ran(
        home, "explain", "--last"
    )


def test_explain_names_the_event_of_what_is_no_call(home: Path) -> None:
    write(journal(home), recent(1, event="SessionStart", facts={}, outcomes=[]))
    assert ran(home, "explain", "--last").startswith("pass  SessionStart\n")
