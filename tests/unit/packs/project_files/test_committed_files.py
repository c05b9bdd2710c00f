"""A file is the person's own work if the last commit has exactly its content at exactly its path."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from fairlead.packs.project_files import committed_files
from fairlead.packs.project_files.committed_files import CommittedFiles, still_at
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.last_commit import head_commit
from fairlead.packs.repository.limits import Budget
from tests.git_traps import git

SCRIPT = "echo built\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "scripts").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "scripts/build.sh").write_text(SCRIPT)
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "work")


def is_committed(path: Path, root: Path) -> bool:
    return CommittedFiles(str(root)).has(str(path), os.path.realpath(path), path.read_bytes())


def test_what_the_last_commit_holds_is_committed(project: Path) -> None:
    assert is_committed(project / "scripts/build.sh", project)


def test_a_changed_file_is_not(project: Path) -> None:
    (project / "scripts/build.sh").write_text("echo other\n")
    assert not is_committed(project / "scripts/build.sh", project)


def test_a_staged_file_is_not_until_it_is_committed(project: Path) -> None:
    path = project / "scripts/new.sh"
    path.write_text(SCRIPT)
    assert not is_committed(path, project)
    git(project, "add", "-A")
    assert not is_committed(path, project)
    git(project, "commit", "-q", "-m", "more")
    assert is_committed(path, project)


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_the_index_cannot_say_that_a_changed_file_is_unchanged(project: Path, bit: str) -> None:
    git(project, "update-index", bit, "scripts/build.sh")
    (project / "scripts/build.sh").write_text("echo other\n")
    assert not is_committed(project / "scripts/build.sh", project)


def test_marks_on_the_disk_do_not_count(project: Path) -> None:
    path = project / "scripts/build.sh"
    before = path.stat()
    path.write_text("echo evil!\n"[: len(SCRIPT)])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not is_committed(path, project)


def test_the_content_of_one_file_under_the_name_of_another_is_not_committed(project: Path) -> None:
    (project / "scripts/test.sh").write_text("echo tested\n")
    commit(project)
    shutil.copy(project / "scripts/build.sh", project / "scripts/test.sh")
    assert not is_committed(project / "scripts/test.sh", project)


def test_packed_objects_and_references_are_read_as_well(project: Path) -> None:
    for number in range(3):
        (project / f"scripts/{number}.sh").write_text(f"echo {number}\n" * 50)
        commit(project)
    git(project, "gc", "-q")
    git(project, "pack-refs", "--all")
    assert is_committed(project / "scripts/build.sh", project)
    assert is_committed(project / "scripts/2.sh", project)


def test_no_repository_means_not_committed(tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text(SCRIPT)
    assert not is_committed(tmp_path / "x.sh", tmp_path)


def test_a_repository_without_a_commit_vouches_for_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "x.sh").write_text(SCRIPT)
    git(tmp_path, "add", "-A")
    assert not is_committed(tmp_path / "x.sh", tmp_path)


def test_line_ends_of_windows_may_differ(project: Path) -> None:
    (project / "scripts/build.sh").write_bytes(SCRIPT.replace("\n", "\r\n").encode())
    assert is_committed(project / "scripts/build.sh", project)


def test_a_repository_inside_the_project_vouches_for_nothing(project: Path) -> None:
    """Anybody can make one and commit to it."""
    inner = project / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "x.sh").write_text(SCRIPT)
    commit(inner)
    assert not is_committed(inner / "x.sh", project)
    assert is_committed(inner / "x.sh", inner)


def test_a_module_counts_at_the_commit_that_the_project_has_of_it(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "x.sh").write_text(SCRIPT)
    commit(other)
    git(project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "module")
    inner = project / "module/x.sh"
    assert not is_committed(inner, project)
    commit(project)
    assert is_committed(inner, project)
    inner.write_text("echo evil\n")
    commit(project / "module")
    assert not is_committed(inner, project)


def test_a_linked_work_tree_in_the_project_is_the_same_repository(project: Path) -> None:
    git(project, "worktree", "add", "-q", "trees/side")
    assert is_committed(project / "trees/side/scripts/build.sh", project)


def test_a_temporary_repository_vouches_only_for_itself(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(project, elsewhere)
    monkeypatch.setattr(committed_files, "_TEMPORARY", ("/somewhere/else/",))
    assert is_committed(elsewhere / "scripts/build.sh", project)
    monkeypatch.setattr(committed_files, "_TEMPORARY", (f"{tmp_path}/",))
    assert not is_committed(elsewhere / "scripts/build.sh", project)
    assert is_committed(elsewhere / "scripts/build.sh", elsewhere)


def test_a_link_from_a_committed_name_to_another_file_is_not_committed(project: Path) -> None:
    (project / "scripts/clean.sh").write_text("rm -rf build\n")
    commit(project)
    (project / "scripts/build.sh").unlink()
    (project / "scripts/build.sh").symlink_to("clean.sh")
    assert not is_committed(project / "scripts/build.sh", project)
    commit(project)
    assert is_committed(project / "scripts/build.sh", project)


def test_a_link_of_a_folder_must_be_committed_too(project: Path) -> None:
    (project / "tools").symlink_to("scripts")
    assert not is_committed(project / "tools/build.sh", project)
    commit(project)
    assert is_committed(project / "tools/build.sh", project)


def test_an_object_that_is_not_what_its_name_says_vouches_for_nothing(project: Path) -> None:
    import zlib

    for path in (project / ".git/objects").glob("??/*"):
        data = zlib.decompress(path.read_bytes())
        if data.startswith(b"tree") and b"build.sh" in data:
            path.chmod(0o644)
            path.write_bytes(zlib.compress(data.replace(b"build.sh", b"evil0.sh")))
    (project / "scripts/evil0.sh").write_text(SCRIPT)
    assert not is_committed(project / "scripts/evil0.sh", project)


def test_a_repository_is_still_at_its_commit_until_there_is_another(project: Path) -> None:
    committed = CommittedFiles(str(project))
    path = str(project / "scripts/build.sh")
    assert committed.has(path, path, SCRIPT.encode())
    (head,) = committed.heads.values()
    assert still_at(head)
    (project / "new").write_text("")
    commit(project)
    assert not still_at(head)


def test_the_head_of_a_repository_is_the_commit_that_git_names(project: Path) -> None:
    repository = find_repository(str(project), Budget())
    assert repository is not None
    assert head_commit(repository, Budget()).hex() == git(project, "rev-parse", "HEAD").strip()
