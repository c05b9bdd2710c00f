"""The page with every rule of every pack, and its examples."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.judging.pack_table import all_packs
from fairlead.packs.rule import Level, Pack, Rule
from handbook.markdown import code, sentence, table

HEAD = """# Rules

Every built-in rule of [the guard](../guard.md), by pack: what it decides and how grave the harm is, what is at stake, and a command that it stops and one that it lets pass. `fairlead packs show PACK` prints them, `fairlead packs disable ID` turns a pack or a rule off, and `fairlead allow ID` makes an exception.

"""


def rules_page() -> str:
    packs = all_packs()
    rows = [
        (f"[{code(pack.id)}](#{pack.id})", str(len(pack.rules)), sentence(pack.summary)) for pack in packs
    ]
    return HEAD + table(("pack", "rules", "what it is about"), rows) + "".join(map(_pack, packs))


def _pack(pack: Pack) -> str:
    heads = ("rule", "decision", "what is at stake", "examples")
    return f"\n## {pack.id}\n\n{sentence(pack.summary)}\n\n{table(heads, map(_row, pack.rules))}"


def _row(rule: Rule) -> tuple[str, ...]:
    level = "" if rule.level is Level.STANDARD else f", from level `{rule.level.name.lower()}`"
    return (
        f'<span id="{rule.id.replace("/", "-")}"></span>{code(rule.id)}',
        f"{rule.decision.word}{level}, {rule.severity.word}",
        rule.person,
        "<br>".join([*_example("stops", rule.dangerous), *_example("passes", rule.harmless)]),
    )


def _example(word: str, lines: tuple[str, ...]) -> Iterator[str]:
    """The shortest one; a table has no room for lines that are long or several."""
    short = [line for line in lines if "\n" not in line and len(line) <= 90]
    if short:
        yield f"{word} {code(min(short, key=len))}"
