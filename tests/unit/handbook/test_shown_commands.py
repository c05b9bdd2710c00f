"""Every call of `fairlead` that a page shows is one that the command line knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from handbook.known_commands import fault_of
from handbook.pages import ROOT, all_pages, commands


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_command_line_knows_every_call_that_a_page_shows(page: Path) -> None:
    calls = commands(page.read_text("utf-8"))
    assert [f"fairlead {' '.join(call)}: {fault}" for call in calls if (fault := fault_of(call))] == []


def test_the_pages_show_hundreds_of_calls() -> None:
    assert sum(len(list(commands(page.read_text("utf-8")))) for page in all_pages()) > 300


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("`fairlead log --denied`", [["log", "--denied"]]),
        ("```console\n$ a | fairlead hook claude; echo $?; fairlead\n```", [["hook", "claude"], []]),
        ("```sh\nX=1 fairlead run begin \\\n  --apply > out\n```", [["run", "begin", "--apply"]]),
        ("```console\n$ fairlead install && fairlead doctor   # prove it\n```", [["install"], ["doctor"]]),
        ("```\n$ ls\nfairlead what is printed\n```", []),
        ("```yaml\nfairlead: nothing\n```", []),
        ("`fairlead-hook off`", []),
    ],
)
def test_calls_are_found_in_code(text: str, wanted: list[list[str]]) -> None:
    assert list(commands(text)) == wanted


@pytest.mark.parametrize(
    "line",
    ["lgo", "log --denid", "mcp instal", "policy chek", "--hom x log", "mcp --nam x -- server", "hooks lst"],
)
def test_a_call_that_the_command_line_does_not_know_is_found(line: str) -> None:
    assert fault_of(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "log --since 2h --denied",
        "--home DIR log",
        "--home elsewhere log",
        "dashboard",
        "mcp --name files --env A -- npx -y --what server",
        "COMMAND --help",
        "explain --last",
        "promote --all --since 14d",
    ],
)
def test_a_call_that_it_knows_passes(line: str) -> None:
    assert fault_of(line.split()) == ""
