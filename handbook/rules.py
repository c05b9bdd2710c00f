"""The page with every rule of every pack, and its examples."""

from __future__ import annotations

from fairlead.packs.judging.pack_table import all_packs
from fairlead.packs.rule import Level, Pack, Rule
from handbook.markdown import code, sentence, table

HEAD = """# Rules

Every built-in rule of [the guard](../guard.md), by pack. `fairlead packs show PACK` prints them, `fairlead packs disable ID` turns a pack or a rule off, and `fairlead allow ID` makes an exception.

"""


def rules_page() -> str:
    packs = all_packs()
    rows = [
        (f"[{code(pack.id)}](#{pack.id})", str(len(pack.rules)), sentence(pack.summary)) for pack in packs
    ]
    return HEAD + table(("pack", "rules", "what it is about"), rows) + "".join(map(_pack, packs))


def _pack(pack: Pack) -> str:
    return f"\n## {pack.id}\n\n{sentence(pack.summary)}\n\n" + table(
        ("rule", "decision", "severity", "what is at stake", "it stops", "it lets pass"),
        map(_row, pack.rules),
    )


def _row(rule: Rule) -> tuple[str, ...]:
    level = "" if rule.level is Level.STANDARD else f" (from level `{rule.level.name.lower()}`)"
    return (
        f'<span id="{rule.id.replace("/", "-")}"></span>{code(rule.id)}',
        rule.decision.word + level,
        rule.severity.word,
        rule.person,
        _example(rule.dangerous),
        _example(rule.harmless),
    )


def _example(lines: tuple[str, ...]) -> str:
    """The shortest one; a table has no room for lines that are long or several."""
    short = [line for line in lines if "\n" not in line and len(line) <= 90]
    return code(min(short, key=len)) if short else ""
