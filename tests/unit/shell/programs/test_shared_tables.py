"""The table `*` of a file of programs, and options that mean help almost everywhere."""

from fairlead.shell.effects.program_effects import deeds_reader
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.record import Deed, Program
from fairlead.shell.programs.source import read_source
from fairlead.shell.script import Command, Word

SHARED = """
["*"]
code = "own.agents:read_agent"
does = [{on = "hooks off", effect = "guard/loosen"}]

[plain]

[special]
code = "own.agents:read_special"
does = [{on = "delete", effect = "cloud/delete"}]
"""


def test_what_every_program_of_a_file_does_is_added_to_what_one_does_itself() -> None:
    plain, special = read_source(SHARED).programs
    assert [deed.on for deed in plain.does] == ["hooks off"]
    assert [deed.on for deed in special.does] == ["delete", "hooks off"]


def test_a_program_names_other_code_than_the_rest_of_its_file() -> None:
    plain, special = read_source(SHARED).programs
    assert (plain.code, special.code) == ("own.agents:read_agent", "own.agents:read_special")


def _effects(program: Program, *words: str) -> list[str]:
    command = Command(tuple(map(Word, words)), "/p")
    return [effect.name for effect in deeds_reader(program)(command, Surroundings("/p", "/home/me"))]


def test_a_last_h_asks_for_help() -> None:
    program = Program("halt", "", (Deed("", "shutdown", "shutdown"),))
    assert _effects(program, "halt", "-h") == []
    assert _effects(program, "halt", "-h", "now") == ["shutdown"]


def test_a_last_h_is_what_the_record_says_where_it_speaks_of_it() -> None:
    deeds = (Deed("", "shutdown", "shutdown", ("-h",)),)
    assert _effects(Program("shutdown", "", deeds), "shutdown", "-h") == ["shutdown"]


def test_a_program_of_which_nothing_is_left_to_read_is_known() -> None:
    assert Program("cmake", "", also=frozenset(("settled",))).known
    assert not Program("cmake", "", also=frozenset(("paths",))).known


def test_a_program_without_a_dry_run_does_not_become_harmless_by_one() -> None:
    deeds = (Deed("* stop", "change-service", "stop-service"),)
    bold = Program("service", "", deeds, also=frozenset(("no-dry-run",)))
    assert _effects(Program("service", "", deeds), "service", "ssh", "stop", "--dry-run") == []
    assert _effects(bold, "service", "ssh", "stop", "--dry-run") == ["stop-service"]
    assert _effects(bold, "service", "ssh", "stop", "--help") == []


def test_a_program_that_acts_word_by_word_is_harmless_only_where_help_is_asked_for_first() -> None:
    heedless = Program("xhost", "", (Deed("+*", "gain-privilege", "xhost"),), also=frozenset(("heedless",)))
    assert _effects(heedless, "xhost", "+", "--help") == ["xhost"]
    assert _effects(heedless, "xhost", "--help", "+") == []
