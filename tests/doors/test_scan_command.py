"""`fairlead scan` as a maintainer runs it: exit codes, formats, baselines, and that it runs nothing."""

import json
import os

import pytest

from tests.git_traps import git

_RULE = "filesystem/recursive-delete-outside-project"


@pytest.fixture
def project(machine):
    (machine.project / "good.sh").write_text("echo\n")
    git(machine.project, "init", "-q")
    git(machine.project, "add", "-A")
    return machine.project


def _scan(machine, *words):
    return machine.fairlead("scan", *words)


def test_nothing_found_is_success_and_silence_on_stdout(machine, project):
    done = _scan(machine)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"1 file read, 0 findings\n"


def test_a_finding_is_told_and_fails(machine, project):
    (project / "bad.sh").write_text("rm -rf ~\n")
    assert _scan(machine).returncode == 0, "git does not track it"
    git(project, "add", "-A")
    done = _scan(machine)
    assert done.returncode == 1
    assert done.stdout.startswith(f"bad.sh:1:1: critical: {_RULE}\n    rm -rf ~\n    ^^^^^^^^\n".encode())
    assert _scan(machine, "bad.sh").returncode == 1
    assert _scan(machine, "good.sh").returncode == 0


@pytest.mark.parametrize(
    "words", [["nowhere"], ["--baseline", "nowhere.json"], ["--format", "xml"], ["--bogus"]]
)
def test_wrong_usage_has_a_code_of_its_own(machine, project, words):
    done = _scan(machine, *words)
    assert done.returncode == 64, done.stderr
    assert done.stdout == b""


def test_a_baseline_is_written_and_left_out(machine, project):
    (project / "bad.sh").write_text("rm -rf ~\n")
    written = _scan(machine, "--all", "--write-baseline", "known.json")
    assert written.returncode == 0, written.stderr
    assert [each["rule"] for each in json.loads((project / "known.json").read_text())["findings"]] == [_RULE]
    assert _scan(machine, "--all", "--baseline", "known.json").returncode == 0
    (project / "bad.sh").write_text("echo\nrm -rf ~\nrm -rf /\n")
    done = _scan(machine, "--all", "--baseline", "known.json")
    assert (done.returncode, done.stdout.count(_RULE.encode())) == (1, 1)


def test_formats_for_programs_go_where_they_are_told(machine, project):
    (project / "bad.sh").write_text("rm -rf ~\n")
    done = _scan(machine, "--all", "--json")
    assert json.loads(done.stdout)["findings"][0]["path"] == "bad.sh"
    sarif = _scan(machine, "--all", "--format", "sarif", "--output", "out.sarif")
    assert (sarif.returncode, sarif.stdout) == (1, b"")
    assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"


def test_nothing_of_what_is_scanned_is_run(machine, project):
    trap = machine.project / "trapped"
    (project / "Makefile").write_text(f"X := $(shell touch {trap})\nall:\n\techo $(X)\n")
    (project / "noxfile.py").write_text(f"open({str(trap)!r}, 'w')\n")
    (project / "setup.py").write_text(f"open({str(trap)!r}, 'w')\n")
    (project / "package.json").write_text(f'{{"scripts": {{"preinstall": "touch {trap}"}}}}')
    git(project, "config", "core.fsmonitor", f"touch {trap}")
    done = _scan(machine, "--all", "--strict")
    assert b"read" in done.stderr
    assert not trap.exists()


def test_a_new_baseline_keeps_what_the_old_one_listed(machine, project):
    (project / "bad.sh").write_text("rm -rf ~\n")
    _scan(machine, "--all", "--write-baseline", "known.json")
    (project / "bad.sh").write_text("rm -rf ~\nrm -rf /\n")
    _scan(machine, "--all", "--baseline", "known.json", "--write-baseline", "known.json")
    assert len(json.loads((project / "known.json").read_text())["findings"]) == 2


def test_names_that_are_no_text_are_printed(machine, project):
    (project / os.fsdecode(b"\xff\n.sh")).write_text("rm -rf ~\n")
    for words in ((), ("--json",), ("--format", "sarif")):
        done = _scan(machine, "--all", *words)
        assert (done.returncode, b"Traceback" in done.stderr) == (1, False), done.stderr
