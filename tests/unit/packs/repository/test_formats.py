"""What git writes is read in every form that git gives it."""

import os
from pathlib import Path

import pytest

from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.repository.states import CLEAN, IGNORED, MODIFIED, OUTSIDE, UNKNOWN, UNTRACKED
from tests.git_traps import git, make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_project(tmp_path / "project")
    return tmp_path / "project"


def states(root: Path, *paths: str) -> list[str]:
    return [Inquiry()(str(root), [str(root / path)]) for path in paths]


FILES = ("src/kept.py", "src/changed.py", "new.txt", "cache", "src")
EXPECTED = [CLEAN, MODIFIED, UNTRACKED, IGNORED, MODIFIED]


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_each_version_of_the_index_is_read(project: Path, version: str) -> None:
    git(project, "update-index", "--index-version", version)
    if version == "3":
        git(project, "update-index", "--skip-worktree", "notes.txt")
    assert (project / ".git/index").read_bytes()[7] == int(version)
    assert states(project, *FILES, "notes.txt") == [*EXPECTED, CLEAN]


def test_names_longer_than_their_field_are_read(project: Path) -> None:
    folder = "/".join(["d" * 200] * 15)
    (project / folder).mkdir(parents=True)
    for name in ("a" * 250, "b" * 250 + "x" * 5):
        (project / folder / name).write_text("1\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "long")
    assert states(project, f"{folder}/{'a' * 250}", *FILES[:1]) == [CLEAN, CLEAN]


def test_a_repository_with_longer_names_of_objects_is_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", str(tmp_path / "project"))
    make_project(tmp_path / "project")
    assert states(tmp_path / "project", *FILES) == EXPECTED


def test_a_commit_in_a_pack_is_read_through_its_deltas(project: Path) -> None:
    for number in range(30):
        (project / f"src/m{number}.py").write_text(f"{number}\n" * 50)
        git(project, "add", f"src/m{number}.py")
        git(project, "commit", "-qm", str(number))
    git(project, "gc", "-q")
    git(project, "add", "new.txt")
    assert not list((project / ".git/objects").glob("??/*"))[5:]
    assert states(project, "src/m3.py", "src/kept.py", "new.txt") == [CLEAN, CLEAN, MODIFIED]


def test_what_is_added_and_not_committed_counts_as_changed(project: Path) -> None:
    git(project, "add", "new.txt", "src/changed.py")
    git(project, "add", "-f", "-N", "cache/x")
    assert states(project, "new.txt", "src/changed.py", "src/kept.py", "cache/x", "cache") == [
        MODIFIED,
        MODIFIED,
        CLEAN,
        MODIFIED,
        MODIFIED,
    ]


def test_a_tree_that_was_written_and_not_committed_does_not_count(project: Path) -> None:
    git(project, "add", "new.txt")
    git(project, "write-tree")
    assert states(project, "new.txt", "src/kept.py") == [MODIFIED, CLEAN]


def test_before_the_first_commit_everything_is_uncommitted(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("1")
    assert states(tmp_path, "a") == [UNTRACKED]
    git(tmp_path, "add", "a")
    assert states(tmp_path, "a", "b") == [MODIFIED, UNTRACKED]


def test_a_change_that_keeps_every_mark_but_the_time_of_the_change_is_seen(project: Path) -> None:
    path = project / "src/kept.py"
    git(project, "update-index", "-q", "--refresh", check=False)
    before = path.stat()
    path.write_text("9\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert states(project, "src/kept.py") == [MODIFIED]


def test_a_file_that_git_was_told_to_take_as_unchanged_is_looked_at(project: Path) -> None:
    git(project, "update-index", "--assume-unchanged", "src/changed.py")
    assert states(project, "src/changed.py") == [MODIFIED]


def test_other_line_ends_are_no_change(project: Path) -> None:
    (project / "src/kept.py").write_bytes(b"1\r\n")
    assert states(project, "src/kept.py") == [CLEAN]


def test_a_link_counts_by_where_it_leads_and_is_not_followed(project: Path) -> None:
    (project / "link").symlink_to("src")
    git(project, "add", "link")
    git(project, "commit", "-qm", "a link")
    assert states(project, "link") == [CLEAN]
    (project / "link").unlink()
    (project / "link").symlink_to("/etc")
    assert states(project, "link") == [MODIFIED]


def test_what_is_gone_already_is_not_lost_again(project: Path) -> None:
    (project / "src/changed.py").unlink()
    assert states(project, "src") == [CLEAN]


def test_a_linked_work_tree_has_an_index_of_its_own(project: Path) -> None:
    tree = project.parent / "tree"
    git(project, "worktree", "add", "-q", str(tree))
    (tree / "notes.txt").write_text("2\n")
    assert states(tree, "src", "notes.txt") == [CLEAN, MODIFIED]
    assert states(project, "notes.txt") == [CLEAN]


def test_a_repository_that_borrows_objects_is_read(project: Path) -> None:
    clone = project.parent / "clone"
    git(project, "clone", "-q", "--shared", str(project), str(clone))
    (clone / "b").write_text("")
    git(clone, "add", "b")
    assert states(clone, "src", "b") == [CLEAN, MODIFIED]


def test_a_module_is_asked_itself_and_a_nested_repository_counts_as_lost(project: Path) -> None:
    other = project.parent / "other"
    make_project(other)
    git(other, "reset", "-q", "--hard")
    allowed = ("-c", "protocol.file.allow=always")
    git(project, *allowed, "submodule", "add", "-q", str(other), "lib/sub")
    git(project, "commit", "-qm", "with a module")
    assert states(project, "lib", "lib/sub/src/kept.py", "lib/sub") == [CLEAN, CLEAN, UNTRACKED]
    (project / "lib/sub/draft").write_text("1")
    assert states(project, "lib", "lib/sub/draft") == [UNTRACKED, UNTRACKED]
    git(project, "init", "-q", str(project / "tool/inner"))
    assert states(project, "tool", "tool/inner/x", "cache") == [UNTRACKED, "missing", IGNORED]


def test_a_sparse_index_tells_only_of_the_files_that_it_lists(project: Path) -> None:
    for name in ("far/a/x", "far/b/y"):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text("1\n")
    git(project, "add", "far")
    git(project, "commit", "-qm", "far")
    git(project, "sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert states(project, "src/kept.py", "notes.txt") == [CLEAN, CLEAN]
    (project / "far").mkdir()
    (project / "far/new").write_text("1")
    assert states(project, "far/new", "far") == [UNKNOWN, UNKNOWN]


def test_a_repository_whose_branches_are_in_a_table_is_told_by_the_tree_of_the_index(project: Path) -> None:
    git(project, "config", "core.repositoryformatversion", "1")
    with (project / ".git/config").open("a") as config:
        config.write("[extensions]\n\trefStorage = reftable\n")
    assert states(project, *FILES) == EXPECTED


def test_without_a_repository_there_is_nothing_to_ask(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / ".git").mkdir()
    assert states(tmp_path, "a") == [OUTSIDE]


def test_a_name_with_wildcard_signs_stands_for_itself(project: Path) -> None:
    from fairlead.packs.repository.disk_matches import literal

    for name in ("app/[id]/page.tsx", "app/*", "app/a!(b)", "app/q?\\["):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("1")
        assert Inquiry()(str(project), [literal(str(project / name))]) == UNTRACKED
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    (project / "app/other").write_text("1")
    assert Inquiry()(str(project), [literal(str(project / "app/*"))]) == CLEAN
    assert Inquiry()(str(project), [f"{project}/app/*"]) == UNTRACKED
    assert Inquiry()(str(project), [f"{project}/app/!(x)"]) == UNTRACKED


def test_a_persons_own_list_of_ignored_files_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = project.parent / "home"
    (home / ".config/git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (home / ".config/git/ignore").write_text("new.*\n")
    assert states(project, "new.txt") == [IGNORED]
    (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine ; a comment\n")
    assert states(project, "new.txt") == [UNTRACKED]
    (home / "mine").write_text("/new.txt\n")
    assert states(project, "new.txt") == [IGNORED]
