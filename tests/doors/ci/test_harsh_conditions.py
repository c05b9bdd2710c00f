"""What a pipeline does to a step: streams that are closed or full, readers that leave, odd files."""

import os
import subprocess
import sys

import pytest

from github_runner import entries

FAIRLEAD = f"{sys.executable} -I -m fairlead"


def shell(machine, program):
    return subprocess.run(
        ["bash", "-c", program], cwd=machine.project, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("option", ["", "--contract", "--gitlab"])
def test_a_hook_whose_output_nobody_can_read_runs_to_its_end(machine, hooks, option):
    hooks("begin-1.sh", "yes | head -n 100000; echo contract:A=1; touch ended; exit 5")
    done = shell(machine, f"{FAIRLEAD} run begin {option} | head -n 1; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, (machine.project / "ended").exists()) == (5, True)
    assert "Traceback" not in done.stderr
    if option != "--gitlab":
        assert "stdout cannot be written (Broken pipe)" in done.stderr


@pytest.mark.parametrize("option", ["", "--contract"])
def test_output_that_is_lost_is_no_success(machine, hooks, option):
    hooks("begin-1.sh", "echo out; touch ended")
    done = shell(machine, f"{FAIRLEAD} run begin {option} >/dev/full")
    assert (done.returncode, (machine.project / "ended").exists()) == (1, True)
    assert (
        done.stderr
        == "fairlead: stdout cannot be written (No space left on device): what hooks print is lost\n"
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
@pytest.mark.parametrize("option", ["", "--contract"])
def test_closed_streams_are_the_callers_wish(machine, hooks, closed, option):
    hooks("begin-1.sh", "echo out; echo err >&2; exit 3")
    done = shell(machine, f"{FAIRLEAD} run begin {option} {closed}")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_listed_is_an_error(machine):
    (machine.project / "loop").symlink_to("loop")
    done = machine.fairlead("run", "begin", "--dir", "loop")
    assert (done.returncode, b"cannot be listed: Too many levels" in done.stderr) == (1, True)


def test_a_variable_that_is_too_long_for_the_next_program_is_126(machine, hooks):
    hooks("begin-1.sh", "printf contract:A=; head -c 200000 /dev/zero | tr '\\0' x; echo")
    hooks("begin-2.sh", "echo next")
    done = machine.fairlead("run", "begin", "--contract")
    assert (done.returncode, b"Argument list too long" in done.stderr) == (126, True)


def test_names_that_are_not_utf_8_reach_every_report(machine, hooks):
    folder = os.fsencode(machine.project / "ci-cd")
    with open(
        folder + b"/begin-\xff.sh", "wb", opener=lambda name, flags: os.open(name, flags, 0o755)
    ) as file:
        file.write(b"#!/bin/sh\necho 'contract:\xfe'; exit 4\n")
    for words in (["--json"], ["--junit", "j.xml", "--report", "r.json"], ["--gitlab"], ["--contract"]):
        done = machine.fairlead("run", "begin", *words)
        assert (done.returncode, b"Traceback" in done.stderr) == (4, False)


def test_files_of_a_step_that_are_none(step, hooks, machine):
    hooks("begin-1.sh", "touch ran")
    fifo = machine.project / "fifo"
    os.mkfifo(fifo)
    done, _ = step.run(GITHUB_ENV=str(fifo))
    assert (done.returncode, (machine.project / "ran").exists()) == (1, False)


def test_a_summary_that_cannot_be_written_fails_nothing(step, hooks):
    hooks("begin-1.sh", "echo contract:A=1")
    done, runner = step.run(GITHUB_STEP_SUMMARY="/nowhere/summary")
    assert (done.returncode, entries(step.env)) == (0, {"A": "1"})
    assert "there is no summary" in runner.named("warning")[0][1]


def test_steps_side_by_side_lose_nothing_of_one_another(step, hooks, machine):
    for name in "abc":
        hooks(f"{name}-1.sh", f"sleep 0.1; echo contract:{name.upper()}=1")
    words = [sys.executable, "-I", "-m", "fairlead", "run", "--github"]
    started = [
        subprocess.Popen(
            [*words, name],
            cwd=machine.project,
            env=os.environ | step.environment,
            stdout=subprocess.DEVNULL,
        )
        for name in "abc"
    ]
    assert [each.wait(60) for each in started] == [0, 0, 0]
    assert entries(step.env) == {"A": "1", "B": "1", "C": "1"}


def test_the_folder_of_the_step_is_no_secret(step, hooks, machine):
    hooks("begin-1.sh", "pwd")
    _, runner = step.run(PWD=str(machine.project), OLDPWD=str(machine.project))
    assert str(machine.project) in runner.shown


def test_what_a_daemon_of_a_hook_prints_later_is_no_command(step, hooks, machine):
    hooks("begin-1.sh", "(trap '' PIPE; sleep 0.3; echo ::error::forged; touch late) & disown; echo started")
    hooks("begin-2.sh", "for i in {1..200}; do [ ! -e late ] || break; sleep 0.05; done; echo waited")
    done, runner = step.run()
    assert (done.returncode, runner.named("error")) == (0, [])
    assert {"started", "waited"} <= set(runner.shown)


@pytest.mark.parametrize("option", ["--github", "--gitlab", "--contract"])
def test_a_step_that_is_cancelled_has_shown_what_its_hook_printed_and_ends_it(step, hooks, machine, option):
    hooks("begin-1.sh", "echo contract:A=1; echo started; trap '' TERM; while :; do sleep 0.05; done")
    words = [sys.executable, "-I", "-m", "fairlead", "run", "begin", option, "--grace", "0.1"]
    process = subprocess.Popen(
        words, cwd=machine.project, env=os.environ | step.environment, stdout=subprocess.PIPE
    )
    shown = b""
    while b"started" not in shown:
        shown += process.stdout.readline()
    process.terminate()
    shown += process.stdout.read()
    process.stdout.close()
    assert process.wait(30) == 143
    assert shown.count(b"::stop-commands::") == shown.count(b"::endgroup::")
    assert shown.count(b"section_start") == shown.count(b"section_end")
