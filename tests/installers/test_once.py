"""Ways that are taken once: the source archive, the pure wheel, a formula's and an image's steps."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from fairlead.doors.cli.command_table import COMMANDS
from installers_kit import Newcomer, built, fill, wheel_for_this_machine
from shipping import ROOT, project


def environment(newcomer: Newcomer, package: Path) -> Path:
    """The `fairlead` of a virtual environment with that package."""
    folder = newcomer.home / "environment"
    newcomer.does("python3", "-m", "venv", folder)
    newcomer.does(folder / "bin" / "python", "-m", "pip", "install", package)
    return folder / "bin" / "fairlead"


@pytest.mark.parametrize("package", ["*.tar.gz", "*py3-none-any.whl"])
def test_without_a_compiler_the_client_is_the_one_in_python(newcomer: Newcomer, package: str) -> None:
    fairlead = environment(newcomer, built(package))
    assert newcomer.is_guarded(fairlead)
    assert (newcomer.keeps / "share" / "bin" / "fairlead-hook").read_bytes().startswith(b"#!")


def test_the_wheel_for_this_machine_brings_a_compiled_client(newcomer: Newcomer, released) -> None:
    released()
    fairlead = environment(newcomer, built("*manylinux*x86_64*.whl"))
    assert newcomer.is_guarded(fairlead)
    assert (newcomer.keeps / "share" / "bin" / "fairlead-hook").read_bytes().startswith(b"\x7fELF")


def test_the_steps_of_the_formula_leave_the_command(newcomer: Newcomer) -> None:
    formula = built("fairlead.rb")
    if shutil.which("ruby"):
        subprocess.run(["ruby", "-c", formula], check=True, capture_output=True)
    assert '"pip", "install", "--quiet", buildpath' in formula.read_text()
    with tarfile.open(built("*.tar.gz")) as archive:
        archive.extractall(newcomer.work, filter="data")
    (unpacked,) = newcomer.work.iterdir()
    fairlead = environment(newcomer, unpacked)
    checked = newcomer.runs(fairlead, "check", "rm -rf /")
    assert (checked.returncode, b"block" in checked.stdout) == (2, True)


def test_the_steps_of_the_image_leave_the_command(newcomer: Newcomer, released) -> None:
    root = newcomer.home / "image"
    (root / "usr/local/bin").mkdir(parents=True)
    (root / "wheels").mkdir()
    fill(root / "wheels", [*newcomer.index.glob("*.whl"), *built("*any.whl").parent.glob("*.whl")])
    text = (ROOT / "shipping" / "Containerfile").read_text().replace("\\\n", " ")
    (step,) = re.findall(r"^RUN (.*)$", text, re.MULTILINE)
    step = step.replace("&& useradd --create-home agent", "")
    step = re.sub(r"(?<![\w/])/(opt|wheels|usr)\b", rf"{root}/\1", step)
    newcomer.does("sh", "-ec", step)
    checked = newcomer.runs(root / "usr/local/bin/fairlead", "check", "rm -rf /")
    assert (checked.returncode, b"block" in checked.stdout) == (2, True)
    assert not (root / "wheels").exists()


def test_it_works_with_the_oldest_packages_that_it_says_it_does(newcomer: Newcomer, oldest: Path) -> None:
    fairlead = environment(newcomer, wheel_for_this_machine())
    pip = (fairlead.with_name("python"), "-m", "pip", "install", "--find-links", oldest)
    newcomer.does(*pip, *(need.replace(">=", "==") for need in project()["dependencies"]))
    for command in COMMANDS:
        newcomer.does(fairlead, command, "--help")
    assert newcomer.runs(fairlead, "check", "rm -rf /").returncode == 2
    assert newcomer.is_guarded(fairlead)
    newcomer.purges(fairlead)
