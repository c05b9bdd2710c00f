"""The generated pages are what the code says, and `--check` notices when one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.doors.cli.command_table import COMMANDS
from fairlead.packs.judging.pack_table import all_packs
from fairlead.policy.schema import ENTRY_KEYS, FILE_KEYS, RULE_KEYS
from handbook import __main__ as handbook
from handbook.agents import NOTES
from handbook.commands import commands_page
from handbook.library import library_page
from handbook.policy_keys import policy_page
from handbook.rules import rules_page


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


def test_no_public_name_is_only_called_a_function() -> None:
    assert "| A function. |" not in library_page()


def test_every_note_is_of_an_agent() -> None:
    from fairlead.dialects.setup.installs import INSTALLS

    assert {note.stem for note in NOTES.iterdir()} <= set(INSTALLS)
