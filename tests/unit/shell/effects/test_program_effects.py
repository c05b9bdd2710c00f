"""A deed is found by its pattern, wherever the pattern lets its first word stand."""

import pytest

from fairlead.shell.effects.program_effects import deeds_reader
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.record import Deed, Program
from fairlead.shell.script import Command, Word


def deed(on: str, way: str, *needs: str) -> Deed:
    return Deed(on, "change-cloud", way, needs)


READ = deeds_reader(
    Program(
        "tool",
        "tests",
        (
            deed("delete|rm app", "app"),
            deed("purge-* now", "purge"),
            deed("** drop|wipe", "anywhere"),
            deed("** zap-* all", "starred"),
            deed("* destroy", "second"),
            deed("", "forced", "--nuke"),
        ),
    )
)
SEARCHING = deeds_reader(Program("tool", "tests", (deed("search|find wipe", "found"),)))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("tool delete app", "app"),
        ("tool --verbose rm app x", "app"),
        ("tool DELETE App", "app"),
        ("tool delete other", None),
        ("tool app delete", None),
        ("tool purge-cache now", "purge"),
        ("tool drop", "anywhere"),
        ("tool a b wipe", "anywhere"),
        ("tool a zap-it all", "starred"),
        ("tool thing destroy", "second"),
        ("tool destroy", None),
        ("tool list --nuke", "forced"),
        ("tool --nuke", "forced"),
        ("tool", None),
        ("tool delete app --dry-run", None),
        ("tool help delete app", None),
        ("tool search wipe", None),
    ],
)
def test_the_first_deed_that_fits_is_found(line: str, name: str | None) -> None:
    command = Command(tuple(map(Word, line.split())), "/p")
    found = [effect.name for effect in READ(command, Surroundings("/p", "/home/me"))]
    assert found == ([] if name is None else [name])


def test_a_program_that_searches_by_its_record_is_asked() -> None:
    command = Command(tuple(map(Word, ("tool", "search", "wipe"))), "/p")
    assert [effect.name for effect in SEARCHING(command, Surroundings("/p", "/home/me"))] == ["found"]
