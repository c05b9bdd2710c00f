"""What a function does with itself and with what it is given, by its text: `run() { echo "$*"; "$@"; }`."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.language.syntax_tree import Compound, Parameter, Sequence, Simple, WordNode
from fairlead.shell.programs.running import RUNS, SHELLS

_GIVEN = frozenset({"@", "*", "1"})


def hands_on(function: Compound) -> bool:
    """Whether something in its body runs the words that the function is given."""
    return function.body is not None and any(map(_runs_given, _commands(function.body)))


def _runs_given(command: Simple) -> bool:
    words = [word for word in command.words if isinstance(word, WordNode)]
    if not words:
        return False
    name = words[0].plain or ""
    told = words if name == "eval" or name in RUNS or name in SHELLS else words[:1]
    return any(isinstance(part, Parameter) and part.name in _GIVEN for word in told for part in word.parts)


def multiplies(function: Compound) -> bool:
    """Whether it starts itself beside itself, `f() { f | f & }`, and so without end."""
    return function.body is not None and any(
        beside and command.words and getattr(command.words[0], "plain", None) == function.name
        for command, beside in _stages(function.body)
    )


def _commands(sequence: Sequence) -> Iterator[Simple]:
    for command, _ in _stages(sequence):
        yield command


def _stages(sequence: Sequence) -> Iterator[tuple[Simple, bool]]:
    """Every simple command, and whether it runs beside another."""
    left = [sequence]
    while left:
        for item in left.pop().items:
            for pipeline in (item.first, *(rest for _, rest in item.rest)):
                beside = item.background or len(pipeline.stages) > 1
                for stage in pipeline.stages:
                    if isinstance(stage, Simple):
                        yield stage, beside
                    elif stage.kind != "function":
                        left += _bodies(stage)


def _bodies(node: Compound) -> Iterator[Sequence]:
    for body in (node.condition, node.body):
        if body is not None:
            yield body
    for condition, body in node.clauses:
        yield condition
        yield body
    for _, body in node.cases:
        yield body
