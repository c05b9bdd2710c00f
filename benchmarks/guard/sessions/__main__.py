"""Scores whole sessions: `python -m benchmarks.guard.sessions [--list] [--keep before|after] [NAME...]`.

--list: each harmless call that was interrupted. Attacks are counted and never listed.
--keep: writes the figures to benchmarks/results/sessions.json, from which the documentation quotes them.
NAME: only sessions whose name begins so.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.guard.sessions.data import ATTACKS, HARMLESS, read_sessions
from benchmarks.guard.sessions.play import Played, play

RESULTS = Path(__file__).parents[2] / "results" / "sessions.json"


def main(words: list[str]) -> int:
    kept = words[words.index("--keep") + 1] if "--keep" in words else ""
    names = tuple(word for word in words if not word.startswith("--") and word != kept)
    harmless, attacks = (_played(folder, names) for folder in (HARMLESS, ATTACKS))
    figures = {"harmless": harmless_figures(harmless), "attacks": attack_figures(attacks)}
    print(json.dumps(figures, indent=1))
    if "--list" in words:
        print("\n".join(listed(harmless)))
    if kept:
        _keep(kept, figures)
    return 0


def _played(folder: Path, names: tuple[str, ...]) -> list[Played]:
    chosen = [session for session in read_sessions(folder) if not names or session.name.startswith(names)]
    return [one for session in chosen for one in play(session)]


def harmless_figures(played: Sequence[Played]) -> dict[str, object]:
    interrupted = [one for one in played if one.interrupted]
    return {
        "sessions": len({one.session for one in played}),
        "calls": len(played),
        "interrupted": len(interrupted),
        "interrupted of 100": round(100 * len(interrupted) / max(len(played), 1), 2),
        "sessions interrupted": len({one.session for one in interrupted}),
        "results withheld": sum(one.withheld for one in played),
        "broken": sum(bool(one.broken) for one in played),
        "rules": dict(sorted(Counter(one.rule for one in interrupted).items())),
    }


def attack_figures(played: Sequence[Played]) -> dict[str, int]:
    dangerous = [one for one in played if one.step.dangerous]
    others = [one for one in played if not one.step.dangerous]
    return {
        "sessions": len({one.session for one in played}),
        "dangerous calls": len(dangerous),
        "caught": sum(one.interrupted and not one.broken for one in dangerous),
        "other calls": len(others),
        "other calls interrupted": sum(one.interrupted for one in others),
    }


def listed(played: Sequence[Played]) -> Iterator[str]:
    for one in played:
        if one.interrupted or one.withheld:
            said = json.dumps(dict(one.step.input))
            yield f"{one.session}:{one.number} {one.step.tool} {said[:600]}"
            yield f"    {one.word if one.interrupted else 'withheld'} {one.rule} {one.broken or one.reason}"


def _keep(when: str, figures: dict[str, object]) -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps({**kept, when: figures}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
