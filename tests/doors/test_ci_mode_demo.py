"""The demo of modes: every mode has its own visible result."""

import os
import subprocess
from pathlib import Path

import pytest
from bash_shell import HOOKS

DEMO = Path(__file__).parents[2] / "demos" / "ci-mode"


def run(script, **environment):
    return subprocess.run(
        [DEMO / script],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd="/",
        timeout=60,
        check=False,
        env={"PATH": os.environ["PATH"], "FAIRLEAD_HOOKS": str(HOOKS), **environment},
    )


@pytest.mark.parametrize(
    ("mode", "code", "said"),
    [
        ("EXEC", 0, ["compiling in mode EXEC", "compiled", "finished: mode EXEC, exit code 0"]),
        (
            "DRY",
            0,
            [
                "would run: echo compiling in mode DRY",
                "would run: sleep 0",
                "would run: echo compiled",
                "finished: mode DRY, exit code 0",
            ],
        ),
        ("OK", 0, ["finished: mode OK, exit code 0"]),
        ("SKIP", 0, ["finished: mode SKIP, exit code 0"]),
        ("ERROR", 42, ["finished: mode ERROR, exit code 42"]),
        (f"TEST:{DEMO}/mock-compile.sh", 3, ["the compiler is mocked", "finished: mode TEST, exit code 3"]),
    ],
)
def test_each_mode(mode, code, said):
    done = run("ci-20-compile.sh", CI_SCRIPT_MODE=mode, CI_SCRIPT_ERROR_CODE="42")
    assert done.returncode == code
    assert done.stdout.splitlines() == [f"mode of ci-20-compile: {mode}", *said]


def test_the_timeout_is_a_real_one():
    done = run("ci-20-compile.sh", CI_SCRIPT_MODE="TIMEOUT:0.5", COMPILE_SECONDS="50")
    assert done.returncode == 124
    assert done.stdout.splitlines()[1:] == [
        "compiling in mode TIMEOUT",
        "finished: mode TIMEOUT, exit code 124",
    ]


def test_a_mode_for_one_script_beats_the_mode_for_all():
    done = run("ci-20-compile.sh", CI_SCRIPT_MODE="ERROR", HOOKS_FLOW_MODE_ci_20_compile="OK")
    assert done.returncode == 0


@pytest.mark.slow
def test_the_whole_demo_runs():
    done = run("demo.ci-modes-middleware.sh")
    assert done.returncode == 0
    for convention in ("kv", "json", "export"):
        assert f"convention {convention}:\n  plain output\n  DRY_RUN=true\n" in done.stdout
    assert (
        "default middleware:\ncontract:DRY_RUN=true\nplain output\n  exit code 4, DRY_RUN=false"
        in done.stdout
    )
