"""Programs that people teach: what they may add, and what they may not take away."""

from __future__ import annotations

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import call_named
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.programs.taught import TaughtFile, read_taught, teach

FOOCTL = """
[fooctl]
same = ["foo-cli"]
does = [{on = "delete cluster", effect = "cluster/delete-data"}]
stops = ["fooctl delete cluster x"]
passes = ["fooctl delete draft x"]
"""


def taught(text: str, *, trusted: bool = True) -> Programs:
    return teach([TaughtFile("fooctl.toml", text.encode(), trusted)]).programs


def decided(line: str, programs: Programs) -> Decision:
    call = call_named("Bash", {"command": line})
    event = Event(EventName.BEFORE_TOOL, root="/nowhere/project", cwd="/nowhere/project", tool=call)
    found = block_dangerous_commands(event, {}, (), programs=programs)
    return found.decision if found is not None else Decision.CONTINUE


@pytest.mark.parametrize("name", ["fooctl", "foo-cli", "sudo fooctl", "env A=1 fooctl", "/opt/bin/fooctl"])
def test_a_taught_deed_is_stopped_under_every_name(name: str) -> None:
    assert decided(f"{name} delete cluster x", taught(FOOCTL)) is Decision.BLOCK


def test_a_taught_program_is_read_by_its_record_and_no_longer_by_guessing() -> None:
    assert decided("fooctl delete tenant x", SHIPPED) is Decision.ASK
    assert decided("fooctl delete tenant x", taught(FOOCTL)) is Decision.CONTINUE


def test_a_project_that_is_not_trusted_adds_to_the_guesses() -> None:
    programs = taught(FOOCTL, trusted=False)
    assert decided("fooctl delete cluster x", programs) is Decision.BLOCK
    assert decided("fooctl delete tenant x", programs) is Decision.ASK


def test_no_unnamed_option_hides_what_an_untrusted_project_adds() -> None:
    programs = taught(FOOCTL, trusted=False)
    assert decided("fooctl --context prod delete cluster x", programs) is Decision.BLOCK


def test_what_is_added_counts_for_the_shells_own_commands_too() -> None:
    programs = taught('[cd]\ndoes = [{on = "/prod", effect = "cloud/delete"}]', trusted=False)
    assert decided("cd /prod", programs) is Decision.BLOCK
    assert decided("cd /dev", programs) is Decision.CONTINUE


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("line", ["kubectl delete ns prod", "rm -rf ~", "git push --force origin main"])
def test_what_is_taught_about_a_known_program_takes_nothing_away(line: str, trusted: bool) -> None:
    name = line.split()[0]
    programs = taught(f'[{name}]\ndoes = [{{on = "frob", effect = "cloud/delete"}}]', trusted=trusted)
    assert decided(line, programs) is Decision.BLOCK
    assert decided(f"{name} frob", programs) is Decision.BLOCK


def test_files_that_a_taught_program_is_given_are_looked_at() -> None:
    assert decided("fooctl get --output ~/.bashrc", taught(FOOCTL)) >= Decision.ASK


def test_values_of_options_are_no_words_of_a_taught_program() -> None:
    text = FOOCTL.replace("[fooctl]", '[fooctl]\nvalues = ["--context"]')
    assert decided("fooctl --context delete cluster", taught(text)) is Decision.CONTINUE
    assert decided("fooctl --context prod delete cluster x", taught(text)) is Decision.BLOCK


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('[f]\ncode = "git.git_command:read_git"', 2, 1, "`code` names functions of Fairlead"),
        ('["*"]\nalso = []\n[f]\nsame = ["kube*"]', 4, 14, "ends in a star"),
        ('[f]\nrunner = "search_programs:run_find"', 2, 1, "`runner` names functions of Fairlead"),
        ("[f]\nruns = {}", 2, 1, "`runs` is for Fairlead's own records"),
        ('[f]\ndoes = [{effect = "publish/known-task"}]', 2, 20, "no rule minds `publish/known-task`"),
        ("[f]\ndoess = []", 2, 1, "unknown key `doess`"),
        ('[f]\ndoes = [{on = "x", effect = "cluster/frob"}]', 2, 30, "unknown effect `cluster/frob`"),
        ('[f]\ndoes = [{on = "a|** b", effect = "cloud/delete"}]', 2, 16, "`**` stands inside the choice"),
        ('[f]\ndoes = [{on = "Delete", effect = "cloud/delete"}]', 2, 16, "small letters"),
        ('[f]\nvalues = ["-foo"]', 2, 12, "single letters"),
        ("[f\n", 1, 3, ""),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, line: int, column: int, words: str) -> None:
    _, problems = read_taught(text.encode())
    assert [(each.line, each.column) for each in problems] == [(line, column)]
    assert words in problems[0].text


