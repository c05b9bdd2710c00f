from importlib import import_module

import pytest
from fairlead.shell.effects.program_families import FAMILIES, MODULES

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.reader import read_script


@pytest.mark.parametrize("family", FAMILIES)
def test_the_table_names_every_program_that_a_family_reads(family: str) -> None:
    read = set(import_module(f"fairlead.shell.effects.{MODULES[family]}").TABLE)
    own = {program for program in read if not (family == "git" and program.startswith("git-"))}
    assert own == set(FAMILIES[family].split())


def test_no_program_belongs_to_two_families() -> None:
    programs = [program for listed in FAMILIES.values() for program in listed.split()]
    assert len(programs) == len(set(programs))


def test_a_command_that_a_loop_repeats_is_judged_once() -> None:
    script = read_script(
        "for i in {1..50}; do nice rm -f /srv/a 2> /dev/null; done", cwd="/p", home="/home/no-one"
    )
    found = [e for e in effects_of(script, Surroundings("/p", "/home/no-one")) if e.action is Action.DELETE]
    assert len(script.commands) >= 50
    assert len(found) == 1
