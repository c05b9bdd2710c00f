"""Files that were made to mislead the guard, to hold it up, or to get past it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.git_traps import git
from tests.unit.packs.guard_kit import judge, shell_event
from tests.unit.packs.project_files.project_kit import commit, put


def decision(root: Path, command: str) -> Decision:
    return judge(shell_event(command, root=str(root))).decision


@pytest.mark.parametrize(
    "content",
    [
        b"#!/bin/bash\r\nrm -rf ~\r\n",
        b"\xef\xbb\xbfrm -rf ~\n",
        b"\xff\xfe" + "rm -rf ~\n".encode("utf-16-le"),
        b"echo\nrm\0 -rf\0 ~\n",
        b"echo \xff\xfe\xfd\nrm -rf ~\n",
        b"echo " + b"x" * 200_000 + b"\nrm -rf ~\n",
        b"rm -rf ~",
    ],
)
def test_no_spelling_of_a_file_hides_what_is_in_it(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, "x.sh", "").write_bytes(content)
    assert decision(tmp_path, "bash x.sh") == Decision.BLOCK


def test_a_fifo_a_folder_and_a_device_hold_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "kernel").symlink_to("/proc/self/environ")
    for name in ("fifo", "folder", "zero", "kernel", "missing"):
        assert decision(tmp_path, f"bash {name}") == Decision.CONTINUE


def test_links_that_lead_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.sh").symlink_to("b.sh")
    (tmp_path / "b.sh").symlink_to("a.sh")
    assert decision(tmp_path, "bash a.sh") == Decision.CONTINUE


@pytest.mark.parametrize("text", [". ./x.sh\n", "bash x.sh\n", "source $0\n", "./x.sh & ./x.sh\n"])
def test_a_script_that_runs_itself_is_read_once(tmp_path: Path, text: str) -> None:
    put(tmp_path, "x.sh", f"#!/bin/bash\nnpm publish\n{text}")
    assert decision(tmp_path, "./x.sh").objects


def test_ten_thousand_files_are_not_all_read_and_what_was_read_counts(tmp_path: Path) -> None:
    for number in range(300):
        put(tmp_path, f"{number}.sh", "echo\n")
    put(tmp_path, "all.sh", "rm -rf ~\n" + "".join(f". ./{number % 300}.sh\n" for number in range(10_000)))
    assert decision(tmp_path, "bash all.sh") == Decision.BLOCK


def test_a_link_from_a_committed_name_to_a_written_file_counts_in_full(tmp_path: Path) -> None:
    commit(tmp_path, release_sh="echo\n")
    put(tmp_path, "evil.sh", "npm publish\n")
    (tmp_path / "release.sh").unlink()
    (tmp_path / "release.sh").symlink_to("evil.sh")
    assert decision(tmp_path, "bash release.sh") == Decision.ASK


def test_a_committed_link_to_a_file_that_was_written_counts_in_full(tmp_path: Path) -> None:
    put(tmp_path, "real.sh", "echo\n")
    (tmp_path / "link.sh").symlink_to("real.sh")
    commit(tmp_path)
    put(tmp_path, "real.sh", "npm publish\n")
    assert decision(tmp_path, "bash link.sh") == Decision.ASK


def test_a_folder_that_became_a_link_counts_in_full(tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "scripts/x.sh", "echo\n")
    commit(tmp_path)
    (tmp_path / "scripts").rename(tmp_path / "old")
    put(tmp_path, "other/x.sh", "npm publish\n")
    (tmp_path / "scripts").symlink_to("other")
    assert decision(tmp_path, "bash scripts/x.sh") == Decision.ASK


def test_the_name_of_a_committed_file_in_other_letters_is_another_file(tmp_path: Path) -> None:
    commit(tmp_path, release_sh="npm publish\n")
    put(tmp_path, "RELEASE.sh", "npm publish\n")
    assert decision(tmp_path, "bash release.sh") == Decision.CONTINUE
    assert decision(tmp_path, "bash RELEASE.sh") == Decision.ASK


def test_a_repository_made_inside_the_project_makes_nothing_the_persons_own(tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "tool/x.sh", "npm publish\n")
    git(tmp_path / "tool", "init", "-q")
    commit(tmp_path / "tool")
    assert decision(tmp_path, "bash tool/x.sh") == Decision.ASK


def test_a_file_named_like_a_secret_is_followed_if_something_in_it_would_run(tmp_path: Path) -> None:
    put(tmp_path, "deploy.pem", "A=1\nrm -rf ~\n")
    put(tmp_path, "values.env", 'TOKEN="$(rm -rf ~)"\n')
    assert decision(tmp_path, "bash deploy.pem") == Decision.BLOCK
    assert decision(tmp_path, ". ./values.env") == Decision.BLOCK


def test_the_values_of_a_secret_file_are_in_no_reason(tmp_path: Path) -> None:
    put(tmp_path, ".env", "HOST=production.internal\nPASSWORD=hunter2-hunter2\n")
    found = judge(shell_event('. ./.env; psql -h "$HOST" -c "DROP DATABASE x"', root=str(tmp_path)))
    assert found.decision.objects
    assert "hunter2" not in f"{found}"
    assert "production.internal" not in f"{found}"


def test_a_script_that_only_looks_like_our_own_program_is_followed(tmp_path: Path) -> None:
    text = "#!/usr/bin/python3\nimport sys, shutil\nfrom fairlead.__main__ import main\n"
    put(tmp_path, "tool", text + "shutil.rmtree('/home')\nsys.exit(main())\n")
    assert decision(tmp_path, "./tool status") == Decision.BLOCK


def test_a_forged_head_makes_nothing_committed(tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "x.sh", "npm publish\n")
    for forged in ("0" * 40, "ref: refs/heads/../../x", "ref: refs/heads/none", "nonsense"):
        (tmp_path / ".git/HEAD").write_text(f"{forged}\n")
        assert decision(tmp_path, "bash x.sh") == Decision.ASK


def test_a_project_behind_a_link_is_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairlead.packs.project_files.owners._BY_HAND", (f"{tmp_path}/opt/",))
    root = tmp_path / "opt" / "project"
    commit(root, release_sh="npm publish\n")
    put(root, "x.sh", "npm publish\n")
    (tmp_path / "work").symlink_to(root)
    assert decision(tmp_path / "work", "bash x.sh") == Decision.ASK
    assert decision(tmp_path / "work", "bash release.sh") == Decision.CONTINUE
