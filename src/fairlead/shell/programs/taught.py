"""Programs that a person or a project teaches, in the same words as ours.

What is taught about a program that Fairlead knows is added to what it knows, so it can stop more and never
less. A program that nobody listed is read by its record from then on, and no longer by guessing, unless the
file belongs to a project that is not trusted: then its record is added to the guesses.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.model.value import Value
from fairlead.shell.programs.checks import faults_of
from fairlead.shell.programs.effect_words import UNMINDED, effect_word
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.programs.record import Program
from fairlead.shell.programs.source import MOST_PROBLEMS, Problem, Source, place_of, read_source

FAMILY = "taught"
_OURS = ("code", "runner", "finder", "readers")
_FOLLOWED = ("runs", "interprets", "fetches", "loads", "shell_text", "escapes")
_ALSO_PATHS = frozenset(("paths",))
"""Whoever teaches a program is seldom thinking of the files that it is given, so they are looked at."""

_LARGEST_TOGETHER = 1 << 20
"""For the files that are trusted, and again for the others, so that strangers take no room from a person."""
_TOO_MUCH = Problem(1, 1, "the files about programs have more than 1 MiB together, and this one is left out")


class TaughtFile(Value):
    path: str
    content: bytes
    trusted: bool


class FoundProblem(Value):
    path: str
    trusted: bool
    problem: Problem


class Taught(Value):
    programs: Programs
    problems: tuple[FoundProblem, ...]


def teach(files: Iterable[TaughtFile]) -> Taught:
    taught: dict[str, Program] = {}
    added: dict[str, tuple[Program, ...]] = {}
    problems: list[FoundProblem] = []
    room = {True: _LARGEST_TOGETHER, False: _LARGEST_TOGETHER}
    for file in files:
        room[file.trusted] -= len(file.content)
        sources, found = read_taught(file.content) if room[file.trusted] >= 0 else ((), [_TOO_MUCH])
        problems += [FoundProblem(file.path, file.trusted, problem) for problem in found]
        for source in sources:
            for name in (source.name, *source.same):
                program = _program(name, source)
                if file.trusted and name not in taught and not _is_listed(name):
                    taught[name] = program
                else:
                    added[name] = (*added.get(name, ()), program)
    return Taught(Programs(taught, added) if taught or added else SHIPPED, tuple(problems))


def read_taught(content: bytes) -> tuple[tuple[Source, ...], list[Problem]]:
    """The programs of a file, and all that is wrong with it. A record with a mistake is left out."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].split(b"\n")
        column = len(before[-1].decode("utf-8", "replace")) + 1
        return (), [Problem(len(before), column, f"this is not UTF-8: {error.reason}")]
    read = read_source(text)
    problems, kept = list(read.problems), []
    lines = text.split("\n")
    for source in read.programs:
        faults = [*_refusals(source), *faults_of(source)]
        problems += [
            Problem(*place_of(lines, source.name, near), f"{source.name}: {why}")
            for why, near in faults[: max(0, MOST_PROBLEMS - len(problems))]
        ]
        if not faults:
            kept.append(source)
    return tuple(kept), problems


def _refusals(source: Source) -> Iterable[tuple[str, str]]:
    for key in _OURS:
        if getattr(source, key):
            yield f"`{key}` names functions of Fairlead, and only its own records have it", key
    for deed in source.does:
        word = effect_word(deed.action, deed.way)
        if word in UNMINDED:
            yield f"no rule minds `{word}`: it is for Fairlead's own records", word
    for key in _FOLLOWED:
        if getattr(source, key):
            yield f"`{key}` is for Fairlead's own records: what a taught program runs is not followed", key
    if any(name.endswith("*") for name in (source.name, *source.same)):
        yield "a name that ends in a star is for Fairlead's own records", "*"


def _is_listed(name: str) -> bool:
    return SHIPPED.find(name) is not None


def _program(name: str, source: Source) -> Program:
    return Program(
        name,
        FAMILY,
        does=source.does,
        values=frozenset(source.values),
        single_dash=source.single_dash,
        also=frozenset(source.also) | _ALSO_PATHS,
        sql=source.sql,
        operands=frozenset(source.operands),
        outputs=frozenset(source.outputs),
        shows=frozenset(source.shows),
        helpers=frozenset(source.helpers),
        changing=source.changing,
        open_options=True,
    )
