"""Judging a call runs nothing of the repository that it is about."""

from pathlib import Path

import pytest

from fairlead.doors.hook.root import git_root
from fairlead.packs.judging.losses.git_state import Inquiry
from tests.git_traps import LINES, TRAPS, git, lay
from tests.unit.packs.guard_kit import judge, shell_event


@pytest.mark.parametrize("name", TRAPS)
def test_git_itself_springs_the_trap(name: str, tmp_path: Path) -> None:
    trap = TRAPS[name]
    scene = lay(trap, tmp_path)
    scene.mark.unlink(missing_ok=True)
    git(scene.root, *trap.springs, check=False)
    assert scene.mark.exists()


@pytest.mark.parametrize("name", TRAPS)
def test_law_13_no_judgement_and_no_search_for_the_root_springs_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = lay(TRAPS[name], tmp_path)
    scene.mark.unlink(missing_ok=True)
    (scene.root / "git").symlink_to(scene.script)
    monkeypatch.setenv("PATH", f".:{scene.root}")
    monkeypatch.chdir(scene.root)
    assert git_root(str(scene.root / "src")).startswith(str(tmp_path))
    for line in LINES:
        judge(shell_event(line, root=str(scene.root)), level="paranoid")
    for path in ("src/kept.py", "src/changed.py", "src", "new.txt", "cache", "sub", "."):
        Inquiry()(str(scene.root), [str(scene.root / path)])
    assert not scene.mark.exists()


def test_the_state_of_files_is_told_in_spite_of_what_would_run(tmp_path: Path) -> None:
    for name in ("a clean filter", "a file monitor", "a hook of the index", "a repository elsewhere"):
        root = lay(TRAPS[name], tmp_path / name).root
        assert [Inquiry()(str(root), [str(root / path)]) for path in ("src/kept.py", "new.txt", "cache")] == [
            "clean",
            "untracked",
            "ignored",
        ]


def test_a_folder_that_looks_like_a_bare_repository_belongs_to_the_repository_around_it(
    tmp_path: Path,
) -> None:
    root = lay(TRAPS["a folder that looks like a bare repository"], tmp_path).root
    git(root.parent, "add", "-A")
    git(root.parent, "commit", "-qm", "with a vendor")
    assert Inquiry()(str(root), [str(root / "kept.py")]) == "clean"
    (root / "kept.py").write_text("2\n")
    assert Inquiry()(str(root), [str(root / "kept.py")]) == "modified"
