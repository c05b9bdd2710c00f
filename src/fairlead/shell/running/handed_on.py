"""Functions that run what they are given: `run() { echo "$*"; "$@"; }`."""

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


def _commands(sequence: Sequence) -> Iterator[Simple]:
    left = [sequence]
    while left:
        for item in left.pop().items:
            for pipeline in (item.first, *(rest for _, rest in item.rest)):
                for stage in pipeline.stages:
                    if isinstance(stage, Simple):
                        yield stage
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
