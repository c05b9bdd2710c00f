"""What a record says of the words of a command that are no options."""

import pytest

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.lookup import Programs
from fairlead.shell.programs.record import Program
from fairlead.shell.programs.source import read_source
from fairlead.shell.script import Command, Word


def _touches(line: str, **fields: object) -> list[tuple[Action, str]]:
    """What a program does with files that is taught these fields."""
    program = Program("tool", "taught", **fields)
    where = Surroundings("/p", "/home/me", programs=Programs({"tool": program}))
    command = Command(tuple(map(Word, line.split())), "/p")
    return [(each.action, each.target.word.text) for each in touched(command, where) if each.target]


def _words(*words: str) -> frozenset[str]:
    return frozenset(words)


@pytest.mark.parametrize(
    ("operands", "line", "found"),
    [
        (_words("text"), "tool a.txt b.txt", []),
        (_words("uses"), "tool a.txt", [(Action.LIST, "a.txt")]),
        (_words("reads"), "tool plain", [(Action.READ, "plain")]),
        (_words(), "tool plain", []),
        (_words(), "tool a.txt", [(Action.READ, "a.txt")]),
        (_words("reads", "script"), "tool p.q a.txt", [(Action.READ, "a.txt")]),
        (_words("reads", "script"), "tool -e p a.txt", [(Action.READ, "p"), (Action.READ, "a.txt")]),
        (_words("text", "makes"), "tool a.txt b.txt", []),
        (_words("uses", "changes"), "tool a.txt", [(Action.LIST, "a.txt"), (Action.OVERWRITE, "a.txt")]),
        (_words("uses", "edits"), "tool get a.txt", [(Action.LIST, "a.txt")]),
        (_words("uses", "edits"), "tool put a.txt", [(Action.LIST, "a.txt"), (Action.OVERWRITE, "a.txt")]),
    ],
)
def test_operands_are_what_the_record_says(
    operands: frozenset[str], line: str, found: list[tuple[Action, str]]
) -> None:
    assert _touches(line, operands=operands) == found


def test_the_last_of_several_operands_is_made() -> None:
    assert (Action.OVERWRITE, "b.txt") in _touches("tool a.txt b.txt", operands=_words("makes"))
    assert (Action.OVERWRITE, "a.txt") not in _touches("tool a.txt", operands=_words("makes"))


def test_an_option_that_takes_a_value_hides_it_from_what_is_read() -> None:
    fields = {"operands": _words("reads"), "values": _words("-n")}
    assert _touches("tool -n five a.txt", **fields) == [(Action.READ, "a.txt")]


def test_a_program_names_further_options_for_what_it_makes() -> None:
    assert (Action.OVERWRITE, "trace") in _touches("tool -w trace", outputs=_words("-w"))
    assert _touches("tool -w trace") == []


def test_some_options_make_no_file() -> None:
    assert (Action.OVERWRITE, "yaml") in _touches("tool -o yaml")
    assert _touches("tool -o yaml", also=_words("no-outputs")) == []


def test_a_program_changes_nothing_without_one_of_its_words() -> None:
    fields = {"operands": _words("uses", "replaces"), "changing": ("-all*", "rm")}
    assert (Action.TRUNCATE, "/home/me/a.jpg") in _touches("tool -all= /home/me/a.jpg", **fields)
    assert _touches("tool /home/me/a.jpg", **fields) == [(Action.LIST, "/home/me/a.jpg")]


def test_an_unknown_word_for_operands_is_a_mistake_with_its_place() -> None:
    (problem,) = read_source('[tool]\noperands = ["read"]\n').problems
    assert (problem.line, problem.hint) == (2, "did you mean `reads`?")
