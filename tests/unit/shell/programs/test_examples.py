"""The examples of every record: what stops is interrupted because of that program, what passes is not."""

import re
from collections.abc import Iterator

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging.call_effects import Call, read_call
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.packs.judging.judge import judged
from fairlead.shell.programs.checks import followed_by
from fairlead.shell.programs.compiler import names_of, read_families
from fairlead.shell.programs.source import Source
from fairlead.shell.script import Command
from tests.unit.packs.guard_kit import ROOT, decide, shell_event

RECORDS = [
    pytest.param(source, id=f"{family.name}-{source.name}")
    for family in read_families()
    for source in family.programs
    if source.stops or source.passes
]
SETTINGS = read_settings({})


def runs(command: Command, source: Source) -> bool:
    """Whether it is a command of that program, or one that the program runs."""
    called = [command.name, *(wrapper.name for wrapper in command.wrappers)]
    return any(
        name.startswith(own.removesuffix("*")) if own.endswith("*") else name == own
        for name in called
        for own in names_of(source)
    )


def is_about(line: str, source: Source) -> bool:
    """Whether the line names a program that runs others: what is inside it is what would be stopped."""
    follows = source.runs or source.interprets or source.fetches or source.loads or followed_by(source)
    return bool(follows) and any(
        re.search(rf"(?<![\w-]){re.escape(own.removesuffix('*'))}(?![\w-])", line) for own in names_of(source)
    )


def read(line: str) -> Call:
    call = read_call(shell_event(line))
    assert call is not None
    return call


def unprovoked(source: Source) -> Iterator[str]:
    """Lines that are not interrupted, or for another reason than what the program does."""
    for line in source.stops:
        call = read(line)
        about = is_about(line, source)
        spans = {(each.start, each.end) for each in call.script.commands if runs(each, source)}
        own = tuple(
            effect
            for effect in call.effects
            if about or runs(effect.command, source) or (effect.start, effect.end) in spans
        )
        packs = (*SETTINGS.dangers, *SETTINGS.guarding)
        found = judged(call.replace(effects=own), packs, SETTINGS, cwd=ROOT)
        if found is None or found.decision < Decision.ASK:
            yield line


@pytest.mark.parametrize("source", RECORDS)
def test_a_line_that_stops_is_interrupted_because_of_its_program(source: Source) -> None:
    assert list(unprovoked(source)) == []
    assert [line for line in source.stops if decide(line) < Decision.ASK] == []


@pytest.mark.parametrize("source", RECORDS)
def test_a_line_that_passes_runs_the_program_and_is_not_interrupted(source: Source) -> None:
    assert [line for line in source.passes if decide(line) >= Decision.ASK] == []
    strangers = [
        line
        for line in source.passes
        if not is_about(line, source)
        and not any(runs(command, source) for command in read(line).script.commands)
    ]
    assert strangers == []
