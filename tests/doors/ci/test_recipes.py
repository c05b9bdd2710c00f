"""The recipes of docs/scripts.md, as they stand there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from github_runner import entries
from tests.doors.ci.test_integrations import ROOT, action, shell

PAGE = (ROOT / "docs/scripts.md").read_text()
RECIPES = {
    int(number): text for number, text in re.findall(r"^## (\d)\. .*?\n(.*?)(?=^## )", PAGE, re.M | re.S)
}
FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.M | re.S)
SESSION = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def write(recipe, folder):
    for name, text in FILE.findall(RECIPES[recipe]):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    (folder / "ci").symlink_to(ROOT / "ci")


def test_there_are_five():
    assert sorted(RECIPES) == [1, 2, 3, 4, 5]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [1, 4, 5])
def test_a_session_prints_what_the_page_says(recipe, tmp_path):
    write(recipe, tmp_path)
    sessions = SESSION.findall(RECIPES[recipe])
    assert sessions
    for command, expected in re.findall(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", "".join(sessions), re.M | re.S):
        done = shell(f"set +e; exec 2>&1; {command}", tmp_path)
        assert done.stdout.decode() == expected, command


def test_the_workflow_of_github(step, machine):
    write(2, machine.project)
    workflow = yaml.safe_load((machine.project / ".github/workflows/deploy.yml").read_text())
    _, begin, deploy = workflow["jobs"]["deploy"]["steps"]
    assert begin["uses"].startswith("OWNER/fairlead@")
    done, _ = action(step, machine.project, **begin["with"])
    assert (done.returncode, (machine.project / "hooks.xml").exists()) == (0, True)
    assert deploy["if"] == f"steps.{begin['id']}.outputs.hook-ends != 'true'"
    assert entries(step.output)["hook-ends"] == "false"
    assert shell(deploy["run"], machine.project, **entries(step.env)).stdout == b"deploying 1.2.3\n"


def test_the_pipeline_of_gitlab(tmp_path):
    write(3, tmp_path)
    pipeline = yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text())
    template = yaml.safe_load((tmp_path / pipeline["include"]["local"]).read_text())
    base = template[pipeline["begin"]["extends"]]
    done = shell("\n".join(base["script"]), tmp_path, **(base["variables"] | pipeline["begin"]["variables"]))
    assert done.returncode == 0
    report = (tmp_path / base["artifacts"]["reports"]["dotenv"]).read_text()
    handed = dict(line.split("=", 1) for line in report.splitlines())
    deploy = shell("\n".join(pipeline["deploy"]["script"]), tmp_path, **handed)
    assert deploy.stdout == b"skipped\n"
    handed.pop("CI_MODE")
    assert shell("\n".join(pipeline["deploy"]["script"]), tmp_path, **handed).stdout == b"deploying 1.2.3\n"


def test_scripts_of_the_recipes_are_clean(tmp_path):
    shellcheck = Path(sys.executable).parent / "shellcheck"
    for recipe in RECIPES:
        folder = tmp_path / str(recipe)
        folder.mkdir()
        write(recipe, folder)
        scripts = [str(path) for path in folder.rglob("*.sh") if path.read_text().startswith("#!")]
        done = subprocess.run(
            [shellcheck, "-e", "SC1090,SC1091", *scripts], capture_output=True, text=True, check=False
        )
        assert done.stdout == ""
