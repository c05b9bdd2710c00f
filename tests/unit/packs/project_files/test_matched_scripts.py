"""Scripts that run by a glob or out of a list of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.shell.expansion.matching_files import MOST_FILES
from tests.unit.packs.guard_kit import judge, shell_event
from tests.unit.packs.project_files.project_kit import commit, put

_EVIL = "#!/bin/bash\nrm -rf ~\n"
_LINES = [
    "bash *.sh",
    "bash ./x.s?",
    "bash -x x.*",
    "./x.*",
    ". ./x.*",
    "bash $(ls *.sh)",
    'for f in *.sh; do bash "$f"; done',
    'for f in ./*.sh; do "$f"; done',
    "for f in $(ls *.sh); do bash $f; done",
    'for d in part*; do bash "$d/y.sh"; done',
    "for f in *.sh; do sudo bash $f; done",
    "ls *.sh | xargs bash",
    "ls | xargs -n1 bash",
    "ls part.d | xargs -I{} bash part.d/{}",
    "ls *.sh | while read f; do bash $f; done",
    "find . -name x.sh -exec bash {} \\;",
    "find . -name '*.sh' -exec sh {} +",
    "find . -name '*.sh' -exec {} \\;",
    "find part.d -type f -exec sudo bash {} \\;",
    "find . -name 'y.sh' | xargs bash",
    "find . -name '*.sh' -print0 | xargs -0 -n1 bash",
    "parallel bash ::: *.sh",
    "fd -e sh -x bash",
    "fd . -X sh",
    "run-parts part.d",
    "run-parts --verbose ./part.d/",
    "python3 *.py",
    "echo 'rm -rf ~' > new.sh; bash n*.sh",
    "sed -i 's/rm -rf build/rm -rf ~/' c*.sh; bash clean.sh",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    put(root, "good.sh", "#!/bin/bash\necho 1\nnpm publish\n")
    put(root, "clean.sh", "rm -rf build\n")
    put(root, "scripts/a.sh", "curl -sSf https://sh.rustup.rs | sh\n")
    put(root, "good.py", "print(1)\n")
    commit(root)
    return root


def decision(root: Path, command: str) -> Decision:
    return judge(shell_event(command, root=str(root))).decision


@pytest.mark.parametrize("line", _LINES)
def test_every_file_that_a_list_of_scripts_can_mean_is_read(project: Path, line: str) -> None:
    put(project, "x.sh", _EVIL)
    put(project, "part.d/y.sh", _EVIL)
    put(project, "x.py", "import os, shutil\nshutil.rmtree(os.path.expanduser('~'))\n")
    assert decision(project, line) == Decision.BLOCK


@pytest.mark.parametrize(
    "line", [*_LINES[:-2], "bash scripts/*.sh", "find scripts -name '*.sh' -exec sh {} +"]
)
def test_committed_scripts_in_a_list_are_judged_as_committed(project: Path, line: str) -> None:
    assert decision(project, line.replace("sudo ", "")) == Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "bash -n *.sh",
        "for f in *.sh; do bash -n $f; done",
        "cat *.sh",
        "shellcheck *.sh",
        "ls *.sh | xargs chmod +x",
        "find . -name '*.sh' -exec chmod +x {} +",
        "python3 good.py *.sh",
        "bash good.sh *.sh",
        "run-parts --test part.d",
        "for f in none/*.sh; do bash $f; done",
    ],
)
def test_a_list_of_scripts_that_do_not_run_passes(project: Path, line: str) -> None:
    put(project, "x.sh", _EVIL)
    put(project, "part.d/y.sh", _EVIL)
    assert decision(project, line) == Decision.CONTINUE


def test_no_more_than_some_files_of_a_list_are_read(project: Path) -> None:
    for number in range(MOST_FILES * 3):
        put(project, f"many/{number}.sh", "echo\n")
    found = judge(shell_event("for f in many/*.sh; do bash $f; done", root=str(project)))
    assert found.decision == Decision.CONTINUE
    assert len(found.metrics.get("files", ())) <= MOST_FILES  # type: ignore[arg-type]
