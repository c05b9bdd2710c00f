"""Reports of hooks for those who read them later: JUnit XML and JSON, without secrets."""

import json
import os
from xml.etree import ElementTree

import pytest


def test_junit_has_a_case_for_each_implementation_with_its_timeline(machine, hooks):
    hooks("begin-1.sh", "echo out; echo err >&2")
    hooks("begin-2.sh", r"printf '\033[1m<&]]>\0\xff\n'; exit 3")
    hooks("begin-3.sh", "", mode=0o644)
    assert machine.fairlead("run", "begin", "--junit", "report.xml", "--exit-policy", "worst").returncode == 3
    suite = ElementTree.parse(machine.project / "report.xml").getroot()[0]
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "skipped")} == {
        "name": "begin",
        "tests": "3",
        "failures": "1",
        "skipped": "1",
    }
    first, second, third = suite
    lines = [line.split(" ", 1)[1] for line in first.find("system-out").text.splitlines()]
    assert lines == ["1: out", "2: err"]
    assert second.find("failure").get("message") == "exit code 3"
    assert "[1m<&]]>" in second.find("system-out").text
    assert "chmod" in third.find("skipped").get("message")


def test_junit_of_names_and_output_that_are_no_xml(machine, hooks):
    hooks("begin-\x01<&\"'\n.sh", r"for i in {0..255}; do printf \\x$(printf %02x $i); done; exit 1")
    machine.fairlead("run", "begin", "--junit", "report.xml")
    (case,) = ElementTree.parse(machine.project / "report.xml").getroot()[0]
    assert case.get("name") == "begin-\ufffd<&\"'\n.sh"


def test_junit_of_a_timeout_and_of_a_flood(machine, hooks):
    hooks("begin-1.sh", "seq 10000; sleep 60")
    machine.fairlead("run", "begin", "--junit", "report.xml", "--timeout", "1")
    (case,) = ElementTree.parse(machine.project / "report.xml").getroot()[0]
    text = case.find("system-out").text
    assert case.find("failure").get("message") == "timed out"
    assert "1: 1\n" in text and "8000 lines are not shown" in text and text.endswith("1: 10000")


def test_the_json_report_is_the_one_of_the_command_without_secrets(machine, hooks):
    hooks("begin-1.sh", r"echo contract:API_TOKEN=abc123def456; printf 'x abc123def456 \xff\n'")
    done = machine.fairlead("run", "begin", "--contract", "--json", "--report", "report.json")
    report = json.loads((machine.project / "report.json").read_text())
    printed = json.loads(done.stdout)
    assert printed["variables"] == {"API_TOKEN": "abc123def456"}
    assert "abc123def456" not in (machine.project / "report.json").read_text()
    assert report.keys() == printed.keys()
    assert "bytes" not in report["ran"][0]["timeline"][1]
    assert b"abc123def456".hex() not in (machine.project / "report.json").read_text()


def test_reports_are_written_when_a_hook_fails_and_when_nothing_runs(machine, hooks):
    machine.fairlead("run", "begin", "--required", "--junit", "a.xml", "--report", "a.json")
    assert ElementTree.parse(machine.project / "a.xml").getroot()[0].get("tests") == "0"
    assert json.loads((machine.project / "a.json").read_text())["exit_code"] == 127


def test_a_report_that_cannot_be_written_is_an_error_and_not_a_success(machine, hooks):
    hooks("begin-1.sh", "true")
    done = machine.fairlead("run", "begin", "--junit", "/nowhere/x.xml")
    assert (done.returncode, b"/nowhere/x.xml cannot be written" in done.stderr) == (1, True)


def test_reports_have_what_earlier_tries_printed(machine, hooks):
    hooks("begin-1.sh", "echo try >>tries; wc -l <tries; [ $(wc -l <tries) = 2 ]")
    done = machine.fairlead("run", "begin", "--retries", "3", "--junit", "j.xml", "--report", "r.json")
    assert done.returncode == 0
    (ran,) = json.loads((machine.project / "r.json").read_text())["ran"]
    assert (ran["tries"], ran["exit_code"], ran["timeline"][0]["text"]) == (2, 0, "2")
    assert [(each["exit_code"], each["timeline"][0]["text"]) for each in ran["earlier"]] == [(1, "1")]
    assert "1: 1\n(exit code 1; it was tried again)\n" in (machine.project / "j.xml").read_text()


@pytest.mark.parametrize(
    "shown",
    [
        'printf %s "$DB_PASSWORD" | base64',
        'printf %s "user:$DB_PASSWORD" | base64',
        'printf %s "u:$DB_PASSWORD@host" | base64',
        "echo https://u:p%40ss%2Fw0rd%26x@host",
        "echo https://u:p%40ss/w0rd%26x@host",
        'echo \'{"password": "p@ss\\/w0rd&x"}\'',
        "echo '<a>p@ss/w0rd&amp;x</a>'",
    ],
)
def test_a_secret_that_is_spelled_in_another_way_is_masked(machine, hooks, shown):
    hooks("begin-1.sh", f"echo x; {shown}")
    done = machine.fairlead(
        *("run", "begin", "--gitlab", "--junit", "a.xml", "--report", "a.json"),
        environment={"DB_PASSWORD": "p@ss/w0rd&x"},
    )
    report = json.loads((machine.project / "a.json").read_text())
    lines = [line["text"] for line in report["ran"][0]["timeline"]]
    assert "[redacted:" in lines[1] and "w0rd" not in lines[1]
    assert b"[redacted:" in done.stdout and b"w0rd" not in done.stdout
    assert (machine.project / "a.xml").read_text().count("[redacted:") == 1


def test_a_secret_that_is_no_text_is_masked_in_reports(machine, hooks):
    secret = b"p\xffssw0rd-binary"
    hooks("begin-1.sh", "printf '%s\\n' \"$DB_PASSWORD\"")
    machine.fairlead(
        *("run", "begin", "--junit", "a.xml", "--report", "a.json"),
        environment={"DB_PASSWORD": os.fsdecode(secret)},
    )
    written = (machine.project / "a.json").read_text() + (machine.project / "a.xml").read_text()
    assert "ssw0rd" not in written and secret.hex() not in written
    assert written.count("[redacted:secret]") == 2
