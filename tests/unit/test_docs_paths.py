"""The map names files: each of them has to be there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = "doors|dialects|policy|packs|shell|engine|drivers|executors|contracts|journal|model|secrets|settings"
NAMED = re.compile(rf"`((?:{ROOMS})/[\w/.-]+?)(?::\w+)?`")


@pytest.mark.parametrize("page", ["architecture.md", "shell.md", "programs.md", "add-an-agent.md"])
def test_every_path_that_a_page_names_exists(page: str) -> None:
    named = set(NAMED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert sorted(path for path in named if not (ROOT / "src/fairlead" / path).exists()) == []


def test_the_map_names_the_files_on_the_path_of_a_command() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert len(set(NAMED.findall(text))) > 30
