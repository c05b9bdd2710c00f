"""The corpus is an exam that can be trusted: every line has a reason, an id and one side."""

import json

import pytest

from benchmarks.guard.judge import Judgement, tool_input
from benchmarks.guard.lines import (
    HELD_OUT,
    VISIBLE,
    CorpusError,
    Line,
    identify,
    is_held_out,
    line_of,
    read_folder,
    read_lines,
)
from benchmarks.guard.report import kind_of, misses, row, times
from benchmarks.guard.split import faults
from fairlead.model.decision import Decision

PACKS = {
    "filesystem", "git", "secrets", "network-code", "exfiltration", "privileges", "disks", "processes",
    "databases", "containers", "kubernetes", "cloud", "packages", "ci", "self-protection",
}  # fmt: skip


def judged(expected, decision, **fields):
    broken = fields.pop("broken", "")
    return Judgement(Line("x", "ls", expected, **fields), decision, "rule", "reason", 1000, broken)


def test_every_line_is_on_its_side_with_the_id_of_its_content():
    assert faults() == []


def test_there_are_enough_lines_of_both_kinds_in_every_pack():
    lines = [*read_folder(VISIBLE), *read_folder(HELD_OUT)]
    assert sum(line.dangerous for line in lines) >= 1000
    assert sum(not line.dangerous for line in lines) >= 1500
    for dangerous in (True, False):
        assert {line.pack for line in lines if line.dangerous is dangerous} >= PACKS


def test_about_a_fifth_is_held_out():
    held_out, visible = len(read_folder(HELD_OUT)), len(read_folder(VISIBLE))
    assert 0.17 < held_out / (held_out + visible) < 0.23


def test_a_changed_line_has_another_id():
    record = {"pack": "git", "command": "git push -f"}
    assert identify(record) != identify({**record, "command": "git push --force"})
    assert identify(record) != identify({**record, "cwd": "/tmp"})
    assert is_held_out(identify(record)) == is_held_out(identify(record))


def test_only_a_command_and_an_expected_decision_are_needed():
    line = line_of({"command": "ls", "expected": "allow"}, fallback="mine.jsonl:1")
    assert (line.id, line.expected, line.tool) == ("mine.jsonl:1", "pass", "Bash")


@pytest.mark.parametrize("text", ['{"command": "ls"}', '{"command": 1, "expected": "pass"}', "nonsense"])
def test_a_line_that_cannot_be_read_is_named_with_its_place(tmp_path, text):
    file = tmp_path / "exam.jsonl"
    file.write_text(json.dumps({"command": "ls", "expected": "pass"}) + "\n" + text + "\n")
    with pytest.raises(CorpusError, match=r"exam\.jsonl:2"):
        read_lines(file)


def test_an_ask_meets_a_stop_and_not_a_block():
    assert judged("stop", Decision.ASK).met
    assert judged("stop", Decision.BLOCK).met
    assert kind_of(judged("block", Decision.ASK)) == "asked"
    assert kind_of(judged("block", Decision.CONTINUE)) == "missed"
    assert kind_of(judged("pass", Decision.ASK)) == "alarm"


def test_a_block_by_failure_catches_nothing():
    assert kind_of(judged("block", Decision.BLOCK, broken="it raised")) == "broken"
    assert not judged("block", Decision.BLOCK, broken="it raised").caught


def test_a_row_counts_both_sides():
    some = [judged("block", Decision.BLOCK), judged("block", Decision.ASK), judged("pass", Decision.ASK)]
    assert " ".join(row("git", some).split()) == "git 2 50.0 % 50.0 % 100.0 % 1 1 100.0 %"


def test_a_miss_is_listed_with_decision_rule_and_reason():
    text = "\n".join(misses([judged("block", Decision.CONTINUE, why="it deletes")]))
    assert "expected block: it deletes" in text
    assert "got continue rule reason" in text


def test_times_of_nothing_are_said_to_be_nothing():
    assert times([]) == "no line"


def test_a_notebook_is_named_by_its_own_key():
    assert "notebook_path" in tool_input("NotebookEdit", command="a.ipynb", content="1")
