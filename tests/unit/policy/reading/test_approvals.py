"""`approve:` of policy files: one list for a call, from the person and from whom the person trusts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairlead import load_system
from fairlead.model.decision import Decision
from fairlead.policy.layering.trust import trust
from fairlead.policy.places import find_places
from fairlead.policy_system import PolicySystem
from fairlead.testing import shell_event


@pytest.fixture
def home(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return tmp_path / "home"


def policy(folder: Path, text: str, name: str = "mine") -> None:
    place = folder / "hooks" / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "hook.meta.yaml").write_text(f"event: PreToolUse\n{text}\n")


def opened(home: Path, *, journal: bool = False) -> PolicySystem:
    return load_system(home=str(home), root=str(home.parent / "project"), journal=journal)


def said(home: Path, line: str) -> Decision:
    root = str(home.parent / "project")
    with opened(home) as system:
        return system.fire(shell_event(line, root=root, cwd=root)).decision


def problems(home: Path) -> list[str]:
    with opened(home) as system:
        return [problem.message for problem in system.problems]


def test_law_3_nothing_is_approved_that_nobody_listed(home: Path) -> None:
    assert said(home, "git status") is Decision.CONTINUE


def test_lists_of_several_files_are_one(home: Path) -> None:
    policy(home / "config", "approve: [starter/git]", "one")
    policy(home / "config", 'approve: ["echo *"]', "two")
    assert said(home, "git status && echo done") is Decision.APPROVE
    assert said(home, "git status && echo done && ls") is Decision.CONTINUE


def test_the_hook_without_a_list_means_what_only_reads(home: Path) -> None:
    policy(home / "config", "middleware: [{id: approve-safe-operations}]")
    assert said(home, "git status && ls") is Decision.APPROVE
    assert said(home, "git add -A") is Decision.CONTINUE
    policy(home / "config", 'approve: ["git add *"]', "two")
    assert said(home, "git add -A && ls") is Decision.APPROVE


def test_the_config_of_the_hook_is_heeded(home: Path) -> None:
    policy(home / "config", 'middleware: [{id: approve-safe-operations, config: {commands: ["echo *"]}}]')
    assert said(home, "echo x") is Decision.APPROVE
    assert said(home, "ls") is Decision.CONTINUE


def test_law_9_an_untrusted_project_approves_nothing_and_a_trusted_one_what_it_lists(home: Path) -> None:
    project = home.parent / "project"
    policy(project / ".fairlead", 'approve: ["echo *"]')
    assert said(home, "echo x") is Decision.CONTINUE
    assert problems(home) == ["`approve: echo *` is not heeded: this project is not trusted"]
    trust(find_places(str(home)), str(project))
    assert said(home, "echo x") is Decision.APPROVE


def test_whoever_turned_the_hook_off_has_the_last_word(home: Path) -> None:
    policy(home / "config", 'approve: ["echo *"]', "one")
    policy(home / "config", "middleware: [{id: approve-safe-operations, enabled: false}]", "two")
    assert said(home, "echo x") is Decision.CONTINUE
    assert problems(home) == ["`approve` is not heeded"] * 1


def test_an_item_that_means_nothing_blocks_with_its_place(home: Path) -> None:
    policy(home / "config", "approve: [starter/cobol]")
    assert said(home, "echo x") is Decision.BLOCK
    policy(home / "config", "approve: [3]")
    assert said(home, "echo x") is Decision.BLOCK
    assert "an item of `approve` is a command" in problems(home)


def test_law_4_a_block_and_a_question_are_stronger(home: Path) -> None:
    rules = '[{id: ask-first, program: echo, decision: ask, stops: ["echo x"]}]'
    policy(home / "config", f'approve: ["echo *"]\nrules: {rules}')
    assert said(home, "echo x") is Decision.ASK


def test_audit_of_everything_leaves_what_a_person_listed(home: Path) -> None:
    policy(home / "config", 'approve: ["echo *"]')
    (home / "config" / "hooks" / "mode.yaml").write_text("mode: audit\n")
    assert said(home, "echo x") is Decision.APPROVE
    assert said(home, "git push --force origin main") is Decision.CONTINUE


def test_law_8_without_a_record_there_is_no_approval(home: Path) -> None:
    policy(home / "config", 'approve: ["echo *"]')
    root = str(home.parent / "project")
    with opened(home, journal=True) as system:
        assert system.fire(shell_event("echo x", root=root, cwd=root)).decision is Decision.APPROVE
    journal = home / "state" / "journal"
    for file in journal.iterdir():
        file.unlink()
    journal.rmdir()
    journal.write_text("in the way")
    with opened(home, journal=True) as system:
        assert system.fire(shell_event("echo x", root=root, cwd=root)).decision is Decision.ASK
