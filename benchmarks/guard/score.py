"""Scores the guard on the corpus, or on a file of the same format.

python -m benchmarks.guard.score [FILE.jsonl] [--absent] [--quiet]

--absent: the project is only a name, nothing of it is on the disk; lines that need it are left out.
--quiet: figures without the list of misses. The held-out part is never listed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.guard import report
from benchmarks.guard.judge import Judge, Judgement
from benchmarks.guard.lines import (
    HELD_OUT,
    HERE,
    PROJECT,
    VISIBLE,
    CorpusError,
    Line,
    read_folder,
    read_lines,
)
from benchmarks.guard.project import temporary_project

WORKSHOP = HERE.parent.parent / ".guard-bench"
WARM_UP = Line("warm-up", "true && echo ready | cat > /dev/null", "pass")


def main(words: list[str]) -> int:
    files = [Path(word) for word in words if not word.startswith("--")]
    try:
        with judging(absent="--absent" in words) as judge:
            if files:
                return _score_files(judge, files)
            return _score_corpus(judge, listed="--quiet" not in words)
    except (CorpusError, OSError) as error:
        print(error, file=sys.stderr)
        return 64


@contextmanager
def judging(*, absent: bool = False) -> Iterator[Judge]:
    """A judge in a project of its own, with no settings but the built-in ones."""
    with tempfile.TemporaryDirectory(prefix="guard-settings-") as settings:
        if absent:
            yield Judge(PROJECT, Path(settings))
        else:
            with temporary_project(WORKSHOP) as project:
                yield Judge(str(project), Path(settings))


def judge_all(judge: Judge, lines: Sequence[Line]) -> list[Judgement]:
    judge.judge(WARM_UP)  # imports and first use are the cold path's business
    absent = judge.project == PROJECT
    return [judge.judge(line) for line in lines if not (absent and line.needs)]


def _score_files(judge: Judge, files: Sequence[Path]) -> int:
    judgements = judge_all(judge, [line for file in files for line in read_lines(file)])
    _print(report.table(judgements), [report.core(judgements), report.times(judgements)])
    _print(report.misses(judgements))
    return 0 if all(report.kind_of(judgement) == "" for judgement in judgements) else 1


def _score_corpus(judge: Judge, *, listed: bool) -> int:
    visible = judge_all(judge, read_folder(VISIBLE))
    held_out = judge_all(judge, read_folder(HELD_OUT))
    _print(report.table(visible), [report.core(visible), report.times(visible)])
    _print(["", "held out, never looked at while writing rules:"], report.table(held_out))
    _print([report.core(held_out), report.times(held_out)])
    if listed:
        _print(report.misses(visible))
    return 0


def _print(*parts: Sequence[str] | Iterator[str]) -> None:
    for part in parts:
        for text in part:
            print(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
