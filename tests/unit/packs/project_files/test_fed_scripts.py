"""Scripts that run because something is fed them: line by line, or over a connection to this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import judge, shell_event
from tests.unit.packs.project_files.project_kit import commit, put

_LINES = [
    "while read l; do $l; done < x.sh",
    "while IFS= read -r line; do $line; done < x.sh",
    "cat x.sh | while read l; do $l; done",
    "ssh localhost bash -s < x.sh",
    "ssh me@127.0.0.1 < x.sh",
    "ssh localhost 'bash -s' < x.sh",
    "make SHELL=./x.sh",
]


@pytest.mark.parametrize("line", _LINES)
def test_a_script_that_is_fed_is_read(tmp_path: Path, line: str) -> None:
    root = tmp_path / "project"
    commit(root, Makefile="all:\n\techo\n")
    put(root, "x.sh", "rm -rf ~\n")
    assert judge(shell_event(line, root=str(root))).decision == Decision.BLOCK


@pytest.mark.parametrize("line", _LINES)
def test_a_harmless_script_that_is_fed_passes(tmp_path: Path, line: str) -> None:
    root = tmp_path / "project"
    commit(root, Makefile="all:\n\techo\n", x_sh="echo one\nls -l\n")
    assert judge(shell_event(line, root=str(root))).decision == Decision.CONTINUE


@pytest.mark.parametrize(
    "line", ["while read l; do echo $l; done < x.sh", "while read f; do wc -l $f; done < x.sh"]
)
def test_lines_that_are_only_words_of_a_command_are_no_script(tmp_path: Path, line: str) -> None:
    put(tmp_path, "x.sh", "rm -rf ~\n")
    assert judge(shell_event(line, root=str(tmp_path))).decision == Decision.CONTINUE
