"""What two dumps say differently."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.guard.golden.dump import PARTS, Record


@dataclass(frozen=True)
class Difference:
    id: str
    parts: tuple[str, ...]
    before: str
    after: str

    @property
    def decides(self) -> bool:
        """Whether the decision itself, or the rule behind it, is another one."""
        return self.before != self.after


@dataclass(frozen=True)
class Comparison:
    differences: tuple[Difference, ...]
    excused: int
    same: int
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]


def compare(
    old: Path, new: Path, *, parts: tuple[str, ...] = PARTS, excused: frozenset[str] = frozenset()
) -> Comparison:
    """Lines are told apart by their ids; those with another decision come first."""
    before, after = read_dump(old), read_dump(new)
    found = [
        difference
        for id, record in before.items()
        if id in after and (difference := _difference(id, record, after[id], parts))
    ]
    told = sorted((each for each in found if each.id not in excused), key=lambda each: not each.decides)
    return Comparison(
        tuple(told),
        len(found) - len(told),
        len(before.keys() & after.keys()) - len(found),
        tuple(id for id in before if id not in after),
        tuple(id for id in after if id not in before),
    )


def _difference(id: str, before: Record, after: Record, parts: tuple[str, ...]) -> Difference | None:
    differing = tuple(part for part in parts if before.get(part) != after.get(part))
    decisions = [_decision(record) for record in (before, after)]
    if not differing and ("verdict" not in parts or decisions[0] == decisions[1]):
        return None
    return Difference(id, differing, *decisions)


def _decision(record: Record) -> str:
    rules = record["r"]
    return " ".join([str(record["d"]), *(rules if isinstance(rules, list) else ())])


def read_dump(file: Path) -> dict[str, Record]:
    with file.open(encoding="utf-8") as records:
        return {record["id"]: record for record in map(json.loads, records)}


def excuses(file: Path) -> frozenset[str]:
    """Ids with a reason behind each, one a line; a line without a reason excuses nothing."""
    lines = [text.split(None, 1) for text in file.read_text(encoding="utf-8").splitlines()]
    return frozenset(words[0] for words in lines if len(words) > 1 and not words[0].startswith("#"))


def report(comparison: Comparison, texts: Mapping[str, str], limit: int) -> Iterator[str]:
    """Every difference with the text of its line, unless that may not be shown."""
    for each in comparison.differences[:limit]:
        change = f"{each.before or 'nothing'} -> {each.after}" if each.decides else each.before
        yield f"{each.id}  {','.join(each.parts)}  {change}"
        yield f"    {texts[each.id]!r}" if each.id in texts else "    (not shown)"
    hidden = len(comparison.differences) - limit
    if hidden > 0:
        yield f"... and {hidden} more (--limit)"
    counts = Counter(part for each in comparison.differences for part in each.parts)
    yield f"{comparison.same} same, {len(comparison.differences)} different, {comparison.excused} excused"
    yield f"  with another decision or rule: {sum(each.decides for each in comparison.differences)}"
    for part, number in counts.most_common():
        yield f"  {part}: {number}"
    for side, ids in (("old", comparison.only_old), ("new", comparison.only_new)):
        if ids:
            yield f"{len(ids)} only in the {side} dump, such as {', '.join(ids[:3])}"
