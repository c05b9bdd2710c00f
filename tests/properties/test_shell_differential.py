"""The reader against bash itself: both must find the same arguments in the same directories."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from fairlead.shell.reader import read_script
from fairlead.shell.script import Command
from shell_scripts import BranchingScripts, Scripts

BASH = shutil.which("bash")
TOOLS = (
    "bash", "env", "nice", "timeout", "nohup", "xargs", "cat", "basename", "dirname", "rev", "tr", "cut",
    "base64",
)  # fmt: skip
RECORD = tuple[str | None, ...]
REFUSED = ("syntax error", "unexpected EOF", "bad substitution", "identifier")
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


def probes(script: str, work: Path, environment: dict[str, str]) -> list[Command]:
    found = read_script(script, cwd=str(work), home=environment["HOME"], environment=environment)
    return [command for command in found.commands if command.name == "probe"]


def prepared(work: Path, stubs: Path) -> dict[str, str]:
    for folder in ("b", "home/a", "home/b"):
        (work / folder).mkdir(parents=True)
    return {
        "PATH": str(stubs),
        "HOME": str(work / "home"),
        "OLDPWD": str(work / "b"),
        "LC_ALL": "C.UTF-8",
    }


def compare(seed: int, work: Path, stubs: Path) -> None:
    environment = prepared(work, stubs)
    script = Scripts(seed).script()
    ran, errors = in_bash(script, work, environment)
    if any(word in errors for word in REFUSED) or "$b" in script:
        return  # bash itself would not read it, or a value happened to name a variable
    read = [(each.cwd, *(word.text for word in each.argv[1:])) for each in probes(script, work, environment)]
    assert Counter(read) == Counter(ran), f"seed {seed}\n{script}\n{errors}"


def fits(record: RECORD, command: Command) -> bool:
    """Whether the command, as it was read, can be the one that bash ran."""
    if command.cwd not in (None, record[0]) and record[0] not in command.cwd_else:
        return False
    words = command.argv[1:]
    known = next((index for index, word in enumerate(words) if word.opaque), None)
    if known is None:
        return tuple(word.text for word in words) == record[1:]
    return tuple(word.text for word in words[:known]) == record[1 : known + 1]


def cover(seed: int, work: Path, stubs: Path) -> None:
    environment = prepared(work, stubs)
    script = BranchingScripts(seed).script()
    ran, errors = in_bash(script, work, environment)
    read = probes(script, work, environment)
    missed = [record for record in ran if not any(fits(record, command) for command in read)]
    assert not missed, f"seed {seed}\n{script}\n{errors}"


@pytest.mark.parametrize("batch", range(4))
def test_the_reader_expands_words_as_bash_does(batch: int, tmp_path: Path, stubs: Path) -> None:
    for seed in range(batch * 10, batch * 10 + 10):
        compare(seed, tmp_path / str(seed), stubs)


@pytest.mark.parametrize("batch", range(2))
def test_no_branch_hides_what_bash_runs(batch: int, tmp_path: Path, stubs: Path) -> None:
    for seed in range(batch * 15, batch * 15 + 15):
        cover(seed, tmp_path / str(seed), stubs)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_the_reader_agrees_with_bash_on_hundreds_of_scripts(batch: int, tmp_path: Path, stubs: Path) -> None:
    for seed in range(1_000 + batch * 40, 1_000 + batch * 40 + 40):
        compare(seed, tmp_path / f"exact{seed}", stubs)
        cover(seed, tmp_path / f"branches{seed}", stubs)
