"""A change is only fair if the shell agrees that the command is still the same one."""

import os
import random
import subprocess

import pytest

from benchmarks.guard.changes import ANY, SIMPLE, changed, is_simple
from benchmarks.guard.fuzz import fault_of
from benchmarks.guard.grammar import Grammar
from benchmarks.guard.judge import Judgement
from benchmarks.guard.lines import Line
from benchmarks.guard.mentions import SHELL
from fairlead.model.decision import Decision

COMMAND = "probe one --two=3 /four"
ELSEWHERE = {"su -c", "script -c"}
"""They need another user or a terminal, which a test does not have."""


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    """A program that notes its arguments, and the environment in which a shell finds it."""
    folder = tmp_path_factory.mktemp("probe")
    program = folder / "probe"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {folder}/arguments\n')
    program.chmod(0o755)
    return folder


def arguments_of(probe, text):
    notes = probe / "arguments"
    notes.unlink(missing_ok=True)
    environment = {"PATH": f"{probe}:{os.defpath}"}
    subprocess.run(["bash", "-c", f"{text}\nwait"], env=environment, capture_output=True, check=False)
    return notes.read_text().split("\n")[:-1]


@pytest.mark.parametrize("name", sorted({*ANY, *SIMPLE} - ELSEWHERE))
def test_a_changed_command_runs_the_same_program_with_the_same_arguments(probe, name):
    text = (ANY | SIMPLE)[name](COMMAND)
    assert arguments_of(probe, text) == ["one", "--two=3", "/four"]


def test_only_one_program_with_plain_words_is_simple():
    assert is_simple("rm -rf /home/user")
    for text in ("cd /", "rm -rf *", "a; b", "X=1 a", "echo $HOME", "echo 'a b'", "if true"):
        assert not is_simple(text)


def test_a_script_that_defines_an_alias_is_left_alone():
    assert list(changed("alias x='rm -rf'; x /")) == []


def test_a_tilde_is_not_moved_to_where_it_is_no_tilde():
    assert "words=" not in "".join(text for _, text in changed("rm -rf ~"))


def test_the_same_choices_give_the_same_text():
    first, second = (Grammar(random.Random(4).choice).script(3) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("decision", "nanoseconds", "broken", "fault"),
    [
        (Decision.BLOCK, 1, "it raised", "broken"),
        (Decision.BLOCK, 10**9, "", "slow"),
        (Decision.CONTINUE, 1, "", "passed"),
        (Decision.ASK, 1, "", ""),
    ],
)
def test_a_finding_says_what_is_wrong(decision, nanoseconds, broken, fault):
    judgement = Judgement(Line("x", "rm -rf /", "block"), decision, "", "", nanoseconds, broken)
    assert fault_of(judgement, must_block=True).split(":")[0] == fault


@pytest.mark.parametrize("name", sorted(SHELL))
def test_a_command_that_is_only_mentioned_does_not_run(probe, tmp_path, name):
    (probe / "arguments").unlink(missing_ok=True)
    environment = {"PATH": f"{probe}:{os.defpath}", "HOME": str(tmp_path), "GIT_CEILING_DIRECTORIES": "/"}
    text = SHELL[name](f"{COMMAND}; $({COMMAND})")
    subprocess.run(["bash", "-c", text], env=environment, cwd=tmp_path, capture_output=True, check=False)
    assert not (probe / "arguments").exists()
