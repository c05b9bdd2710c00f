"""Looks for text that breaks the guard, stalls it, or hides a dangerous command from it.

python -m benchmarks.guard.fuzz [--minutes N] [--seed N]

Five kinds of input, in turn: text by grammar, corpus commands written differently (one to three of the
listed changes on top of one another), corpus commands with bytes changed at random, corpus commands that
are only spoken of, and, in every hundredth round, a piece of one repeated over thousands of characters, as a
command, as code and as a file: patterns that look too far take minutes for it. Findings are printed as JSON
lines: the kind, the text and what was said of it.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from benchmarks.guard.changes import changed
from benchmarks.guard.grammar import NOISE, Grammar
from benchmarks.guard.judge import Judge, Judgement
from benchmarks.guard.lines import PROJECT, VISIBLE, Line, read_folder
from benchmarks.guard.mentions import KEY_RULES, mentioned
from benchmarks.guard.score import WARM_UP, judging
from fairlead.model.decision import Decision

SLOW = 250_000_000
"""Nanoseconds of CPU time that no input of this size may take."""
_LONG, _SELDOM = 8000, 100
ALIKE = 3
"""How many findings with the same fault are printed."""


def main(words: list[str]) -> int:
    minutes = float(_option(words, "--minutes", "1"))
    seed = int(_option(words, "--seed", str(time.time_ns())))
    print(f"# seed {seed}, {minutes:g} minutes", file=sys.stderr)
    counts: Counter[str] = Counter()
    with judging(absent=True) as judge:
        for finding in _hunt(judge, random.Random(seed), time.monotonic() + 60 * minutes, counts):
            print(json.dumps(finding), flush=True)
    for name, number in counts.most_common():
        print(f"# {number:>8} {name}", file=sys.stderr)
    return 1 if counts["findings"] else 0


def _option(words: list[str], name: str, default: str) -> str:
    return words[words.index(name) + 1] if name in words else default


def _hunt(
    judge: Judge, chance: random.Random, deadline: float, counts: Counter[str]
) -> Iterator[dict[str, object]]:
    judge.judge(WARM_UP)
    lines = [line for line in read_folder(VISIBLE) if line.tool == "Bash" and not line.cwd]
    blocked = [line for line in lines if judge.judge(line).decision >= Decision.BLOCK and line.dangerous]
    kinds: dict[str, Callable[[], Line]] = {
        "by grammar": lambda: Line("grammar", Grammar(chance.choice).script(chance.randint(0, 5)), "pass"),
        "written differently": lambda: rewritten(chance, blocked),
        "with noise": lambda: noisy(chance, lines),
        "only mentioned": lambda: _mentioned(chance, blocked),
        "repeated": lambda: _repeated(chance, lines),
    }
    rounds = count()
    while time.monotonic() < deadline:
        often = next(rounds) % _SELDOM
        for kind, make in kinds.items():
            if kind == "repeated" and often:
                continue
            line = make()
            counts[kind] += 1
            judgement = judge.judge(line)
            fault = fault_of(judgement, must_block=kind == "written differently")
            if kind == "only mentioned" and judgement.decision.objects and judgement.rule not in KEY_RULES:
                fault = f"alarm: {judgement.rule}"
            if fault:
                counts["findings"] += 1
                counts[fault] += 1
                if counts[fault] <= ALIKE:
                    yield {"kind": kind, "fault": fault, "base": line.id, "command": line.command}


def fault_of(judgement: Judgement, *, must_block: bool) -> str:
    if judgement.broken:
        return f"broken: {judgement.broken}"
    if judgement.nanoseconds > SLOW:
        return f"slow: {judgement.nanoseconds / 1e6:.0f} ms"
    if must_block and not judgement.decision.objects:
        return f"passed: {judgement.line.why}"
    return ""


def rewritten(chance: random.Random, blocked: list[Line]) -> Line:
    """One of them with one to three of the listed changes."""
    line = chance.choice(blocked)
    text, names = line.command, []
    for _ in range(chance.randint(1, 3)):
        name, text = chance.choice([*changed(text), ("as it is", text)])
        names.append(name)
    return Line(line.id, text, line.expected, why=" + ".join(names))


def _mentioned(chance: random.Random, blocked: list[Line]) -> Line:
    mentions = list(mentioned(chance.choice(blocked).command))
    return chance.choice(mentions)[1] if mentions else Line("mention", "true", "pass")


def noisy(chance: random.Random, lines: list[Line]) -> Line:
    """One of them with pieces put in or taken out at random."""
    line = chance.choice(lines)
    text = line.command
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        piece = chance.choice((*NOISE, "", chr(chance.randint(1, 0x2FFF)), text[:at][-8:] * 40))
        text = text[:at] + piece + text[at + chance.choice((0, 0, 1, 3)) :]
    return Line(line.id, text, line.expected)


def _fed_to(program: str) -> Callable[[str], Line]:
    end = "END_OF_TEXT"
    return lambda text: Line(f"repeated to {program}", f"{program} <<'{end}'\n{text}\n{end}", "pass")


def _written_to(name: str) -> Callable[[str], Line]:
    path = f"{PROJECT}/{name}"
    return lambda text: Line(f"repeated in {name}", path, "pass", tool="Write", content=text)


_FORMS: Sequence[Callable[[str], Line]] = (
    lambda text: Line("repeated", text, "pass"),
    *(
        _fed_to(program)
        for program in ("python3 -", "node -", "ruby", "perl", "php", "pwsh -Command -", "psql")
    ),
    *(_written_to(name) for name in (".gitlab-ci.yml", "setup.py", "package.json", "Jenkinsfile")),
)


def _repeated(chance: random.Random, lines: list[Line]) -> Line:
    """A single character, a word of a command, or noise, many times."""
    word = chance.choice(chance.choice(lines).command.split() or ["a"])[:20]
    piece = chance.choice((word, f"{word} ", f"{word}\n", word[:1], *NOISE, " ", "\n", "$", "a", "_"))
    return chance.choice(_FORMS)((piece or "a") * (_LONG // len(piece or "a")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
