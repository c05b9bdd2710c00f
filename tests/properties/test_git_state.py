"""Our reading of a repository against git's own, on repositories made at random."""

import os
import random
from pathlib import Path

import pytest

from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.repository.states import CLEAN, IGNORED, MODIFIED, UNTRACKED
from tests.git_traps import git

_NAMES = ("a", "b", "ab", "abc", "x.py", "y.o", "build", "out", "a b", "ä", "-q", ".h", "a.txt", "foo.bar")
_PATTERNS = (
    "*", "*.o", "*.py", "build", "build/", "/build", "a/", "a/b", "/a/*", "!a/b", "**/x.py", "a/**", "a/**/b",
    "!*.py", "[ab]", "[!a]*", "?", "??", "[[:alpha:]]", "a\\ b", "a b ", "out/", "!out/", "/*", "!/a/", "**",
    "*b*", "a*c", "[a-c]*", "foo.*", "# c", "", "\\#x", "!/build", "b/**/", "**/b/", "*/a", "a/*/b", "*.[oO]",
    "ab*c*", "[^a]", "[]a]", "[a", "\\", "x.py/", "**/", "[z-a]", "[b-]", "[[:bogus:]]",
)  # fmt: skip


class _Maker:
    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        sha256 = ["--object-format=sha256"] if self.chance.random() < 0.2 else []
        git(root.parent, "init", "-q", *sha256, str(root))

    def make(self) -> None:
        maybe = self.chance.random
        self.write_files(10)
        git(self.root, "config", "index.version", self.chance.choice("234"))
        if maybe() < 0.8:
            git(self.root, "add", "-A")
        if maybe() < 0.8:
            git(self.root, "commit", "-qm", "first", "--allow-empty")
        if maybe() < 0.3:
            git(self.root, "gc", "-q")
        for folder in (self.root, *(path for path in self.files() if path.is_dir())):
            if maybe() < 0.5:
                (folder / ".gitignore").write_text(self.patterns())
        (self.root / ".git/info/exclude").write_text(self.patterns() if maybe() < 0.4 else "")
        self.write_files(5)
        for path in self.files():
            self.change(path)

    def write_files(self, most: int) -> None:
        for _ in range(self.chance.randint(1, most)):
            path = self.root.joinpath(*(self.chance.choice(_NAMES) for _ in range(self.chance.randint(1, 4))))
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{self.chance.randint(0, 3)}\n")
            except OSError:
                continue  # a file stands where the folder would, or the other way round

    def patterns(self) -> str:
        return "\n".join(self.chance.choice(_PATTERNS) for _ in range(self.chance.randint(1, 5)))

    def files(self) -> list[Path]:
        return sorted(
            path for path in self.root.rglob("*") if ".git" not in path.relative_to(self.root).parts
        )

    def change(self, path: Path) -> None:
        if path.is_dir():
            return
        kind = self.chance.randrange(20)
        if kind < 2:
            path.write_text("changed\n")
        elif kind < 6:
            words = (["add", "-f"], ["rm", "-qf", "--cached"], ["add", "-fN"], ["add", "-f"])[kind - 2]
            git(self.root, *words, "--", str(path), check=False)
        elif kind == 6:
            os.utime(path, (1, 1))
        elif kind == 7:
            path.unlink()


def _told_by_git(root: Path) -> dict[str, set[str]]:
    marks: dict[str, set[str]] = {}
    lines = git(root, "status", "--porcelain", "-z", "--ignored=matching", "-uall", "--no-renames").split(
        "\0"
    )
    for line in filter(None, lines):
        marks.setdefault(line[3:], set()).add(line[:2])
    return marks


def _expected(marks: dict[str, set[str]], path: str) -> set[str]:
    """Several where git names a file as deleted from the index and its folder as ignored."""
    names = path.split("/")
    above = ["/".join(names[:depth]) + "/" for depth in range(1, len(names))]
    found = set().union(*(marks.get(each, set()) for each in (path, *above)))
    words = {"??": UNTRACKED, "!!": IGNORED, "D ": IGNORED}
    return {words.get(mark, MODIFIED) for mark in found} or {CLEAN}


@pytest.mark.parametrize("seed", range(12))
def test_every_file_has_the_state_that_git_gives_it(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "project"
    maker = _Maker(root, seed)
    maker.make()
    marks = _told_by_git(root)
    files = [path for path in maker.files() if not path.is_dir()]
    found = {str(path.relative_to(root)): Inquiry()(str(root), [str(path)]) for path in files}
    assert files
    assert {path: state for path, state in found.items() if state not in _expected(marks, path)} == {}
