"""A home and a project for trees and archives that are laid over them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.hook import Outcome
from fairlead.packs.judging import call_effects as call
from tests.unit.packs.guard_kit import judge, shell_event

HARMFUL = (
    ".local/state/fairlead/off",
    ".config/fairlead/hooks/a/hook.meta.yaml",
    ".bashrc",
    ".claude/settings.json",
    ".config/git/hooks/pre-commit",
    ".ssh/id_ed25519",
)
"""Each of them, laid over a home, switches the guard off, runs later or replaces a key."""
HARMLESS = (".config/myapp/theme.json", ".local/share/fonts/a.ttf", "notes/today.txt", ".local/bin/mytool")
OVER_PROJECT = (
    ".claude/settings.json",
    ".fairlead/hooks/a/hook.meta.yaml",
    ".git/hooks/pre-commit",
    ".git/config",
)
SOURCES = (
    "src/app/main.py",
    "README.md",
    ".gitignore",
    "docs/guide.md",
    "tests/data/server.key",
    ".env.example",
)


class Place:
    """A home with a project in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home" / "someone"
        self.project = self.home / "project"

    def judge(self, line: str, *, cwd: str = "", **config: object) -> Outcome:
        return judge(shell_event(line, root=str(self.project), cwd=cwd), **config)

    def decide(self, line: str, **config: object) -> Decision:
        return self.judge(line, **config).decision

    def tree(self, name: str, names: Iterable[str]) -> Path:
        for each in names:
            path = self.project / name / each
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
        return self.project / name

    def tar(self, name: str, names: Iterable[str], mode: str = "w") -> Path:
        with tarfile.open(self.project / name, mode) as archive:  # type: ignore[call-overload]
            for each in names:
                archive.addfile(tarfile.TarInfo(each), io.BytesIO())
        return self.project / name

    def zip(self, name: str, names: Iterable[str]) -> Path:
        with zipfile.ZipFile(self.project / name, "w") as archive:
            for each in names:
                archive.writestr(each, "x")
        return self.project / name

    def patch(self, name: str, names: Iterable[str]) -> Path:
        texts = [f"--- a/{each}\n+++ b/{each}\n@@ -1 +1 @@\n-a\n+b\n" for each in names]
        (self.project / name).write_text("".join(texts))
        return self.project / name


def make_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The folder of a test is a temporary one; here it is to count as a home."""
    place = Place(folder)
    (place.project / ".git" / "hooks").mkdir(parents=True)
    (place.project / "src" / "app").mkdir(parents=True)
    for each in (".config", ".local/bin", ".local/share", ".local/state", ".claude", "backup", "tools"):
        (place.home / each).mkdir(parents=True)
    home = str(place.home)
    monkeypatch.setattr(call, "home_of_user", lambda: home)
    monkeypatch.setattr("fairlead.shell.places.targets._TEMPORARY", ("/scratch",))
    return place
