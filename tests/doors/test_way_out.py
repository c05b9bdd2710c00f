"""The ways out that a person has: `off`, and `approve` for one call. As real processes."""

from __future__ import annotations

import json
import re
import time

import pytest

from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

ASK = """\
event: PreToolUse
middleware:
  - id: careful
    type: safety
    path: careful.py
    matcher: Bash
"""
CAREFUL = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    if "deploy" not in hook_input["tool_input"]["command"]:
        return MiddlewareResult(decision="continue", reason="")
    return MiddlewareResult(decision="ask", reason="a deployment is a decision")
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def guarded(machine: Machine) -> Machine:
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    (machine.user_policy(ASK) / "careful.py").write_text(CAREFUL)
    return machine


def code_in(text: bytes) -> str:
    found = re.search(rb"fairlead approve ([0-9a-f]{8})", text)
    assert found is not None, text
    return found[1].decode()


def test_a_question_that_cannot_be_asked_is_answered_once_by_a_person(guarded: Machine) -> None:
    call = guarded.bash("deploy prod")
    refused = guarded.hook(call)
    assert refused.returncode == 2
    code = code_in(refused.stderr)
    assert code_in(refused.stdout) == code
    status, shown = at_terminal(guarded, "approve", code, "--yes")
    assert status == 0, shown
    assert "deploy prod" in shown
    assert guarded.hook(guarded.bash("deploy prod", session_id="another")).returncode == 2
    assert guarded.hook(guarded.bash("deploy prod --now")).returncode == 2
    passed = guarded.hook(guarded.bash("deploy prod"))
    assert (passed.returncode, passed.stdout) == (0, b"")
    assert guarded.hook(guarded.bash("deploy prod")).returncode == 2


def test_an_approval_holds_in_its_folder_and_for_its_agent_alone_and_says_so(guarded: Machine) -> None:
    staging, prod = (guarded.project / name for name in ("staging", "prod"))
    staging.mkdir()
    prod.mkdir()
    call = {"cwd": str(staging)}
    code = code_in(guarded.hook(guarded.bash("deploy", **call)).stderr)
    status, shown = at_terminal(guarded, "approve", code, "--yes")
    assert status == 0, shown
    for bound in (str(staging), str(guarded.project), "claude asks", "session  s1"):
        assert bound in shown
    assert guarded.hook(guarded.bash("deploy", cwd=str(prod))).returncode == 2
    assert guarded.hook(guarded.bash("deploy", cwd=str(guarded.project))).returncode == 2
    assert b'"ask"' in guarded.hook(guarded.bash("deploy", **call), "qwen").stdout
    assert guarded.hook(guarded.bash("deploy", **call)).returncode == 0


def test_a_folder_that_became_a_link_to_another_is_not_the_one_that_was_approved(
    guarded: Machine,
) -> None:
    current, prod = guarded.project / "current", guarded.project / "prod"
    current.mkdir()
    prod.mkdir()
    call = {"cwd": str(current)}
    at_terminal(guarded, "approve", code_in(guarded.hook(guarded.bash("deploy", **call)).stderr), "--yes")
    current.rmdir()
    current.symlink_to(prod)
    assert guarded.hook(guarded.bash("deploy", **call)).returncode == 2


def test_the_code_alone_is_worth_nothing(guarded: Machine) -> None:
    code = code_in(guarded.hook(guarded.bash("deploy prod")).stderr)
    assert guarded.fairlead("approve", code, "--yes").returncode == 1
    status, _ = at_terminal(guarded, "approve", code, "--yes", secret="wrong")
    assert status == 1
    assert guarded.hook(guarded.bash("deploy prod")).returncode == 2


def test_an_agent_that_can_ask_is_left_to_ask(guarded: Machine) -> None:
    asked = guarded.hook(guarded.bash("deploy prod"), environment={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    assert asked.returncode == 0
    assert json.loads(asked.stdout)["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert json.loads(guarded.fairlead("approve", "--json").stdout) == []


def test_the_same_request_after_a_crash_finds_its_grant_again(guarded: Machine) -> None:
    call = guarded.bash("deploy prod")
    at_terminal(guarded, "approve", code_in(guarded.hook(call).stderr), "--yes")
    for _ in range(2):
        assert guarded.hook(call, "claude", "PreToolUse", "--request", "ab" * 16).returncode == 0
    another = guarded.bash("deploy prod")
    assert guarded.hook(another, "claude", "PreToolUse", "--request", "cd" * 16).returncode == 2


def test_an_unknown_code_is_named(guarded: Machine) -> None:
    status, shown = at_terminal(guarded, "approve", "deadbeef", "--yes")
    assert status == 1
    assert "nothing waits for an answer with the code deadbeef" in shown


def test_off_lets_everything_pass_and_records_it_until_on(guarded: Machine) -> None:
    call = guarded.bash("rm -rf /")
    assert guarded.hook(call).returncode == 2
    status, shown = at_terminal(guarded, "off", "--for", "1h", "--yes")
    assert status == 0, shown
    passed = guarded.hook(call)
    assert (passed.returncode, passed.stdout, passed.stderr) == (0, b"", b"")
    assert guarded.hook(b"rubbish").returncode == 0
    assert guarded.journal()[-1]["verdict"]["rule"] == "off"
    assert b"Fairlead is off" in guarded.fairlead("status").stdout
    start = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", "cwd": "/"}
    assert b"Fairlead is off" in guarded.hook(start).stdout
    assert guarded.fairlead("on").returncode == 0
    assert guarded.hook(call).returncode == 2


def test_off_for_one_agent_leaves_the_others_guarded(guarded: Machine) -> None:
    at_terminal(guarded, "off", "codex", "--yes")
    assert guarded.hook(guarded.bash("rm -rf /"), "codex").returncode == 0
    assert guarded.hook(guarded.bash("rm -rf /"), "claude").returncode == 2


def test_off_needs_a_human_and_a_marker_that_ran_out_means_on(guarded: Machine) -> None:
    assert guarded.fairlead("off", "--yes").returncode == 1
    marker = guarded.home / "state" / "off"
    assert not marker.exists()
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_text(f"{int(time.time()) - 1}\n")
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 2
    marker.write_text("rubbish\n")
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 2


def test_a_forged_marker_switches_nothing_off_once_there_is_a_passphrase(guarded: Machine) -> None:
    marker = guarded.home / "state" / "off"
    marker.write_text("0\n")
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 2
    assert b"was not written by `fairlead off`" in guarded.fairlead("status").stdout
    assert b"was not written by `fairlead off`" in guarded.fairlead("doctor").stdout
    marker.unlink()
    at_terminal(guarded, "off", "--yes")
    kept = marker.read_bytes()
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 0
    guarded.fairlead("on")
    marker.write_bytes(kept)
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 2


def test_a_folder_in_the_place_of_the_marker_changes_no_answer(guarded: Machine) -> None:
    (guarded.home / "state" / "off").mkdir(parents=True)
    assert guarded.hook(guarded.bash("ls")).returncode == 0
    assert guarded.hook(guarded.bash("rm -rf /")).returncode == 2
    assert guarded.fairlead("status").returncode in (0, 1)  # 1: it tells what is wrong


def test_a_time_that_makes_no_sense_is_wrong_usage(guarded: Machine) -> None:
    assert guarded.fairlead("off", "--for", "soon").returncode == 64
