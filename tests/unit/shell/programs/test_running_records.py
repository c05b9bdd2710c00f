"""What files of programs say about running other programs."""

import pytest

from fairlead.shell.programs.checks import faults_of
from fairlead.shell.programs.compiler import COMPILED, compiled_modules, read_families
from fairlead.shell.programs.record import RUNS_KEYS, Runs, runs_from
from fairlead.shell.programs.running import RUNNING, running_of
from fairlead.shell.programs.source import Source, read_source


def only(text: str) -> Source:
    read = read_source(text)
    assert not read.problems
    return read.programs[-1]


def test_a_program_may_run_what_follows_it() -> None:
    assert only("[nohup]\nruns = {}").runs == (Runs(),)


def test_subcommands_may_run_what_follows_them() -> None:
    text = '[d]\nruns = [{on = ["exec", "container  exec"], operands = 1, place = "container"}, {on = "sh"}]'
    first, second = only(text).runs
    assert first == Runs(on=("exec", "container exec"), operands=1, place="container:")
    assert second.on == ("sh",)


def test_a_command_that_is_never_an_operand_has_all_before_it() -> None:
    assert only('[su]\nruns = {operands = "all", text = ["-c"]}').runs[0].operands == 99


@pytest.mark.parametrize(
    ("text", "told", "column"),
    [
        ("[d]\nruns = {opperands = 1}", "unknown key `opperands` in `runs`", 9),
        ('[d]\nruns = {operands = "two"}', '`operands` is not a number or "all"', 9),
        ("[d]\nruns = {operands = true}", '`operands` is not a number or "all"', 9),
        ('[d]\nruns = {place = "moon"}', "`place` is not one of", 9),
        ("[d]\nruns = {itself = 1}", "`itself` is not true or false", 9),
        ('[d]\nruns = {values = "-n"}', "`values` is not a list of texts", 9),
        ('[d]\nruns = ["exec"]', "`runs` is no table", 1),
        ('[d]\nlike = "x"', "no program `x` to be like stands in this file", 1),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, told: str, column: int) -> None:
    (problem,) = read_source(text).problems
    assert told in problem.text
    assert (problem.line, problem.column) == (2, column)


def test_a_program_like_another_does_what_that_one_does_and_runs_its_own() -> None:
    text = (
        '[sudo]\nvalues = ["-u"]\nalso = ["paths"]\ndoes = [{effect = "privilege/sudo"}]\n'
        'runs = {assignments = true}\nstops = ["sudo x"]\n[doas]\nlike = "sudo"\nruns = {}'
    )
    doas = only(text)
    assert doas.runs == (Runs(),)
    assert (doas.values, doas.also, len(doas.does)) == (("-u",), ("paths",), 1)
    assert not doas.stops


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[d]\nruns = [{on = "exec"}, {on = ["run", "exec"]}]', "says twice what `exec` runs"),
        ("[d]\nruns = [{}, {}]", "says twice what `d` runs"),
        ('[d]\nbefore = ["-n"]\nruns = {}', "`before` says nothing without a subcommand"),
        ('[d]\nruns = {values = ["-name"]}', "is read as single letters"),
    ],
)
def test_what_cannot_be_meant_is_a_fault(text: str, told: str) -> None:
    assert any(told in fault for fault, _ in faults_of(only(text)))


def test_a_program_that_runs_others_needs_examples() -> None:
    faults = [fault for fault, _ in faults_of(only("[nohup]\nruns = {}"))]
    assert faults == ["no example that stops", "no example that passes"]


def test_the_compiled_module_says_what_the_files_say() -> None:
    families = read_families()
    assert (COMPILED / "running.py").read_text() == compiled_modules(families)["running.py"]
    for source in [source for family in families for source in family.programs]:
        for name in (source.name, *source.same):
            assert (name in RUNNING) == bool(source.runs)
            if source.runs:
                running = running_of(name)
                told = {tuple(on.split()): runs for runs in source.runs for on in runs.on}
                assert running.subcommands == told
                assert running.itself == next((runs for runs in source.runs if not runs.on), None)


def test_every_word_of_a_record_is_a_field() -> None:
    assert set(RUNS_KEYS) == set(Runs._fields)
    assert runs_from({"values": ("-n",), "operands": 1}) == Runs(values=frozenset({"-n"}), operands=1)
