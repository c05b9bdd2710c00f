"""What files of programs say about running other programs."""

import pytest

from fairlead.shell.following.runners import runner_for
from fairlead.shell.programs.checks import faults_of, followed_by, missing_examples
from fairlead.shell.programs.compiler import COMPILED, compiled_modules, read_families
from fairlead.shell.programs.record import Fetches, Interprets, Loads, Runs, value_from
from fairlead.shell.programs.running import (
    FETCHES,
    FOLLOWED,
    INTERPRETS,
    LOADS,
    RUNS,
    SHELLS,
    fetches_of,
    interprets_of,
    loads_of,
    running_of,
)
from fairlead.shell.programs.source import Source, read_source
from fairlead.shell.reader import read_script


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
        ('[d]\nruns = {operands = "two"}', "`operands` is not a number", 9),
        ("[d]\nruns = {operands = true}", "`operands` is not a number", 9),
        ('[d]\nruns = {place = "moon"}', "unknown place `moon`", 9),
        ("[d]\nruns = {itself = 1}", "`itself` is not true or false", 9),
        ('[d]\nruns = {values = "-n"}', "`values` is not a list of texts", 9),
        ('[d]\nruns = ["exec"]', "`runs` is no table", 1),
        ('[d]\ninterprets = "python"', "`interprets` is no table", 1),
        ('[d]\ninterprets = {code = ["-e"]}', "`interprets` needs `language`", 1),
        ('[d]\nloads = {given = "all"}', "`given` is not one of any, archives", 10),
        ('[d]\nfetches = {tree = "yes"}', "`tree` is not true or false", 12),
        ('[d]\ninterprets = {language = "r", codes = ["-e"]}', "unknown key `codes` in `interprets`", 31),
        ('[d]\ninterprets = {language = "r", sources = 1}', "`sources` is not true or false", 31),
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


def test_a_program_is_like_one_that_says_itself_what_it_does() -> None:
    (problem,) = read_source('[a]\n[b]\nlike = "a"\n[c]\nlike = "b"').problems
    assert (problem.line, problem.text) == (5, "c: no program `b` to be like stands in this file")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[d]\nruns = [{on = "exec"}, {on = ["run", "exec"]}]', "says twice what `exec` runs"),
        ("[d]\nruns = [{}, {}]", "says twice what `d` runs"),
        ('[d]\nbefore = ["-n"]\nruns = {}', "`before` says nothing without a subcommand"),
        ('[d]\nruns = {values = ["-name"]}', "is read as single letters"),
        ('[d]\nrunner = "a:b"\nshell_text = ["-e"]', "only one of runner, shell_text can be followed"),
    ],
)
def test_what_cannot_be_meant_is_a_fault(text: str, told: str) -> None:
    assert any(told in fault for fault, _ in faults_of(only(text)))


def test_a_program_that_runs_others_needs_examples() -> None:
    faults = [fault for fault, _ in missing_examples(only("[nohup]\nruns = {}"))]
    assert faults == ["no example that stops", "no example that passes"]


def test_the_compiled_module_says_what_the_files_say() -> None:
    families = read_families()
    assert (COMPILED / "running.py").read_text() == compiled_modules(families)["running.py"]
    for source in [source for family in families for source in family.programs]:
        for name in (source.name, *source.same):
            assert (name in RUNS) == bool(source.runs)
            assert (name in FOLLOWED) == bool(followed_by(source))
            assert (name in FETCHES) == (source.fetches is not None)
            assert (name in LOADS) == (source.loads is not None)
            assert (name in SHELLS or name in INTERPRETS) == (source.interprets is not None)
            if source.runs:
                running = running_of(name)
                told = {tuple(on.split()): runs for runs in source.runs for on in runs.on}
                assert running.subcommands == told
                assert running.itself == next((runs for runs in source.runs if not runs.on), None)
            if name in INTERPRETS:
                assert interprets_of(name) == source.interprets
            if name in FETCHES:
                assert fetches_of(name) == source.fetches
            if name in LOADS:
                assert loads_of(name) == source.loads


def test_every_program_that_is_followed_has_what_follows_it() -> None:
    for name in FOLLOWED:
        assert callable(runner_for(name))


def test_code_is_given_in_options_that_the_record_names() -> None:
    python = only('[python]\ninterprets = {language = "python", code = ["-c"], module = ["-m"]}').interprets
    assert python == Interprets("python", code=frozenset({"-c"}), module=frozenset({"-m"}))


def test_code_may_be_stuck_to_its_option() -> None:
    (found,) = read_script("perl -e=begin", cwd="/nowhere", home="/home/user").code
    assert found.text == "=begin"


def test_input_that_leaves_to_a_shell_is_named() -> None:
    assert only('[ftp]\nescapes = ["stdin"]').escapes == ("stdin",)
    assert [
        fault for fault, _ in faults_of(only('[ftp]\nescapes = ["-e"]\nstops = ["a"]\npasses = ["b"]'))
    ] == ["`escapes` are read from the input as well: name `stdin` there"]


def test_what_a_program_brings_and_loads_is_read() -> None:
    text = '[d]\nfetches = {on = "get", outputs = ["-o"]}\nloads = {recipes = ["dfile"], given = "archives"}'
    told = only(text)
    assert told.fetches == Fetches(on=("get",), outputs=("-o",))
    assert told.loads == Loads(recipes=("dfile",), given="archives")


def test_a_value_comes_back_from_its_constants() -> None:
    assert value_from(Runs, {"values": ("-n",), "operands": 1}) == Runs(values=frozenset({"-n"}), operands=1)
    assert value_from(Loads, {"files": ("a",)}) == Loads(files=("a",))
