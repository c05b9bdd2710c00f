from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairlead.packs.repository.commit_trees import files_below, store_of
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.limits import Budget, CannotTell


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *words], input=given, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def below(folder: Path, commit: str, *, most: int = 100) -> dict[bytes, bytes]:
    repository = find_repository(str(folder), Budget())
    assert repository is not None
    return dict(files_below(store_of(repository), bytes.fromhex(commit), b"policy", most=most))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "policy" / "hooks").mkdir(parents=True)
    (tmp_path / "policy" / "a.toml").write_text("a")
    (tmp_path / "policy" / "hooks" / "b.yaml").write_text("b")
    (tmp_path / "policy" / "link").symlink_to("/etc/passwd")
    (tmp_path / "other").write_text("c")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x")
    return tmp_path


def test_the_files_of_a_folder_come_with_their_paths_and_links_do_not(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    assert below(repository, head) == {b"a.toml": b"a", b"hooks/b.yaml": b"b"}


def test_more_than_so_many_files_are_not_read(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    with pytest.raises(CannotTell):
        below(repository, head, most=1)


def test_a_folder_that_a_commit_does_not_have_has_no_files(repository: Path) -> None:
    git(repository, "rm", "-rq", "policy")
    git(repository, "commit", "-qm", "y")
    assert below(repository, git(repository, "rev-parse", "HEAD")) == {}


@pytest.mark.parametrize("name", [b"..", b".", b"../../x", b"a/b"])
def test_a_name_that_leads_elsewhere_is_refused(repository: Path, name: bytes) -> None:
    """Git itself writes no such tree; somebody else can."""

    def tree(entry: bytes, found: str) -> str:
        content = entry + b"\0" + bytes.fromhex(found)
        return git(repository, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=content)

    blob = git(repository, "hash-object", "-w", "--stdin", given=b"x")
    top = tree(b"40000 policy", tree(b"100644 " + name, blob))
    commit = git(repository, "commit-tree", top, "-m", "x")
    with pytest.raises(CannotTell):
        below(repository, commit)
