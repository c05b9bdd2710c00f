import json
import subprocess
import sys

import pytest


@pytest.fixture
def hooks(machine):
    folder = machine.project / "ci-cd"
    folder.mkdir()

    def script(name, body, mode=0o755):
        (folder / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
        (folder / name).chmod(mode)

    return script


def test_run_shows_the_output_and_answers_with_the_hooks_exit_code(machine, hooks):
    hooks("begin-1.sh", 'echo "out $1"; echo err >&2; exit 3')
    done = machine.fairlead("run", "begin", "--", "a b", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (3, b"out a b\n", b"err\n")


def test_run_prints_the_timeline_as_json(machine, hooks):
    hooks("begin-1.sh", r"echo out; printf '\xff' >&2; kill -9 $$")
    done = machine.fairlead("run", "begin", "--json")
    assert done.returncode == 137
    (ran,) = json.loads(done.stdout)["ran"]
    assert (ran["name"], ran["exit_code"], ran["signal"], ran["exact"]) == ("begin-1.sh", 137, 9, True)
    out, err = ran["timeline"]
    assert (out["stream"], out["text"]) == (1, "out")
    assert (err["bytes"], err["ended"]) == ("ff", False)


def test_run_exports_what_contracts_set_ready_to_be_sourced(machine, hooks):
    hooks("begin-1.sh", 'echo "contract:A=it\'s \\$(x)"; echo contract:exit:8; echo contract:PATH=/evil')
    done = machine.fairlead("run", "begin", "--export", "vars.sh")
    assert done.returncode == 0
    assert b"may not set PATH" in done.stderr
    assert (machine.project / "vars.sh").stat().st_mode & 0o777 == 0o600
    show = '. ./vars.sh; printf "%s|" "$A" "$__HOOKS_FLOW_TERMINATE" "$__HOOKS_FLOW_EXIT_CODE"'
    said = subprocess.run(
        ["bash", "-c", show], cwd=machine.project, capture_output=True, text=True, check=True
    )
    assert said.stdout == "it's $(x)|true|8|"


def test_strict_options_of_run(machine, hooks):
    hooks("begin-1.sh", "exit 3")
    hooks("begin-2.sh", "echo two")
    assert machine.fairlead("run", "begin", "--fail-fast").stdout == b""
    assert machine.fairlead("run", "begin", "--exit-policy", "worst").returncode == 3
    assert machine.fairlead("run", "nothing", "--required").returncode == 127
    hooks("slow-1.sh", "sleep 60")
    assert machine.fairlead("run", "slow", "--timeout", "0.3").returncode == 124


@pytest.mark.parametrize("words", [(), ("begin", "--timeout", "0"), ("bad name",), ("begin", "--nonsense")])
def test_wrong_usage_is_never_taken_for_a_verdict(machine, hooks, words):
    assert machine.fairlead("run", *words).returncode in (1, 64)


def test_tree_shows_what_would_run_in_which_order_and_why(machine, hooks):
    for name in ("pre-20-b.sh", "pre_10-a.sh", "pre_deploy_1.sh"):
        hooks(name, "")
    hooks("pre-notes.md", "", mode=0o644)
    done = machine.fairlead("hooks", "tree", "pre", "pre_deploy", "end")
    assert done.stdout.decode().splitlines() == [
        "pre",
        "  1. pre_10-a.sh  sorted as '10-a'",
        "  2. pre-20-b.sh  sorted as '20-b'",
        "  -  pre-notes.md  is not run: it is not executable: chmod +x",
        "pre_deploy",
        "  1. pre_deploy_1.sh  sorted as '1'",
        "end  (nothing implements it)",
    ]
    shown = json.loads(machine.fairlead("hooks", "tree", "pre", "pre_deploy", "--json").stdout)
    assert [each["name"] for each in shown["pre"]["runs"]] == ["pre_10-a.sh", "pre-20-b.sh"]


def test_tree_of_a_folder_that_is_not_there(machine):
    done = machine.fairlead("hooks", "tree", "pre", "--dir", "nowhere")
    assert (done.returncode, b"there is no folder" in done.stderr) == (64, True)


def test_shell_prints_a_file_that_a_script_can_source(machine):
    done = machine.fairlead("shell", "bash")
    path = done.stdout.decode().strip()
    said = subprocess.run(
        ["bash", "-c", f"source {path}; hooks:declare h; hooks:known h && echo yes"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "yes\n"


def test_a_folder_that_is_named_and_missing_is_told(machine):
    assert machine.fairlead("run", "begin").stderr == b""
    done = machine.fairlead("run", "begin", "--dir", "hooks")
    assert done.returncode == 0
    assert b"there is no folder" in done.stderr


@pytest.mark.parametrize(
    ("lines", "words", "code", "goes_on"),
    [
        ("echo contract:mode=error:42", [], 42, False),
        ("echo contract:exit:7", [], 7, False),
        ("echo contract:exit:0", [], 0, False),
        ("echo contract:mode=skip", [], 0, False),
        ("echo contract:mode=skip", ["--stop-code", "77"], 77, False),
        ("echo contract:mode=ok", ["--stop-code", "77"], 77, False),
        ("echo contract:mode=dry", ["--stop-code", "77"], 0, True),
        ("echo contract:mode=ok; exit 3", ["--stop-code", "77"], 3, False),
        ("echo contract:mode=error:42; exit 3", [], 3, False),
        ("true", ["--stop-code", "77"], 0, True),
    ],
)
def test_apply_acts_and_whoever_sources_the_exports_ends_too(machine, hooks, lines, words, code, goes_on):
    hooks("begin-1.sh", lines)
    done = machine.fairlead("run", "begin", "--apply", "--export", "vars.sh", *words)
    assert done.returncode == code
    step = subprocess.run(["sh", "-c", ". ./vars.sh; echo on"], cwd=machine.project, capture_output=True)
    assert step.stdout == (b"on\n" if goes_on else b"")
    assert step.returncode == (code if code != 77 else 0)


def test_apply_goes_on_with_the_file_that_a_hook_names(machine, hooks):
    hooks("begin-1.sh", "echo contract:mode=test:mock.sh")
    (machine.project / "mock.sh").write_text("echo mocked; exit 5\n")
    done = machine.fairlead("run", "begin", "--apply")
    assert (done.returncode, done.stdout) == (5, b"mocked\n")
    (machine.project / "mock.sh").unlink()
    done = machine.fairlead("run", "begin", "--apply")
    assert (done.returncode, b"which is not there" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "words", [["bad name"], ["begin", "--dotenv", "vars.env"], ["begin", "--stop-code", "77"]]
)
def test_what_could_have_no_effect_is_wrong_usage(machine, hooks, words):
    hooks("begin-1.sh", "touch ran")
    done = machine.fairlead("run", *words)
    assert (done.returncode, (machine.project / "ran").exists()) == (64, False)


def test_a_bound_that_run_cannot_keep_is_said(machine, hooks):
    hooks("begin-1.sh", "echo contract:mode=timeout:5")
    done = machine.fairlead("run", "begin", "--apply", "--export", "vars.sh")
    assert (done.returncode, b"bounds its caller to 5 s" in done.stderr) == (0, True)


def test_a_current_folder_that_is_gone_is_an_error_that_says_so(machine):
    gone = machine.project / "gone"
    gone.mkdir()
    command = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m fairlead run begin"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, b"error: the current folder is gone")


def test_the_folder_is_that_of_the_environment_unless_one_is_named(machine, hooks):
    hooks("begin-1.sh", "echo ran")
    below = machine.project / "below"
    below.mkdir()
    named = {"cwd": below, "environment": {"HOOKS_DIR": "../ci-cd"}}
    assert machine.fairlead("run", "begin", **named).stdout == b"ran\n"
    assert b"begin-1.sh" in machine.fairlead("hooks", "tree", "begin", **named).stdout
    gone = machine.fairlead("run", "begin", environment={"HOOKS_DIR": "gone"})
    assert (gone.returncode, gone.stdout) == (0, b"") and b"there is no folder" in gone.stderr
    other = machine.fairlead("run", "begin", "--dir", "ci-cd", environment={"HOOKS_DIR": "gone"})
    assert other.stdout == b"ran\n"


def test_a_null_among_values_is_said_alone(machine, hooks):
    hooks("begin-1.sh", """echo 'contract:{"A": "1", "B": null}'""")
    done = machine.fairlead("run", "begin", "--contract", "--json")
    assert json.loads(done.stdout)["variables"] == {"A": "1"}
    told = machine.fairlead("run", "begin", "--contract").stderr.decode()
    assert 'contract:{"B": null} is ignored: null is no value' in told and '"A"' not in told
