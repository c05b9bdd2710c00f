"""Where the state of work cannot be told, it counts as uncommitted, and nothing waits."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.repository.limits import Budget
from fairlead.packs.repository.states import CLEAN, UNKNOWN, UNTRACKED
from tests.git_traps import git, make_project
from tests.unit.packs.guard_kit import judge, shell_event


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_project(tmp_path / "project")
    return tmp_path / "project"


def state(root: Path, path: str, **bounds: float) -> str:
    budget = Budget(**bounds) if bounds else None  # type: ignore[arg-type]
    return Inquiry(budget)(str(root), [str(root / path)])


def _configured(text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        with (root / ".git/config").open("a") as config:
            config.write(text)

    return change


def _replaced(name: str, made: Callable[[Path], object]) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / name).unlink(missing_ok=True)
        made(root / name)

    return change


def _split(root: Path) -> None:
    git(root, "update-index", "--split-index")


def _cut(root: Path) -> None:
    index = root / ".git/index"
    index.write_bytes(index.read_bytes()[:150])


def _unfetched(root: Path) -> None:
    """The tree of the commit is not here, and the index has one change more."""
    git(root, "add", "new.txt")
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()


UNREADABLE = {
    "an unknown format": _configured("[core]\n\trepositoryformatversion = 99\n"),
    "an unknown extension": _configured("[extensions]\n\tnoSuchThing = true\n"),
    "another work tree": _configured("[core]\n\tworktree = /\n"),
    "no work tree": _configured("[core]\n\tbare = true\n"),
    "an index that is a FIFO": _replaced(".git/index", os.mkfifo),
    "an index that is a folder": _replaced(".git/index", Path.mkdir),
    "an index that is a device": _replaced(".git/index", lambda path: path.symlink_to("/dev/zero")),
    "an index that is a loop": _replaced(".git/index", lambda path: path.symlink_to("index")),
    "an index of rubbish": _replaced(".git/index", lambda path: path.write_bytes(b"DIRC" + b"\xff" * 99)),
    "settings that are a FIFO": _replaced(".git/config", os.mkfifo),
    "a HEAD that is a FIFO": _replaced(".git/HEAD", os.mkfifo),
    "a HEAD that leads out": _replaced(
        ".git/HEAD", lambda path: path.write_text("ref: refs/../../../etc/passwd\n")
    ),
    "a split index": _split,
    "a cut index": _cut,
    "a commit without its tree": _unfetched,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_deletion_in_a_repository_that_cannot_be_read_is_asked_about(name: str, project: Path) -> None:
    UNREADABLE[name](project)
    assert state(project, "src/kept.py") == UNKNOWN
    outcome = judge(shell_event("rm src/kept.py", root=str(project)))
    assert (outcome.decision, outcome.rule) == (Decision.ASK, "filesystem/delete-undecided-work")
    assert judge(shell_event("rm -rf src", root=str(project))).decision is Decision.BLOCK
    assert judge(shell_event("rm -rf node_modules", root=str(project))).decision is Decision.CONTINUE
    assert judge(shell_event("rm gone.txt", root=str(project))).decision is Decision.CONTINUE


@pytest.mark.parametrize("made", [os.mkfifo, Path.mkdir])
def test_an_ignore_list_that_is_no_file_makes_only_unknown_files_undecided(
    project: Path, made: Callable[[Path], None]
) -> None:
    (project / ".gitignore").unlink()
    made(project / ".gitignore")
    assert [state(project, path) for path in ("src/kept.py", "new.txt")] == [CLEAN, UNKNOWN]
    assert judge(shell_event("rm new.txt", root=str(project))).decision is Decision.ASK


def test_an_ignore_list_that_is_a_link_is_none_as_for_git(project: Path) -> None:
    (project / ".gitignore").rename(project / "src/list")
    (project / ".gitignore").symlink_to("src/list")
    assert state(project, "cache") == UNTRACKED


@pytest.mark.parametrize("bounds", [{"seconds": -1}, {"steps": 0}, {"size": 64}])
def test_what_takes_too_long_is_undecided(project: Path, bounds: dict[str, float]) -> None:
    assert state(project, "src", **bounds) == UNKNOWN


def test_all_questions_of_one_judgement_share_its_bounds(project: Path) -> None:
    asked = Inquiry(Budget(steps=40))
    found = [asked(str(project), [str(project / "src" / "kept.py"), f"{project}/n{n}*"]) for n in range(40)]
    assert found[0] == CLEAN and found[-1] == UNKNOWN


@pytest.mark.parametrize(
    "pattern",
    [
        "*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
        "**/" * 40 + "b",
        "[[:alpha:]]" * 300 + "*" * 300 + "b",
        "?*" * 120 + "b",
    ],
)
def test_no_ignore_pattern_holds_the_guard_up(project: Path, pattern: str) -> None:
    (project / ".gitignore").write_text(f"{pattern}\n" * 50)
    (project / ("a" * 250)).write_text("1")
    assert state(project, "a" * 250) == UNTRACKED


def test_links_that_lead_round_are_not_entered(project: Path) -> None:
    for name in ("one", "two", "three"):
        (project / f"src/{name}").symlink_to(".")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "links")
    assert Inquiry()(str(project), [f"{project}/src/**/*.zzz"]) == "missing"
    assert state(project, "src") == CLEAN
