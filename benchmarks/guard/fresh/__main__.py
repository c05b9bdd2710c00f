"""Scores the fresh lines: `python -m benchmarks.guard.fresh [--list CLASS...] [--keep before|after]`.

--list: the open lines of these classes (or of all, with no name) that were judged wrongly.
--keep: writes the figures to benchmarks/results/fresh.json, from which the documentation quotes them. What a
class scored before is written once: later rules do not change it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.guard import report
from benchmarks.guard.fresh.sides import OPEN, SEALED
from benchmarks.guard.judge import Judgement
from benchmarks.guard.lines import read_folder
from benchmarks.guard.score import judge_all, judging

RESULTS = Path(__file__).parents[2] / "results" / "fresh.json"


def main(words: list[str]) -> int:
    with judging() as judge:
        sides = {folder.name: judge_all(judge, read_folder(folder)) for folder in (OPEN, SEALED)}
    for name, judgements in sides.items():
        print(f"{name}:")
        print("\n".join(report.table(judgements)))
    if "--list" in words:
        chosen = words[words.index("--list") + 1 :]
        print(
            "\n".join(report.misses([one for one in sides["open"] if not chosen or one.line.pack in chosen]))
        )
    if "--keep" in words:
        _keep(words[words.index("--keep") + 1], sides)
    return 0


def _keep(when: str, sides: dict[str, list[Judgement]]) -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, judgements in sides.items():
        had = kept.setdefault(when, {}).setdefault(name, {})
        now = figures(judgements)
        kept[when][name] = {**now, **had} if when == "before" else now
    RESULTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def figures(judgements: Sequence[Judgement]) -> dict[str, dict[str, int]]:
    """Counts of each class: dangerous, caught, harmless, interrupted."""
    counts: dict[str, dict[str, int]] = {}
    for one in judgements:
        row = counts.setdefault(one.line.pack, {"dangerous": 0, "caught": 0, "harmless": 0, "interrupted": 0})
        kinds = ("dangerous", "caught") if one.line.dangerous else ("harmless", "interrupted")
        row[kinds[0]] += 1
        row[kinds[1]] += one.decision.objects and not one.broken
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
