"""Runs what CI systems would run of the files of this repository."""

import re
import subprocess
from pathlib import Path

import yaml

from bash_versions import search_path
from github_runner import Runner

ROOT = Path(__file__).parents[1]
PATH = search_path()


def shell(program, folder, **environment):
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", program],
        cwd=folder,
        env={"PATH": PATH, "HOME": str(folder), **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )


def action(step, folder, described_in="action.yml", **inputs):
    """Every step of the action, as the runner runs it; the outputs of the last one."""
    described = yaml.safe_load((ROOT / described_in).read_text())
    assert set(inputs) <= set(described["inputs"])
    known = {f"inputs.{name}": str(each.get("default", "")) for name, each in described["inputs"].items()}
    known |= {f"inputs.{name}": value for name, value in inputs.items()} | {
        "github.action_path": str((ROOT / described_in).parent)
    }
    log = b""
    for each in described["runs"]["steps"]:
        assert "${{" not in each["run"], "an input in the text of a script would be code"
        given = {
            name: re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], value)
            for name, value in each["env"].items()
        }
        done = shell(each["run"], folder, **step.environment, **given)
        log += done.stdout
        if done.returncode:
            break
    return done, Runner().read(log)
