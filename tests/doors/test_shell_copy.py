"""A copy of hooks.bash: one file that works where there is no Fairlead, and can tell that it is old."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bash_shell import Shell
from click.testing import CliRunner

from fairlead.doors.bash import copying
from fairlead.doors.bash.copying import Copy, state, text_of_copy
from fairlead.doors.cli.commands.advanced.shell import command
from fairlead.errors import FairleadError


@pytest.fixture
def copy(tmp_path) -> Path:
    return tmp_path / "ci" / "hooks.bash"


def fairlead_shell(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, ["bash", *words], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.output


def run(shell: Shell, copy: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    shell.script("h-1.sh", "echo out; echo err >&2; echo contract:A=1")
    main = shell.folder / "main.sh"
    main.write_text(f"""set -euo pipefail
        source {copy}
        hooks:declare h
        hooks:middleware h hooks:middleware:contract
        hooks:do h
        echo "A=$A"
    """)
    alone = {"PATH": "/usr/bin:/bin", "TMPDIR": str(shell.folder), **environment}
    return subprocess.run(["bash", main], capture_output=True, text=True, env=alone, check=False)


def test_a_copy_works_alone_and_finds_a_recorder_beside_itself(tmp_path, copy):
    assert fairlead_shell("--copy", str(copy))[0] == 0
    (tmp_path / "project").mkdir()
    shell = Shell(tmp_path / "project")
    assert run(shell, copy).stdout == "out\nA=1\n"
    recorder = Path(sys.executable).with_name("fairlead-recorder")
    if not recorder.exists():
        pytest.skip("there is no compiled recorder here: none can lie beside the copy")
    shutil.copy(recorder, copy.parent)
    done = run(shell, copy, FAIRLEAD_PYTHON="/nowhere")
    assert (done.stdout, done.stderr) == ("out\nA=1\n", "err\n")


def test_a_copy_without_any_recorder_captures_plainly_and_says_so(tmp_path, copy):
    fairlead_shell("--copy", str(copy))
    (tmp_path / "project").mkdir()
    done = run(Shell(tmp_path / "project"), copy, FAIRLEAD_PYTHON="/nowhere")
    assert done.stdout == "out\nA=1\n"
    assert "no recorder could be started: there is neither fairlead-recorder nor python3" in done.stderr


def test_a_copy_can_be_sourced_through_a_pipe(tmp_path, copy):
    fairlead_shell("--copy", str(copy))
    body = f"""source <(cat {copy})
        hooks:declare h
        hook:h() {{ echo o; echo e >&2; }}
        mw() {{ local -n l=$3; echo ${{l[*]}}; }}
        hooks:middleware h mw
        hooks:do h"""
    alone = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    done = subprocess.run(["bash", "-c", body], capture_output=True, text=True, env=alone, check=True)
    assert (done.stdout, done.stderr) == ("1: o 2: e\n", "")


def test_the_check_tells_what_a_file_is(copy, monkeypatch):
    assert fairlead_shell("--copy", str(copy), "--check")[0] == 1
    fairlead_shell("--copy", str(copy))
    assert fairlead_shell("--copy", str(copy), "--check")[0] == 0
    monkeypatch.setattr(copying, "__version__", "9.0")
    code, said = fairlead_shell("--copy", str(copy), "--check")
    assert (code, "is old" in said) == (1, True)
    fairlead_shell("--copy", str(copy))
    assert state(copy) is Copy.CURRENT


@pytest.mark.parametrize(("change", "found"), [("echo mine\n", Copy.EDITED), ("", Copy.FOREIGN)])
def test_what_someone_has_changed_or_written_is_not_replaced(copy, change, found):
    copy.parent.mkdir()
    copy.write_text(text_of_copy() + change if change else "#!/bin/sh\necho mine\n")
    before = copy.read_text()
    with pytest.raises(Exception, match="is not replaced"):
        fairlead_shell("--copy", str(copy))
    assert (state(copy), copy.read_text()) == (found, before)


def test_without_options_it_prints_the_path_to_source():
    assert fairlead_shell()[1].strip().endswith("hooks.bash")
    helpers = fairlead_shell("--e-bash")[1].strip()
    body = f"""trap 'echo old $?' EXIT
        source {helpers}
        a() {{ echo a $1; }}
        b() {{ echo b $1; }}
        trap:on a EXIT; trap:on b EXIT TERM; trap:on a EXIT; trap:off b TERM; trap:list EXIT
        exit 3"""
    done = subprocess.run(["bash", "-c", body], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "EXIT: a b\nold 3\na 3\nb 3\n")


def test_helpers_of_e_bash_share_a_trap_whatever_separates_words():
    helpers = fairlead_shell("--e-bash")[1].strip()
    body = f"""set -euo pipefail; IFS=$'\\n\\t'; source {helpers}
        a() {{ echo a; }}; b() {{ echo b; }}; c() {{ echo c; }}
        trap:on a EXIT; trap:on b EXIT; trap:on c EXIT; trap:off b EXIT"""
    done = subprocess.run(["bash", "-c", body], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a\nc\n", "")


def test_helpers_of_e_bash_and_the_end_hook_share_the_exit_trap(tmp_path):
    helpers, hooks = fairlead_shell("--e-bash")[1].strip(), fairlead_shell()[1].strip()
    body = f"""source {helpers}; source {hooks}
        mine() {{ echo mine $1; }}
        trap:on mine EXIT
        hook:end() {{ echo end $1; }}
        exit 4"""
    done = subprocess.run(["bash", "-c", body], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "end 4\nmine 4\n")


@pytest.mark.parametrize("words", [["--copy"], ["--check", "--copy"]])
def test_a_folder_is_no_place_for_a_copy(tmp_path, words):
    with pytest.raises(FairleadError, match="is no copy of"):
        fairlead_shell(*words, str(tmp_path))


def test_a_copy_that_cannot_be_written_is_said():
    with pytest.raises(FairleadError, match="cannot be written"):
        fairlead_shell("--copy", "/proc/hooks.bash")
