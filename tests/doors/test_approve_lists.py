"""`approve:` from end to end: what Claude Code is told, and what `check --approve` says of a line."""

from __future__ import annotations

import json

import pytest

from kit import Machine

LIST = 'event: PreToolUse\napprove: [starter/read-only, "git add *"]\n'


@pytest.fixture
def listed(machine: Machine) -> Machine:
    machine.user_policy(LIST)
    return machine


def test_the_agent_does_not_ask_about_what_is_listed_and_does_about_the_rest(listed: Machine) -> None:
    said = json.loads(listed.hook(listed.bash("ls && git add -A")).stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "allow"
    assert listed.hook(listed.bash("ls && git commit -m x")).stdout == b""
    assert listed.hook(listed.bash("ls && git push --force origin main")).returncode == 2
    assert [line["verdict"]["decision"] for line in listed.journal()] == ["approve", "continue", "block"]


def test_check_names_the_part_that_keeps_a_line_from_being_approved(listed: Machine) -> None:
    assert listed.fairlead("check", "--approve", "ls && git add -A").returncode == 0
    answer = listed.fairlead("check", "--approve", "FOO=1 ls && make > out.txt")
    assert answer.returncode == 1
    shown = answer.stdout.decode()
    assert "`ls`: it sets FOO" in shown
    assert "`make`: it is not listed" in shown
    assert "`> out.txt` writes" in shown
    found = json.loads(listed.fairlead("check", "--approve", "make", "--json").stdout)
    assert not found["approved"] and found["obstacles"][0]["why"] == "it is not listed"


def test_check_says_where_nothing_is_listed(machine: Machine) -> None:
    answer = machine.fairlead("check", "--approve", "ls")
    assert answer.returncode == 1 and b"no policy here has `approve" in answer.stdout


def test_law_9_trust_shows_what_a_project_would_approve(machine: Machine) -> None:
    folder = machine.project / ".fairlead" / "hooks" / "own"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(LIST)
    assert machine.hook(machine.bash("ls")).stdout == b""
    shown = machine.fairlead("trust", "--show").stdout.decode()
    assert "approves  git add *" in shown
