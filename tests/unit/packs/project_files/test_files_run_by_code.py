"""Files that code runs: scripts that it starts, whichever language it is written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.hook import Outcome
from tests.unit.packs.guard_kit import judge, shell_event
from tests.unit.packs.project_files.project_kit import commit, put


def said(root: Path, command: str) -> Outcome:
    return judge(shell_event(command, root=str(root)))


STARTING = [
    """python3 -c "import os;os.system('bash x.sh')" """,
    """python3 -c "import os;os.system('./x.sh')" """,
    """python3 -c "import subprocess as s;s.run(['./x.sh'])" """,
    """python3 -c "import subprocess;subprocess.check_call(['bash', 'x.sh'])" """,
    """node -e "require('child_process').execSync('./x.sh')" """,
    """perl -e 'system("./x.sh")' """,
    """ruby -e 'system "./x.sh"' """,
]


@pytest.mark.parametrize("command", STARTING)
def test_a_script_that_code_starts_is_read(tmp_path: Path, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf ~\n")
    assert said(tmp_path, command).decision is Decision.BLOCK


@pytest.mark.parametrize("command", STARTING)
def test_a_harmless_script_that_code_starts_passes(tmp_path: Path, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf build\n")
    assert said(tmp_path, command).decision is Decision.CONTINUE


USE = 'import subprocess\nsubprocess.check_call(["bash", "x.sh"])\n'


def test_a_script_that_a_file_of_code_starts_is_read_and_the_way_to_it_is_told(tmp_path: Path) -> None:
    commit(tmp_path, use_py=USE)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf ~\n")
    outcome = said(tmp_path, "python use.py")
    assert outcome.decision is Decision.BLOCK
    assert "use.py:1 → x.sh:2 (written since the last commit)" in str(outcome)


@pytest.mark.parametrize(("changed", "verdict"), [("", Decision.CONTINUE), ("x.sh", Decision.BLOCK)])
def test_the_script_is_judged_by_whose_it_is_and_not_by_whose_the_code_is(
    tmp_path: Path, changed: str, verdict: Decision
) -> None:
    line = "#!/bin/sh\ngit push --force origin main\n"
    commit(tmp_path, use_py=USE, x_sh=line)
    if changed:
        put(tmp_path, changed, f"{line}\necho more\n")
    assert said(tmp_path, "python use.py").decision is verdict


def test_what_code_runs_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    commit(tmp_path, use_py=USE, x_sh="echo fine\n")
    assert said(tmp_path, "python use.py").decision is Decision.CONTINUE
    put(tmp_path, "x.sh", "rm -rf ~\n")
    assert said(tmp_path, "python use.py").decision is Decision.BLOCK


def test_code_that_runs_itself_and_its_neighbours_over_and_over_ends(tmp_path: Path) -> None:
    commit(tmp_path)
    lines = [f"os.system('python f{number}.py')" for number in range(30)]
    for number in range(30):
        put(tmp_path, f"f{number}.py", "import os\n" + "\n".join(lines))
    assert said(tmp_path, "python f0.py").decision is Decision.CONTINUE
