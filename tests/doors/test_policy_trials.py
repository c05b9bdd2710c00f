"""`fairlead test` and `fairlead replay` as real processes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kit import Machine

pytestmark = pytest.mark.slow

FORBID = """\
event: PreToolUse
middleware:
  - id: block-dangerous-commands
    type: safety
    config:
      dangerous_patterns: ["npm test"]
"""
CASES = """\
tests:
  - command: npm test
    expect: block
    rule: config/dangerous-pattern
  - command: rm -rf /
    expect: block
  - command: ls
    expect: pass
"""


def extra_policy(tmp_path: Path, cases: str) -> str:
    folder = tmp_path / "extra" / "hooks" / "strict"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(FORBID)
    (folder / "hook.test.yaml").write_text(cases)
    return str(tmp_path / "extra")


def test_tests_that_pass(machine: Machine, tmp_path: Path) -> None:
    policy = extra_policy(tmp_path, CASES)
    done = machine.fairlead("test", "--policy", policy, "--coverage", "--junit", str(tmp_path / "report.xml"))
    assert done.returncode == 0, done.stderr
    assert b"3 of 3 tests passed" in done.stdout
    assert b"config/dangerous-pattern" in done.stdout
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "0")


def test_a_test_that_fails_says_what_was_expected_and_what_came(machine: Machine, tmp_path: Path) -> None:
    policy = extra_policy(tmp_path, CASES.replace("expect: pass", "expect: ask") + "  - comand: x\n")
    done = machine.fairlead("test", "--policy", policy, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    (failed,) = [test for test in report["tests"] if not test["passed"]]
    assert "expected ask, got continue" in failed["problem"]
    assert report["problems"][0]["line"] == 9
    assert "did you mean 'command'?" in report["problems"][0]["hint"]


def test_without_tests_it_says_how_to_write_one(machine: Machine) -> None:
    done = machine.fairlead("test")
    assert done.returncode == 1
    assert b"hook.test.yaml" in done.stderr


def test_a_replay_shows_what_another_policy_would_change(machine: Machine, tmp_path: Path) -> None:
    for command in ("ls", "npm test", "cd / && rm -rf *"):
        machine.hook(machine.bash(command))
    same = machine.fairlead("replay", "--json")
    assert same.returncode == 0, same.stderr
    assert json.loads(same.stdout)["counts"] == {"same": 3}
    policy = extra_policy(tmp_path, CASES)
    changed = machine.fairlead("replay", "--policy", policy, "--json")
    assert changed.returncode == 1
    report = json.loads(changed.stdout)
    assert report["counts"] == {"same": 2, "newly blocked": 1}
    assert report["rules"] == [{"change": "newly blocked", "rule": "config/dangerous-pattern", "calls": 1}]
    assert report["examples"][0]["summary"] == "npm test"
    assert machine.fairlead("replay", "--policy", policy, "--fail-on", "loosened").returncode == 0
    assert len(machine.journal()) == 3


BROKEN_GUARD = """\
id: mine
event: PreToolUse
middleware:
  - {id: guard, type: safety, path: guard.py}
"""


@pytest.mark.parametrize(
    ("expect", "code"), [("block", 1), ("pass", 1), ("ask", 1), ("broken", 0)], ids=lambda one: str(one)
)
def test_a_breakdown_is_no_decision(machine: Machine, expect: str, code: int) -> None:
    hooks = machine.home / "config" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(BROKEN_GUARD)
    (hooks / "guard.py").write_text("def process(hook_input, config, previous_results):\n    return 1 / 0\n")
    (hooks / "hook.test.yaml").write_text(f"tests:\n  - {{command: ls, expect: {expect}}}\n")
    done = machine.fairlead("test")
    assert done.returncode == code, done.stdout
    if code:
        assert b"a hook broke, so this is no decision" in done.stdout
        assert b"ZeroDivisionError" in done.stdout


def test_a_hook_that_does_not_break_is_not_broken(machine: Machine) -> None:
    hooks = machine.home / "config" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    (hooks / "hook.test.yaml").write_text("tests:\n  - {command: rm -rf /, expect: broken}\n")
    done = machine.fairlead("test")
    assert done.returncode == 1
    assert b"expected a hook to break, and none did" in done.stdout


def test_a_relative_policy_folder_runs_its_executables(machine: Machine) -> None:
    hooks = machine.project / "rules" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(BROKEN_GUARD.replace("guard.py", "guard.sh"))
    (hooks / "guard.sh").write_text("#!/bin/sh\ngrep -q forbidden && exit 2\nexit 0\n")
    (hooks / "guard.sh").chmod(0o755)
    assert machine.fairlead("check", "--policy", "rules", "echo hello").returncode == 0
    assert machine.fairlead("check", "--policy", "rules", "echo forbidden").returncode == 2
