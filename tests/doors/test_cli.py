"""The command line: exit codes, words on stderr, data on stdout."""

import json

import pytest


def test_check_blocks_with_exit_code_2_and_says_which_part(machine):
    done = machine.fairlead("check", "cd / && rm -rf *")
    assert done.returncode == 2
    assert b"rm -rf *" in done.stdout and b"filesystem/" in done.stdout


def test_check_passes_with_exit_code_0(machine):
    assert machine.fairlead("check", "ls -la").returncode == 0


def test_check_of_another_tool(machine):
    assert machine.fairlead("check", "--tool", "Read", ".env").returncode == 2
    assert machine.fairlead("check", "--tool", "Read", "README.md").returncode == 0


def test_check_as_json_has_the_verdict_and_every_outcome(machine):
    verdict = json.loads(machine.fairlead("check", "--json", "rm -rf /").stdout)
    assert verdict["decision"] == "block"
    assert verdict["rule"] and verdict["evidence"][0]["text"]
    assert {"block-dangerous-commands"} <= {outcome["hook"] for outcome in verdict["outcomes"]}


def test_check_leaves_no_record(machine):
    machine.fairlead("check", "ls")
    assert machine.journal() == []


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["check"], ["check", "--no-such-option", "x"], ["explain"], ["explain", "x", "--last"]],
)
def test_wrong_usage_is_exit_code_64_and_never_2(machine, words):
    done = machine.fairlead(*words)
    assert done.returncode == 64
    assert done.stderr and not done.stdout


def test_a_misspelt_command_is_met_with_the_nearest(machine):
    assert b"did you mean `fairlead check`" in machine.fairlead("chekc", "ls").stderr


def test_explain_without_a_journal_says_so(machine):
    done = machine.fairlead("explain", "--last")
    assert done.returncode == 1 and b"no call" in done.stderr


def test_help_lists_the_commands_with_examples(machine):
    shown = machine.fairlead("--help").stdout
    assert b"Examples:" in shown and b"check" in shown
    for name in ("check", "explain", "hook"):
        assert b"Example" in machine.fairlead(name, "--help").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(machine, shell):
    assert b"_FAIRLEAD_COMPLETE" in machine.fairlead("completion", shell).stdout


def test_parse_shows_what_would_run_and_runs_nothing(machine):
    done = machine.fairlead("parse", "echo cm0gLXJmIC8K | base64 -d | sh")
    assert done.returncode == 0
    assert b"rm -rf /" in done.stdout


def test_parse_as_json_has_every_command(machine):
    found = json.loads(machine.fairlead("parse", "--json", "cd /tmp && ls").stdout)
    assert [command["cwd"] for command in found["commands"]][1] == "/tmp"
