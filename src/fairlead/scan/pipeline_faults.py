"""What is wrong with a pipeline, whatever its steps run; and how that is told."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.packs.judging.pipeline_files import given_everything, strangers_code, typed_by_strangers
from fairlead.packs.rule import Severity
from fairlead.scan.finding import Finding
from fairlead.scan.pipelines import steps_of
from fairlead.scan.unit import SourceText

LEAK = "ci/pipeline-leak"
"""The rule of all of them, as for an agent that writes such a file."""


class Said(Value):
    reason: str
    advice: str


LEAKS = Said(
    "This would send secrets away, show them, or hand the machine to somebody else.",
    "Give a secret only to the step that needs it, and send it only to the service that it is for.",
)
RUNS_UNSEEN = Said(
    "This runs what a server sends, unseen, on every machine that runs the pipeline.",
    "Use a pinned action or a pinned version, and check a sum before it is run.",
)
_STRANGERS = Said(
    "The pipeline runs with the project's secrets, and checks out what strangers wrote.",
    "Let `pull_request` build what they wrote, and keep this event for what needs no code of theirs.",
)
_EVERYTHING = Said(
    "This hands over all secrets or all rights, or takes a part of the pipeline over an open line.",
    "Name the secrets and the rights that are needed, and fetch over https.",
)
_TYPED = Said(
    "What a stranger typed becomes part of the script, and is run with it.",
    "Hand it over as a variable in `env:`, and use that in the script, in quotes.",
)


def finding_of(said: Said, path: str, line: int, *, source: str, way: str = "") -> Finding:
    return Finding(path, line, LEAK, Severity.HIGH, said.reason, said.advice, source=source, way=way)


def pipeline_faults(source: SourceText, inside: str) -> Iterator[Finding]:
    for said, find in ((_STRANGERS, strangers_code), (_EVERYTHING, given_everything)):
        for match in find(source.text):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            line = source.text.count("\n", 0, start) + 1
            yield finding_of(said, inside, line, source=match[0].strip().split("\n")[0])
    for step in steps_of(source):
        typed = typed_by_strangers(step.text, source.text)
        if typed is not None:
            line = step.line + step.text.count("\n", 0, typed.start())
            yield finding_of(_TYPED, inside, line, source=typed[0])
