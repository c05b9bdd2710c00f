"""The page about the guard lists every rule, as it is."""

from pathlib import Path

from fairlead.packs.judging.pack_table import all_packs
from fairlead.packs.rule import Level

PAGE = Path(__file__).parents[3] / "docs" / "guard.md"


def table() -> str:
    lines = ["| rule | decision | severity | what is at stake |", "|---|---|---|---|"]
    for pack in all_packs():
        for rule in pack.rules:
            level = "" if rule.level is Level.STANDARD else f" (from `{rule.level.name.lower()}`)"
            severity = rule.severity.name.lower()
            lines.append(f"| `{rule.id}` | {rule.decision.word}{level} | {severity} | {rule.person} |")
    return "\n".join(lines)


def test_the_page_has_the_table_of_all_rules() -> None:
    assert table() in PAGE.read_text(), f"put this table into {PAGE.name}:\n{table()}"
