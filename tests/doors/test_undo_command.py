"""Undo from end to end: an agent's call passes, the file is gone, and the person has it back."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from kit import Machine


@pytest.fixture
def recovering(machine: Machine) -> Machine:
    folder = machine.home / "config" / "hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mode.yaml").write_text("recover: pass\n")
    (machine.project / "src").mkdir()
    (machine.project / "src" / "work.py").write_text("a day's work\n")
    return machine


def lost(machine: Machine) -> str:
    """The agent deletes the folder; the id of the save."""
    answer = machine.hook(machine.bash("rm -rf src"))
    assert (answer.returncode, answer.stdout) == (0, b"")
    shutil.rmtree(machine.project / "src")
    (saved,) = json.loads(ran(machine, "undo", "--list", "--json").stdout)
    return str(saved["id"])


def ran(machine: Machine, *words: str) -> subprocess.CompletedProcess[bytes]:
    answer: subprocess.CompletedProcess[bytes] = machine.fairlead(*words, cwd=machine.project)
    assert answer.returncode == 0, answer.stderr
    return answer


def test_the_last_loss_comes_back(recovering: Machine) -> None:
    lost(recovering)
    assert b"back    src/work.py" in ran(recovering, "undo").stdout
    assert (recovering.project / "src" / "work.py").read_text() == "a day's work\n"


def test_a_dry_run_and_a_diff_change_nothing(recovering: Machine) -> None:
    lost(recovering)
    assert b"back    src/work.py" in ran(recovering, "undo", "--dry-run").stdout
    assert b"+a day's work" in ran(recovering, "undo", "--diff").stdout
    assert not (recovering.project / "src").exists()


@pytest.mark.parametrize("words", [["--since", "10m"], ["--session", "s"], ["src/work.py"], ["src"]])
def test_a_loss_is_found_by_time_session_and_path(recovering: Machine, words: list[str]) -> None:
    id_ = lost(recovering)
    (row,) = json.loads(ran(recovering, "undo", "--list", "--json").stdout)
    words = [row["session"] if word == "s" else word for word in words]
    (brought,) = json.loads(ran(recovering, "undo", "--json", *words).stdout)
    assert brought["id"] == id_
    assert (recovering.project / "src" / "work.py").exists()


def test_it_can_be_put_elsewhere(recovering: Machine, tmp_path: Path) -> None:
    id_ = lost(recovering)
    ran(recovering, "undo", id_, "--to", str(tmp_path / "old"))
    assert (tmp_path / "old" / "src" / "work.py").read_text() == "a day's work\n"


def test_the_journal_and_explain_name_the_save(recovering: Machine) -> None:
    id_ = lost(recovering)
    outcomes = recovering.journal()[-1]["outcomes"]
    (guard,) = [each for each in outcomes if each["hook"] == "block-dangerous-commands"]
    assert guard["metrics"]["undo"] == id_
    assert f"fairlead undo {id_}".encode() in ran(recovering, "explain", "--last").stdout


def test_check_answers_the_same_and_saves_nothing(recovering: Machine) -> None:
    assert recovering.fairlead("check", "rm -rf src", cwd=recovering.project).returncode == 0
    assert json.loads(ran(recovering, "undo", "--list", "--json").stdout) == []


def test_without_the_word_in_the_policy_it_is_blocked_as_before(recovering: Machine) -> None:
    (recovering.home / "config" / "hooks" / "mode.yaml").unlink()
    assert recovering.hook(recovering.bash("rm -rf src")).returncode == 2
    assert json.loads(ran(recovering, "undo", "--list", "--all", "--json").stdout) == []


def test_a_project_that_is_not_trusted_cannot_turn_it_on(recovering: Machine) -> None:
    (recovering.home / "config" / "hooks" / "mode.yaml").unlink()
    folder = recovering.project / ".fairlead" / "hooks" / "mine"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "event: BeforeTool\nmiddleware:\n  - id: block-dangerous-commands\n    type: safety\n"
        "    config: {recoverable: pass, save: true}\n"
    )
    (recovering.project / ".fairlead" / "hooks" / "mode.yaml").write_text("recover: pass\n")
    assert recovering.hook(recovering.bash("rm -rf src")).returncode == 2
    assert recovering.hook(recovering.bash("echo x > src/work.py")).returncode == 0
    assert json.loads(ran(recovering, "undo", "--list", "--all", "--json").stdout) == []


@pytest.mark.parametrize(
    "command",
    [
        "undo prune",
        "undo --force",
        "undo --diff",
        "undo x --to /tmp/y",
        "--home x undo prune --yes",
        "--home x undo",
    ],
)
def test_an_agent_may_not_prune_replace_or_look_into_saves(recovering: Machine, command: str) -> None:
    assert recovering.hook(recovering.bash(f"fairlead {command}")).returncode == 2


@pytest.mark.parametrize("command", ["undo", "undo --list", "undo src/work.py", "undo --dry-run", "snapshot"])
def test_an_agent_may_bring_back_what_it_lost(recovering: Machine, command: str) -> None:
    assert recovering.hook(recovering.bash(f"fairlead {command}")).returncode == 0


def test_prune_needs_a_human(recovering: Machine) -> None:
    lost(recovering)
    assert recovering.fairlead("undo", "prune", "--yes", cwd=recovering.project).returncode == 1
    assert len(json.loads(ran(recovering, "undo", "--list", "--json").stdout)) == 1


def test_doctor_tells_size_age_and_broken_saves(recovering: Machine) -> None:
    lost(recovering)
    assert [row["what"][:6] for row in undo_rows(recovering)] == ["1 save"]
    (manifest,) = (recovering.home / "state" / "undo" / "saves").glob("*/manifest.json")
    manifest.write_text("{")
    assert any("is broken" in row["what"] for row in undo_rows(recovering))


def undo_rows(machine: Machine) -> list[dict[str, str]]:
    rows = json.loads(machine.fairlead("doctor", "--json").stdout)
    return [row for row in rows if row["id"] == "undo"]


def test_install_recover_writes_one_line_of_policy(machine: Machine) -> None:
    home = {"HOME": str(machine.home)}  # where the agent's own settings lie
    answer = machine.fairlead("install", "claude", "--recover", "--in-place", environment=home)
    assert answer.returncode == 0, answer.stderr
    assert "recover: pass" in (machine.home / "config" / "hooks" / "mode.yaml").read_text()


def test_a_snapshot_brings_the_work_of_a_project_back(machine: Machine) -> None:
    (machine.project / "work.py").write_text("work\n")
    id_ = ran(machine, "snapshot", "-m", "before").stdout.decode().strip()
    (machine.project / "work.py").unlink()
    ran(machine, "undo", id_)
    assert (machine.project / "work.py").read_text() == "work\n"