def test_a_deed_that_an_earlier_one_hides_is_told() -> None:
    deeds = '{on = "delete", effect = "cloud/delete"}, {on = "delete x", effect = "cloud/destroy"}'
    _, problems = read_taught(f"[f]\ndoes = [{deeds}]".encode())
    assert "never reached" in problems[0].text


def test_text_that_is_not_utf_8_is_a_problem_and_no_crash() -> None:
    assert read_taught(b"[f]\nabout = '\xff'")[1][0].text.startswith("this is not UTF-8")


@pytest.mark.parametrize(
    "words",
    [
        "--context prod delete cluster x",
        "-n prod delete cluster x",
        "-vn prod delete cluster x",
        "--verbose delete --context prod cluster x",
    ],
)
def test_an_option_that_the_record_does_not_name_hides_no_deed_behind_its_value(words: str) -> None:
    assert decided(f"fooctl {words}", taught(FOOCTL)) is Decision.BLOCK


@pytest.mark.parametrize(
    "words", ["--context prod get clusters", "--context prod --dry-run delete cluster x"]
)
def test_an_option_that_the_record_does_not_name_makes_no_deed_of_others(words: str) -> None:
    assert decided(f"fooctl {words}", taught(FOOCTL)) is Decision.CONTINUE


def test_a_listed_program_keeps_what_is_known_of_its_files_whoever_teaches_it() -> None:
    programs = taught('[cat]\noperands = ["text"]')
    assert decided("cat ~/.ssh/id_rsa", programs) is decided("cat ~/.ssh/id_rsa", SHIPPED)
    assert programs.find("cat") == SHIPPED.find("cat")


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("[f]\nabout = " + "[\n" * 5_000 + "]\n" * 5_000, 1, 1, "nested too deeply"),
        ("[f]\nabout = " + "{a = [\n" * 2_000, 1, 1, "nested too deeply"),
        ("[f]\nabout = " + "9" * 100_000, 2, 4_001, "too long"),
        (f"[{'.'.join('a' * 50_000)}]", 1, 4_001, "too long"),
        ("# x\n" * 100_000, 1, 1, "larger than 256 KiB"),
        (
            "[f]\ndoes = [\n" + '{on = "a", effect = "cloud/delete"},\n' * 201 + "]",
            2,
            1,
            "more than 200 of `does`",
        ),
        (
            '[f]\ndoes = [{on = "' + "** a " * 30 + '", effect = "cloud/delete"}]',
            2,
            16,
            "`**` stands more than 2 times",
        ),
    ],
)
def test_a_file_that_would_hold_up_the_reader_is_refused(
    text: str, line: int, column: int, words: str
) -> None:
    sources, problems = read_taught(text.encode())
    assert sources == ()
    assert [(each.line, each.column) for each in problems] == [(line, column)]
    assert words in problems[0].text


def test_only_the_first_hundred_problems_of_a_file_are_told() -> None:
    text = "".join(f"[f{number}]\nfrob = 1\n" for number in range(5_000))
    assert len(read_taught(text.encode())[1]) == 100


def test_files_of_strangers_take_no_room_from_those_that_are_trusted() -> None:
    large = ("# x\n" * 60_000).encode()
    strangers = [TaughtFile(f"{number}.toml", large, trusted=False) for number in range(6)]
    found = teach([*strangers, TaughtFile("mine.toml", FOOCTL.encode(), trusted=True)])
    assert decided("fooctl delete cluster x", found.programs) is Decision.BLOCK
    assert {each.path for each in found.problems} == {"4.toml", "5.toml"}
    assert "left out" in found.problems[0].problem.text


def test_text_that_is_not_utf_8_is_told_with_its_place() -> None:
    problem = read_taught("[f]\nabout = 'é".encode() + b"\xff'")[1][0]
    assert (problem.line, problem.column) == (2, 11)
