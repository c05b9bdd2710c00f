"""Law 9 from end to end: what a project's own policy does to real hook calls, with trust and without."""

from __future__ import annotations

import json
import shutil

import pytest

from fairlead.policy.layering.trust import trust, untrust
from fairlead.policy.places import find_places
from kit import Machine

pytestmark = pytest.mark.slow

POLICY = """\
event: PreToolUse
middleware:
  - id: no-make
    type: safety
    path: no_make.py
  - id: block-dangerous-commands
    config: {dangerous_patterns: ["frobnicate --all"]}
  - id: protect-sensitive-files
    enabled: false
"""
RULE = """\
def process(hook_input, config, previous_results):
    if hook_input["tool_input"]["command"] == "make":
        return {"decision": "block", "reason": "no make here"}
"""


@pytest.fixture
def project(machine: Machine) -> Machine:
    folder = machine.project / ".fairlead" / "hooks" / "one"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(POLICY)
    (folder / "no_make.py").write_text(RULE)
    return machine


def reason(machine: Machine, command: str) -> str:
    """Why the agent was refused; empty when it was not."""
    answer = machine.hook(machine.bash(command))
    if answer.returncode == 0:
        assert answer.stdout == b""
        return ""
    said = json.loads(answer.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    return str(said["permissionDecisionReason"])


def test_untrusted_it_runs_no_code_and_loosens_nothing_but_tightens(project: Machine) -> None:
    assert reason(project, "make") == ""
    assert "holds secrets" in reason(project, "cat .env")
    assert "which this policy forbids" in reason(project, "frobnicate --all")


def test_trusted_it_does_both_until_it_changes(project: Machine) -> None:
    places, root = find_places(str(project.home)), str(project.project)
    trust(places, root)
    assert "no make here" in reason(project, "make")
    assert reason(project, "cat .env") == ""
    rule = project.project / ".fairlead" / "hooks" / "one" / "no_make.py"
    rule.write_text(RULE.replace('"make"', '"never"'))
    assert "is no longer what was trusted (changed: hooks/one/no_make.py)" in reason(project, "ls")
    rule.write_text(RULE)
    assert reason(project, "ls") == ""
    shutil.rmtree(project.project / ".fairlead")
    assert "is no longer what was trusted" in reason(project, "ls")
    untrust(places, root)
    assert reason(project, "ls") == ""


def test_law_9_a_guard_that_an_untrusted_project_got_wrong_stops_nobody(machine: Machine) -> None:
    folder = machine.project / ".fairlead" / "hooks" / "one"
    folder.mkdir(parents=True)
    wrong = "{id: block-dangerous-commands, config: {packs: {off: [git]}}}"
    (folder / "hook.meta.yaml").write_text(f"event: PreToolUse\nmiddleware: [{wrong}]\n")
    assert reason(machine, "ls") == ""
    assert "git/force-push" in reason(machine, "git push --force origin main")
    assert b"'off' is not known" in machine.fairlead("policy", "check").stdout
