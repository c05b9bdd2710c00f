"""A `cd` that nothing checks may fail: what then is lost in the old directory counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script


def deleted(text: str, folder: Path) -> set[str]:
    script = read_script(text, cwd=str(folder), home="/home/no-one", environment={"HOME": "/home/no-one"})
    found = effects_of(script, Surroundings(str(folder), "/home/no-one"))
    return {effect.target.path for effect in found if effect.action is Action.DELETE and effect.target}


@pytest.mark.parametrize(
    "text", ["cd missing; rm -rf *", "cd missing\nfind . -delete", "cd missing || true; rm -rf ./*"]
)
def test_a_folder_that_is_not_there_leaves_the_shell_where_it_was(text: str, tmp_path: Path) -> None:
    assert str(tmp_path) in deleted(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "cd build; rm -rf *",
        "cd missing && rm -rf *",
        "cd missing || exit; rm -rf *",
        "set -e; cd missing; rm -rf *",
        "mkdir -p missing; cd missing; rm -rf *",
        "git clone https://example.com/missing.git; cd missing; rm -rf *",
    ],
)
def test_one_that_is_there_or_was_made_or_is_checked_does_not(text: str, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    assert str(tmp_path) not in deleted(text, tmp_path)
