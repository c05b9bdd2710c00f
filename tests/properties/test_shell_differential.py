"""The reader against bash itself: both must find the same arguments in the same directories."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from fairlead.shell.reader import read_script
from shell_scripts import Scripts

BASH = shutil.which("bash")
TOOLS = (
    "bash", "env", "nice", "timeout", "nohup", "xargs", "cat", "basename", "dirname", "rev", "tr", "cut",
    "base64",
)  # fmt: skip
RECORD = tuple[str | None, ...]
PROBE = """#!/bin/bash
printf '%s\\0' "$PWD" "$@" >> "$PROBE_LOG"
printf '\\1\\0' >> "$PROBE_LOG"
"""

pytestmark = pytest.mark.skipif(
    BASH is None or any(shutil.which(tool) is None for tool in TOOLS),
    reason="needs bash and the usual small tools to compare with",
)


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PATH on which `probe` writes down its directory and arguments."""
    folder = tmp_path_factory.mktemp("stubs")
    probe = folder / "probe"
    probe.write_text(PROBE)
    probe.chmod(0o755)
    for tool in TOOLS:
        (folder / tool).symlink_to(str(shutil.which(tool)))
    return folder


def in_bash(script: str, work: Path, environment: dict[str, str]) -> tuple[list[RECORD], str]:
    log = work / "log"
    log.touch()
    done = subprocess.run(
        [str(BASH), "-c", script],
        cwd=work,
        env=environment | {"PROBE_LOG": str(log)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    records = log.read_bytes().decode("utf-8", "surrogateescape").split("\1\0")[:-1]
    return [tuple(record.split("\0")[:-1]) for record in records], done.stderr.decode("utf-8", "replace")


def as_read(script: str, work: Path, environment: dict[str, str]) -> list[RECORD]:
    found = read_script(script, cwd=str(work), home=environment["HOME"], environment=environment)
    probes = [command for command in found.commands if command.name == "probe"]
    return [(command.cwd, *(word.text for word in command.argv[1:])) for command in probes]


def compare(seed: int, work: Path, stubs: Path) -> None:
    for folder in ("b", "home/a", "home/b"):
        (work / folder).mkdir(parents=True)
    environment = {
        "PATH": str(stubs),
        "HOME": str(work / "home"),
        "OLDPWD": str(work / "b"),
        "LC_ALL": "C.UTF-8",
    }
    script = Scripts(seed).script()
    ran, errors = in_bash(script, work, environment)
    refused = any(
        word in errors for word in ("syntax error", "unexpected EOF", "bad substitution", "identifier")
    )
    if refused or "$b" in script:
        return  # bash itself would not read it, or a value happened to name a variable
    assert Counter(as_read(script, work, environment)) == Counter(ran), f"seed {seed}\n{script}\n{errors}"


@pytest.mark.parametrize("batch", range(4))
def test_the_reader_expands_words_as_bash_does(batch: int, tmp_path: Path, stubs: Path) -> None:
    for seed in range(batch * 10, batch * 10 + 10):
        compare(seed, tmp_path / str(seed), stubs)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_the_reader_agrees_with_bash_on_hundreds_of_scripts(batch: int, tmp_path: Path, stubs: Path) -> None:
    for seed in range(1_000 + batch * 40, 1_000 + batch * 40 + 40):
        compare(seed, tmp_path / str(seed), stubs)
