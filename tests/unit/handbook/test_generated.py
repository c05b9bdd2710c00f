"""The generated pages are what the code says, and `--check` notices when one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.agents.proved import read
from fairlead import Block, Decision, ToolCall, ToolStack
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.command_table import COMMANDS
from fairlead.hooks import BeforeToolInput
from fairlead.interfaces import Clock
from fairlead.packs.judging.pack_table import all_packs
from fairlead.policy.reading.schema import ENTRY_KEYS, FILE_KEYS, RULE_KEYS
from fairlead.testing import bash
from handbook import __main__ as handbook
from handbook.agents import NOTES, agent_pages
from handbook.commands import commands_page
from handbook.library import library_page
from handbook.policy_keys import policy_page
from handbook.rules import rules_page
from handbook.signatures import call_of


def test_the_committed_pages_are_what_the_code_says() -> None:
    names = [str(page.relative_to(handbook.ROOT)) for page in handbook.differing()]
    assert names == [], "run `python -m handbook`"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(handbook, "ROOT", tmp_path)
    monkeypatch.setattr(handbook, "generated_pages", lambda: {"reference/a.md": "# A\n"})
    return tmp_path / "docs"


def test_check_names_a_page_that_differs_and_writing_mends_it(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert handbook.main(["--check"]) == 1
    assert "docs/reference/a.md" in capsys.readouterr().err
    assert handbook.main([]) == 0
    assert handbook.main(["--check"]) == 0
    assert (copy / "reference/a.md").read_text().endswith("# A\n")
    (copy / "reference/a.md").write_text(f"{handbook.MARK}\n\n# B\n")
    assert handbook.main(["--check"]) == 1


def test_a_page_that_nothing_makes_any_more_goes_and_one_of_a_person_stays(copy: Path) -> None:
    (copy / "old.md").write_text(f"{handbook.MARK}\n\n# Old\n")
    (copy / "mine.md").write_text("# Mine\n")
    assert handbook.main(["--check"]) == 1
    handbook.main([])
    assert sorted(path.name for path in copy.glob("*.md")) == ["mine.md"]


def test_wrong_usage_is_64() -> None:
    assert handbook.main(["--chekc"]) == 64


def test_every_command_rule_and_key_has_its_place() -> None:
    commands, rules, keys = commands_page(), rules_page(), policy_page()
    assert [name for name in COMMANDS if f"\n### fairlead {name}\n" not in commands] == []
    assert [rule.id for pack in all_packs() for rule in pack.rules if f"`{rule.id}` |" not in rules] == []
    wanted = {*FILE_KEYS, *ENTRY_KEYS, *RULE_KEYS}
    assert [key for key in sorted(wanted) if f"| `{key}` |" not in keys] == []


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (Block, "x(reason=…)"),
        (ToolCall, "x(name, input=…, kind=…, id=…, mcp_server=…, mcp_tool=…)"),
        (ToolStack, "x(*hooks, ask=None, tell=None)"),
        (BeforeToolInput, '{"tool_name", "tool_input", "mcp_context"}'),
        (bash, "x(command, **more)"),
        (Decision, ""),
        (Clock, ""),
        ("text", ""),
    ],
)
def test_a_call_is_shown_without_types(value: object, wanted: str) -> None:
    assert call_of("x", value) == wanted


def test_every_public_name_that_is_called_shows_how() -> None:
    rows = [line for line in library_page().splitlines() if line.startswith("| `")]
    assert [row for row in rows if row.endswith("|  |  |")] == []


def test_every_note_is_of_an_agent() -> None:
    assert {note.stem for note in NOTES.iterdir()} <= set(INSTALLS)


def test_a_page_says_whether_its_agent_was_proved() -> None:
    records, pages = read(), agent_pages()
    proved = {agent for agent in INSTALLS if "**Proved** on" in pages[f"agents/{agent}.md"]}
    unproved = {agent for agent in INSTALLS if "**Not proved.**" in pages[f"agents/{agent}.md"]}
    assert proved == set(records)
    assert proved | unproved == set(INSTALLS)


def test_a_page_names_every_file_that_switches_hooks_off() -> None:
    for agent, setup in INSTALLS.items():
        page = agent_pages()[f"agents/{agent}.md"]
        assert [switch for switch in setup.switches if switch.file not in page] == [], agent


def test_where_only_some_tools_can_be_asked_about_the_comparison_says_so() -> None:
    (row,) = (line for line in agent_pages()["reference/agents.md"].splitlines() if "[Cursor]" in line)
    assert "some tools, else by code" in row
