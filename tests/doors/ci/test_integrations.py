"""The action, the template, the snippet and the manifest of this repository: what they run is run here."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ci_systems import ROOT, action, shell
from github_runner import entries


def test_the_action_runs_a_hook_and_hands_on_what_it_set(step, machine, hooks):
    hooks("deploy-1.sh", 'printf "%s|" "$@"; echo; echo contract:VERSION=1.2; echo contract:mode=dry')
    arguments = "production\na b  c\n*\n"
    done, runner = action(step, machine.project, hook="deploy", arguments=arguments, options="--timeout=30\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "production|a b  c|*|" in runner.shown
    assert entries(step.env) == {"VERSION": "1.2", "CI_MODE": "DRY", "DRY_RUN": "true"}
    described = yaml.safe_load((ROOT / "action.yml").read_text())["outputs"]
    assert set(described) == set(entries(step.output)) - set(entries(step.env))


def test_the_action_fails_as_its_hook_does(step, machine, hooks):
    hooks("deploy-1.sh", "echo contract:mode=error:42")
    done, _ = action(step, machine.project, hook="deploy")
    assert (done.returncode, entries(step.output)["hook-ends"]) == (42, "true")


@pytest.mark.parametrize("hook", ["$(touch pwned)", "x; touch pwned", "--help", "-x"])
def test_inputs_of_the_action_are_no_code_and_no_options(step, machine, hooks, hook):
    done, _ = action(step, machine.project, hook=hook, arguments="$(touch pwned)\n`touch pwned`")
    assert done.returncode != 0 or hook in ("-x", "--help")
    assert not (machine.project / "pwned").exists()
    assert b"Usage" not in done.stdout


def test_the_template_for_gitlab(machine, hooks):
    hooks("deploy-1.sh", "echo to $1; echo contract:VERSION=1.2")
    job = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text())[".fairlead-hook"]
    program = "\n".join([*job["before_script"], *job["script"]])
    variables = job["variables"] | {"HOOK": "deploy", "HOOK_ARGUMENT": "the production"}
    done = shell(program, machine.project, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"to the production\n" in done.stdout
    for report in job["artifacts"]["reports"].values():
        assert (machine.project / report).stat().st_size > 0
    assert (machine.project / "fairlead.env").read_text() == "VERSION=1.2\n"


def test_the_template_for_gitlab_without_argument_and_with_a_failing_hook(machine, hooks):
    hooks("begin-1.sh", "echo $#; exit 5")
    job = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text())[".fairlead-hook"]
    done = shell("\n".join(job["script"]), machine.project, **job["variables"])
    assert (done.returncode, b"\n0\n" in done.stdout) == (5, True)
    assert (machine.project / "fairlead-junit.xml").exists()


MAKEFILE = f"""
include {ROOT}/ci/hooks.mk
deploy:
\t$(call with_hook,begin,echo deploying $$VERSION)
"""


@pytest.mark.parametrize(
    ("hook", "words", "code", "said"),
    [
        ("echo contract:VERSION=1.2; echo for $1", ["deploy"], 0, "for deploy\ndeploying 1.2\n"),
        ("echo contract:mode=skip", ["deploy"], 0, ""),
        ("echo contract:mode=error:42", ["deploy"], 2, ""),
        ("exit 3", ["deploy"], 2, ""),
        ("echo alone $1", ["hook-begin", "HOOK_ARGUMENTS=x"], 0, "alone x\n"),
    ],
)
def test_the_snippet_for_make(machine, hooks, hook, words, code, said):
    hooks("begin-1.sh", hook)
    (machine.project / "Makefile").write_text(MAKEFILE)
    (machine.project / "tmp").mkdir()
    done = shell(f"make {shlex.join(words)}", machine.project, TMPDIR=str(machine.project / "tmp"))
    assert (done.returncode, done.stdout.decode()) == (code, said)
    assert os.listdir(machine.project / "tmp") == []


def manifest(name):
    return next(
        each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if each["id"] == name
    )


def test_the_manifest_for_pre_commit_runs_the_hook_with_the_changed_files(machine, hooks):
    hooks("pre-commit-1.sh", 'printf "%s|" "$@"; exit 1')
    hooks("pre-commit-2.sh", "echo never")
    entry = manifest("fairlead-hook")
    words = [*shlex.split(entry["entry"]), *entry["args"], "a.py", "-b c.py"]
    done = shell(shlex.join(words), machine.project)
    assert (done.returncode, done.stdout) == (1, b"a.py|-b c.py|")


def test_the_manifest_for_pre_commit_checks_the_policy(machine):
    entry = manifest("fairlead-policy")
    policy = machine.project / ".fairlead/hooks/pre-tool-use/hook.meta.yaml"
    policy.parent.mkdir(parents=True)
    assert re.search(entry["files"], str(policy.relative_to(machine.project)))
    for text, code in (("middleware: []\n", 0), ("midleware: []\n", 1)):
        policy.write_text(f"id: x\nevent: PreToolUse\n{text}")
        done = shell(entry["entry"], machine.project, FAIRLEAD_HOME=str(machine.home))
        assert done.returncode == code, done.stdout


def test_the_manifest_for_pre_commit_scans_the_changed_files(machine):
    entry = manifest("fairlead-scan")
    for text, code in (("echo\n", 0), ("rm -rf ~\n", 1)):
        (machine.project / "a b.sh").write_text(text)
        (machine.project / "README.md").write_text("rm -rf ~\n")
        done = shell(shlex.join([*shlex.split(entry["entry"]), "a b.sh", "README.md"]), machine.project)
        assert done.returncode == code, done.stderr


def test_the_action_scans_and_no_file_commands_the_runner(step, machine):
    (machine.project / "a.sh").write_text("rm -rf ~ # ::error::pwned\n  ::error::pwned rm -rf ~\n")
    done, runner = action(step, machine.project, "scan/action.yml", sarif="out.sarif", paths="a.sh\n")
    assert (done.returncode, entries(step.output)) == (1, {"exit-code": "1"})
    assert runner.named("error") == []
    assert any("recursive-delete-outside-project" in line for line in runner.shown)
    assert json.loads((machine.project / "out.sarif").read_text())["runs"][0]["results"]


def test_the_action_passes_where_nothing_is_found(step, machine):
    (machine.project / "a.sh").write_text("npm publish\n")
    assert action(step, machine.project, "scan/action.yml")[0].returncode == 0
    strict, _ = action(step, machine.project, "scan/action.yml", strict="true")
    assert strict.returncode == 1


@pytest.mark.parametrize("paths", ["$(touch pwned)", "--help", "a.sh; touch pwned"])
def test_paths_of_the_scan_are_no_code_and_no_options(step, machine, paths):
    done, _ = action(step, machine.project, "scan/action.yml", paths=paths)
    assert done.returncode == 64
    assert not (machine.project / "pwned").exists()


def test_the_scripts_are_clean():
    shellcheck = Path(sys.executable).parent / "shellcheck"
    files = [str(path) for path in (ROOT / "ci").glob("*.sh")]
    done = subprocess.run([shellcheck, *files], capture_output=True, text=True, check=False)
    assert done.stdout == ""
