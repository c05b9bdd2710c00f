"""Judgements as figures and as a list of what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.guard.judge import Judgement
from fairlead.model.decision import Decision


def table(judgements: Sequence[Judgement]) -> Iterator[str]:
    """One row per pack and one for all of them."""
    yield "pack             dangerous  blocked   asked   caught   harmless alarms"
    for pack in sorted({judgement.line.pack for judgement in judgements}):
        yield row(pack, [judgement for judgement in judgements if judgement.line.pack == pack])
    yield row("all", judgements)


def row(name: str, judgements: Sequence[Judgement]) -> str:
    dangerous = [judgement for judgement in judgements if judgement.line.dangerous]
    harmless = [judgement for judgement in judgements if not judgement.line.dangerous]
    caught = [judgement for judgement in dangerous if judgement.caught]
    blocked = [judgement for judgement in caught if judgement.decision >= Decision.BLOCK]
    alarms = [judgement for judgement in harmless if not judgement.met]
    return (
        f"{name:<16} {len(dangerous):>9} {share(blocked, dangerous):>8} "
        f"{share(caught, dangerous, less=blocked):>7} {share(caught, dangerous):>8}   "
        f"{len(harmless):>8} {len(alarms):>6} {share(alarms, harmless):>8}"
    )


def core(judgements: Iterable[Judgement]) -> str:
    """Deletes, discards and force pushes have to be blocked, not only asked about."""
    lines = [judgement for judgement in judgements if judgement.line.core]
    blocked = [judgement for judgement in lines if judgement.met]
    return f"core: {len(lines)} deletes, git discards and force pushes, {share(blocked, lines)} blocked"


def times(judgements: Sequence[Judgement]) -> str:
    taken = sorted(judgement.nanoseconds for judgement in judgements)
    if not taken:
        return "no line"
    median, late = taken[len(taken) // 2], taken[min(len(taken) - 1, len(taken) * 99 // 100)]
    return (
        f"decision, CPU time in this process: median {median / 1e6:.2f} ms, p99 {late / 1e6:.2f} ms, "
        f"slowest {taken[-1] / 1e6:.1f} ms"
    )


def misses(judgements: Iterable[Judgement]) -> Iterator[str]:
    """Each line that was not judged as expected, worst kind first."""
    for kind, chosen in KINDS.items():
        found = [judgement for judgement in judgements if kind_of(judgement) == kind]
        if found:
            yield f"\n{chosen} ({len(found)})"
        for judgement in found:
            yield from _miss(judgement)


KINDS = {
    "broken": "BROKEN: a guard failed",
    "missed": "MISSED: should have been stopped, passed",
    "asked": "ASKED: should have been blocked",
    "alarm": "FALSE ALARM: should have passed",
}


def kind_of(judgement: Judgement) -> str:
    if judgement.broken:
        return "broken"
    if judgement.met:
        return ""
    if not judgement.line.dangerous:
        return "alarm"
    return "asked" if judgement.caught else "missed"


def _miss(judgement: Judgement) -> Iterator[str]:
    line = judgement.line
    where = f"  (in {line.cwd})" if line.cwd else ""
    tool = "" if line.tool == "Bash" else f"{line.tool} "
    yield f"  {line.id}: {tool}{_one_line(line.command)}{where}"
    if line.content:
        yield f"      content: {_one_line(line.content)}"
    yield f"      expected {line.expected}: {line.why}"
    said = judgement.broken or judgement.reason
    yield f"      got {judgement.decision.word} {judgement.rule} {_one_line(said)}".rstrip()


def _one_line(text: str, most: int = 300) -> str:
    flat = text.replace("\n", "\\n").replace("\t", "\\t")
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def share(part: Sequence[object], whole: Sequence[object], *, less: Sequence[object] = ()) -> str:
    if not whole:
        return "-"
    return f"{100 * (len(part) - len(less)) / len(whole):.1f} %"
