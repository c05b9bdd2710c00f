"""An option that would change nothing beside the others is an error, not a silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fairlead.doors.cli.main import fairlead
from fairlead.errors import UsageError

REFUSED = [
    ("approve --for 1h", "--for changes nothing here"),
    ("approve --yes", "--yes changes nothing here"),
    ("approve 3f9a12bc --json", "--json changes nothing here"),
    ("allow --list --once --for 1h", "--for and --once change nothing here"),
    ("allow --revoke 3fa1c2d4 --agent claude", "--agent changes nothing here"),
    ("allow git/force-push --json", "--json changes nothing here"),
    ("trust --json", "--json changes nothing here"),
    ("stats --json --csv", "--json and --csv exclude each other"),
    ("stats --would --by rules", "--would and --by exclude each other"),
    ("stats --never --csv", "--csv changes nothing here"),
    ("log --json --csv", "--json and --csv exclude each other"),
    ("log --csv --records", "--csv and --records exclude each other"),
    ("sessions --json --csv", "--json and --csv exclude each other"),
    ("undo --list --diff", "--list and --diff exclude each other"),
    ("undo prune --list", "prune and --list exclude each other"),
    ("undo --all", "--all changes nothing here"),
    ("undo --older-than 30d", "--older-than changes nothing here"),
    ("undo prune --since 1h --yes", "--since changes nothing here"),
    ("undo --list --force", "--force changes nothing here"),
    ("forward --statsd 127.0.0.1:9 --genai", "--genai changes nothing here"),
    ("forward --otlp http://127.0.0.1:9 --no-tags", "--no-tags changes nothing here"),
    ("uninstall --purge --project", "--project changes nothing here"),
]


def run(home: Path, line: str) -> BaseException | None:
    words = ["--home", str(home), *line.split()]
    return CliRunner().invoke(fairlead, words, standalone_mode=False).exception


@pytest.mark.parametrize(("line", "said"), REFUSED)
def test_what_would_change_nothing_is_refused(tmp_path: Path, line: str, said: str) -> None:
    error = run(tmp_path / "home", line)
    assert isinstance(error, UsageError) and error.message == said and error.hint


@pytest.mark.parametrize(
    "line",
    [
        "approve --json",
        "allow --list --json",
        "stats --by rules --csv",
        "log --csv",
        "undo --list --all",
        "log --json",
    ],
)
def test_what_belongs_together_is_not(tmp_path: Path, line: str) -> None:
    assert run(tmp_path / "home", line) is None
