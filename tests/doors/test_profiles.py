"""A script that was written for Gemini CLI, under its profile, as a user meets it at the command line."""

import json

import pytest

from kit import Machine

POLICY = """\
event: BeforeTool
middleware:
  - id: old-guard
    path: guard.sh
    type: safety
    profile: gemini
    matcher: run_shell_command|write_.*
"""
SCRIPT = """\
#!/bin/sh
read -r input
case $input in
  *'"tool_name": "run_shell_command"'*secret*) echo "secrets stay here" >&2; exit 2 ;;
  *oops*) exit 2 ;;
esac
"""


@pytest.fixture
def user(machine: Machine) -> Machine:
    folder = machine.user_policy(POLICY)
    (folder / "guard.sh").write_text(SCRIPT)
    (folder / "guard.sh").chmod(0o755)
    return machine


def test_it_guards_another_agent_as_it_guarded_its_own(user):
    reply = user.hook(user.bash("echo secret"), "claude", "PreToolUse")
    assert "secrets stay here" in json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert user.hook(user.bash("echo hello"), "claude", "PreToolUse").stdout == b""


def test_it_lets_pass_what_its_original_lets_pass(user):
    """Exit code 2 without a word: a block under our laws, nothing to Gemini CLI."""
    assert user.hook(user.bash("echo oops"), "claude", "PreToolUse").stdout == b""
    (call,) = user.journal()
    (outcome,) = [each for each in call["outcomes"] if each["hook"] == "old-guard"]
    assert (outcome["metrics"]["profile"], outcome["exit"]) == ("gemini", 2)


def test_it_is_shown_wherever_hooks_are(user):
    user.hook(user.bash("echo hello"), "claude", "PreToolUse")
    checked = user.fairlead("policy", "check")
    assert b"'old-guard' runs under the profile 'gemini'" in checked.stdout and checked.returncode == 0
    assert b"command as gemini" in user.fairlead("hooks", "list").stdout
    every = json.loads(user.fairlead("hooks", "list", "--json").stdout)
    (listed,) = [each for each in every if each["id"] == "old-guard"]
    assert listed["profile"] == "gemini"
    assert b"run as gemini would, not under Fairlead's laws" in user.fairlead("explain", "--last").stdout


def test_the_start_of_a_session_says_it_too(user):
    payload = {"session_id": "s", "cwd": str(user.project), "source": "startup"}
    reply = user.hook({**payload, "hook_event_name": "SessionStart"}, "claude", "SessionStart")
    assert b"'old-guard' runs under the profile 'gemini'" in reply.stderr


def test_who_trusts_a_project_is_shown_it(machine):
    folder = machine.project / ".fairlead" / "hooks" / "old"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(POLICY)
    (folder / "guard.sh").write_text(SCRIPT)
    (folder / "guard.sh").chmod(0o755)
    assert b"guard.sh, as gemini would" in machine.fairlead("trust", "--show").stdout


def test_the_doctor_mentions_it_and_does_not_mourn(user):
    done = user.fairlead("doctor", "--verbose", "--quick")
    (line,) = [one for one in done.stdout.splitlines() if b"runs under the profile 'gemini'" in one]
    assert not line.startswith(b"BAD"), line
