from importlib import import_module

import pytest

from fairlead.shell.effects.families import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_the_table_names_every_program_that_a_family_reads(family: str) -> None:
    read = set(import_module(f"fairlead.shell.effects.{family}").TABLE)
    own = {program for program in read if not (family == "git" and program.startswith("git-"))}
    assert own == set(FAMILIES[family].split())


def test_no_program_belongs_to_two_families() -> None:
    programs = [program for listed in FAMILIES.values() for program in listed.split()]
    assert len(programs) == len(set(programs))
