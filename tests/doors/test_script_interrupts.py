"""Who ends a script ends its hooks, whichever door they came through."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bash_shell import Shell, processes_of

MIDDLEWARE = """
    mw() { local -n lines=$3; printf '%s\\n' "${lines[@]}"; return "$2"; }
    hooks:declare h
"""


def wait_for(condition):
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def interrupted(argv, begun: Path, number: int, *, group: bool, **options) -> tuple[int, str, str]:
    """Exit code and output of a script that gets a signal as soon as `begun` is there."""
    folder = begun.parent
    with open(folder / "out", "w") as out, open(folder / "err", "w") as err:
        script = subprocess.Popen(argv, stdout=out, stderr=err, start_new_session=True, **options)
    try:
        wait_for(lambda: begun.exists() and is_waiting(script.pid))
        (os.killpg if group else os.kill)(script.pid, number)
        code = script.wait(timeout=20)
        wait_for(lambda: not command_lines(folder))
    finally:
        if command_lines(folder):
            os.killpg(script.pid, signal.SIGKILL)
    return code, (folder / "out").read_text(), (folder / "err").read_text()


def is_waiting(process: int) -> bool:
    """Bash itself loses a signal that comes just before it waits for its child."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def command_lines(folder: Path) -> list[str]:
    lines = []
    for process in processes_of(folder):
        try:
            lines.append(Path(f"/proc/{process}/cmdline").read_text().rstrip("\0").replace("\0", " "))
        except OSError:
            continue
    return lines


@pytest.mark.parametrize("middleware", ["hooks:middleware h", "hooks:middleware h mw"])
@pytest.mark.parametrize(
    ("number", "group", "code"), [(signal.SIGTERM, False, 143), (signal.SIGINT, True, 130)]
)
def test_w12_w17_a_script_that_is_ended_ends_its_hook_and_end_is_told(
    shell: Shell, middleware: str, number: int, group: bool, code: int
):
    shell.script("h-1.sh", f"echo begun; : >{shell.folder}/begun; sleep 60; echo never")
    main = shell.main(
        f"""{MIDDLEWARE}
        {middleware}
        hook:end() {{ echo "end $1"; echo "words of end" >&2; }}
        IFS=,
        hooks:do h
        """
    )
    begun = shell.folder / "begun"
    done = interrupted(["bash", main], begun, number, group=group, env=shell.environment())
    assert done[0] == -number
    assert [line.removeprefix("1: ") for line in done[1].splitlines()] == ["begun", f"end {code}"]
    assert "words of end" in done[2]


def test_what_the_script_itself_has_running_stays_its_own(shell: Shell):
    shell.script("h-1.sh", f": >{shell.folder}/begun; sleep 60")
    main = shell.main("hooks:declare h; sleep 61 & hooks:do h")
    begun = shell.folder / "begun"
    script = subprocess.Popen(
        ["bash", main], env=shell.environment(), start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: begun.exists() and is_waiting(script.pid))
        script.terminate()
        script.wait(timeout=20)
        wait_for(lambda: command_lines(shell.folder) == ["sleep 61"])
    finally:
        os.killpg(script.pid, signal.SIGKILL)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_fairlead_run_ends_its_hook_and_lets_it_clean_up(machine, number: int, code: int):
    folder = machine.project / "ci-cd"
    folder.mkdir()
    begun = machine.project / "begun"
    script = folder / "h-1.sh"
    script.write_text(
        "#!/usr/bin/env bash\ntrap 'echo cleaning up; exit 1' TERM\necho begun\n"
        f": >{begun}\nsleep 60 & wait\n"
    )
    script.chmod(0o755)
    argv = [sys.executable, "-I", "-m", "fairlead", "run", "h"]
    environment = {**os.environ, "TMPDIR": str(machine.project)}
    done = interrupted(argv, begun, number, group=False, cwd=machine.project, env=environment)
    assert (done[0], done[1]) == (code, "begun\ncleaning up\n")


@pytest.mark.parametrize("middleware", ["hooks:middleware h", "hooks:middleware h mw"])
def test_a_program_inherits_none_of_our_descriptors(shell: Shell, middleware: str):
    shell.script("h-1.sh", "ls -l /proc/self/fd")
    plain = subprocess.run([shell.hooks / "h-1.sh"], capture_output=True, text=True, check=True)
    done = shell.run(f"{MIDDLEWARE}\n{middleware}\nhooks:do h")
    assert done.stdout.count("pipe:") == plain.stdout.count("pipe:")
