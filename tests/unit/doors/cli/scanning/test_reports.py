"""What a scan prints, for people and for programs."""

from __future__ import annotations

import json
import os

import pytest

from fairlead.doors.cli.scanning.as_json import report_json
from fairlead.doors.cli.scanning.as_sarif import sarif_log
from fairlead.doors.cli.scanning.as_text import finding_lines, summary
from tests.unit.doors.cli.scanning.sarif_structure import faults
from tests.unit.scan.scan_kit import scanned

_RULE = "filesystem/recursive-delete-outside-project"
_FILES = {
    "a b.sh": "echo\n\trm -rf ~\n",
    "c.sh": f"rm -rf ~ # fairlead: allow {_RULE} because the machine is thrown away\n",
    "Makefile": "all:\n\tbash d.sh /\n",
    "d.sh": 'rm -rf "$1"\n',
}


@pytest.fixture
def report(tmp_path):
    os.symlink("/etc/profile", tmp_path / "out.sh")
    return scanned(tmp_path, **_FILES)


def test_text_is_the_place_the_line_and_what_to_do(report, monkeypatch):
    monkeypatch.chdir(report.root)
    lines = list(finding_lines(report.findings[0], report.root))
    assert lines[0].endswith(f": {_RULE}")
    assert lines[0].startswith("a b.sh:2:2: ")
    assert lines[1:3] == ["     rm -rf ~", "     ^^^^^^^^"]
    assert lines[-1].startswith("    instead: ")
    assert "    reached through Makefile:2" in list(finding_lines(report.findings[1], report.root))


def test_text_from_another_folder_has_whole_paths(report, monkeypatch):
    monkeypatch.chdir("/")
    shown = next(iter(finding_lines(report.findings[0], report.root)))
    assert shown.startswith(f"{report.root.lstrip('/')}/a b.sh:2:2: ")


def test_nothing_in_a_file_steers_the_terminal(tmp_path):
    report = scanned(tmp_path, **{"\x1b[31m.sh": "rm -rf ~ \x1b]0;title\x07\n"})
    assert "\x1b]" not in "".join(finding_lines(report.findings[0], report.root))
    assert "\x1b[31m.sh" not in "".join(finding_lines(report.findings[0], report.root))


def test_the_summary_counts(report):
    assert summary(report) == "4 files read, 2 findings, 1 allowed by comments, 1 file not read"


def test_json_has_all_of_it(report):
    told = json.loads(json.dumps(report_json(report)))
    assert told["version"] == 1
    assert [(each["path"], each["line"], each["column"]) for each in told["findings"]] == [
        ("a b.sh", 2, 2),
        ("d.sh", 1, 1),
    ]
    assert told["allowed"][0]["because"] == "the machine is thrown away"
    assert told["unread"] == [{"path": "out.sh", "why": "it is a link that leads out of the repository"}]


def test_sarif_has_the_structure_of_its_standard(report):
    log = json.loads(json.dumps(sarif_log(report)))
    assert list(faults(log)) == []
    (run,) = log["runs"]
    first, allowed, last = run["results"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.sh"
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert allowed["suppressions"] == [{"kind": "inSource", "justification": "the machine is thrown away"}]
    assert "suppressions" not in last


def test_sarif_without_findings_says_that_it_looked(tmp_path):
    log = sarif_log(scanned(tmp_path, **{"a.sh": "echo\n"}))
    assert list(faults(log)) == []
    assert log["runs"][0]["results"] == []  # type: ignore[index]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda log: log.pop("version"), "$: version is missing"),
        (lambda log: log["runs"][0]["results"][0].pop("message"), "message is missing"),
        (lambda log: log["runs"][0]["results"][0].update(level="bad"), "level is 'bad'"),
        (lambda log: log["runs"][0]["results"][0].update(ruleIndex=7), "ruleIndex"),
        (lambda log: log["runs"][0]["results"][0].update(place=1), "place is unknown"),
    ],
)
def test_the_check_of_the_structure_finds_faults(report, change, fault):
    log = json.loads(json.dumps(sarif_log(report)))
    change(log)
    assert any(fault in each for each in faults(log))
