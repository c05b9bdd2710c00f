"""What `approve:` adds to a warm decision: the same commands, with all starter sets and without any.

python -m benchmarks.guard.approval_cost [--rounds N]

The commands are those of the harmless sessions, each judged N times by both policies in turn; what counts for
a command is its median. Half of the commands, those that are approved and those that are not taken together,
must cost no more than the budget.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from statistics import median, quantiles

from benchmarks.guard.approval import ALL_SETS, approving
from benchmarks.guard.judge import Judge
from benchmarks.guard.lines import Line
from benchmarks.guard.sessions.data import HARMLESS, read_sessions
from fairlead.model.decision import Decision

BUDGET = 0.1
"""Milliseconds."""


def commands() -> list[Line]:
    steps = (step for session in read_sessions(HARMLESS) for step in session.steps if step.tool == "Bash")
    texts = dict.fromkeys(str(step.input["command"]) for step in steps)
    return [Line(str(number), text, "pass") for number, text in enumerate(texts)]


def medians(judges: Sequence[Judge], line: Line, rounds: int) -> list[float]:
    """Milliseconds by judge. The first two rounds make warm what they need."""
    taken: list[list[int]] = [[] for _ in judges]
    for _ in range(rounds + 2):
        for each, judge in zip(taken, judges, strict=True):
            each.append(judge.judge(line).nanoseconds)
    return [median(each[2:]) / 1e6 for each in taken]


def main(words: list[str]) -> int:
    rounds = int(words[words.index("--rounds") + 1]) if "--rounds" in words else 9
    with ExitStack() as stack:
        without, listed = (stack.enter_context(approving(items)) for items in ((), ALL_SETS))
        lines = commands()
        costs = [medians((without, listed), line, rounds) for line in lines]
        approved = [listed.judge(line).decision is Decision.APPROVE for line in lines]
    added = [after - before for before, after in costs]
    _show("all", costs, added)
    for name, wanted in (("approved", True), ("not approved", False)):
        chosen = [place for place, each in enumerate(approved) if each is wanted]
        _show(name, [costs[place] for place in chosen], [added[place] for place in chosen])
    within = median(added) <= BUDGET
    word = "met" if within else "MISSED"
    print(f"approval adds {median(added):.3f} ms in the middle; budget {BUDGET} ms: {word}")
    return 0 if within else 1


def _show(name: str, costs: Sequence[Sequence[float]], added: Sequence[float]) -> None:
    before, after = (median(each[place] for each in costs) for place in (0, 1))
    tail = quantiles(added, n=20)[-1]
    print(
        f"{name:<13} {len(costs):5} commands   without {before:.3f} ms   with {after:.3f} ms   "
        f"adds {median(added):.3f} ms, of 20 one more than {tail:.3f} ms"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
