"""The capture of the bash door loses nothing, whatever a hook or someone else does to it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from bash_shell import Shell, processes_of

SHOWN = """
    mw() { local -n lines=$3; printf '%s\\n' "${lines[@]}"; return "$2"; }
    hooks:declare h
    hooks:middleware h mw
"""
NO_RECORDER = {"FAIRLEAD_RECORDER": "/nowhere", "FAIRLEAD_PYTHON": "/nowhere"}

LEAVES_NONBLOCKING = """
import asyncio, os, sys
async def main():
    loop = asyncio.get_running_loop()
    for pipe in (sys.stdout, sys.stderr):
        await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
    os.write(1, b"from asyncio\\n")
asyncio.run(main())
os._exit(0)
"""


KILL_THE_CHILD = """
import os, sys, time
for _ in range(5):
    time.sleep(0.01)
    children = open(f"/proc/{sys.argv[1]}/task/{sys.argv[1]}/children").read().split()
    if children: os.kill(int(children[0]), 9)
"""


def guard_of(shell: Shell) -> int:
    """The process that the script knows, for a script of this folder."""
    return min(_recorders(shell))


def recorder_of(shell: Shell) -> int:
    """Its child, which records."""
    return max(_recorders(shell))


def _recorders(shell: Shell) -> list[int]:
    found = []
    for process in processes_of(shell.folder):
        with suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
            words = file.read()
            if b"fairlead-recorder" in words or b"RECORD" in words:
                found.append(process)
    return found


def test_a_hook_that_leaves_its_streams_non_blocking_does_not_spoil_the_next(shell):
    (shell.folder / "loop.py").write_text(LEAVES_NONBLOCKING)
    shell.script("h-1.sh", f"exec {sys.executable} {shell.folder}/loop.py")
    shell.script("h-2.sh", "for i in {1..3000}; do echo o$i; echo e$i >&2; done; echo contract:DONE=1")
    done = shell.run("""
        hooks:declare h
        mw() { local -n lines=$3; count+=" ${#lines[@]}"; _hooks:obey "$1" "$3"; return "$2"; }
        hooks:middleware h mw
        for i in 1 2 3; do DONE=''; hooks:do h; count+=" $DONE"; done
        echo $count
    """)
    assert (done.returncode, done.stdout) == (0, "1 6001 1 1 6001 1 1 6001 1\n")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here: its streams are not tried")
def test_node_is_captured_whole_and_so_is_what_follows(shell):
    (shell.folder / "a.js").write_text(
        'for (let i = 0; i < 500; i++) { console.log("o" + i); console.error("e" + i) }'
    )
    shell.script("h-1.sh", f"exec {shutil.which('node')} {shell.folder}/a.js")
    shell.script("h-2.sh", "for i in {1..500}; do echo x$i; done")
    done = shell.run(f"{SHOWN}\nhooks:do h")
    lines = done.stdout.splitlines()  # node tries again later what has no room, so its order is its own
    assert [line for line in lines if line.startswith("1: o")] == [f"1: o{i}" for i in range(500)]
    assert [line for line in lines if line.startswith("2: e")] == [f"2: e{i}" for i in range(500)]
    assert lines[1000:] == [f"1: x{i}" for i in range(1, 501)]


def test_what_a_background_child_prints_is_not_in_the_capture_of_a_later_hook(shell):
    go = shell.folder / "go"
    shell.script(
        "h-1.sh", f"( until [[ -e {go} ]]; do sleep 0.01; done; echo late; : >{go}.done ) & echo first"
    )
    shell.script("h-2.sh", f": >{go}; until [[ -e {go}.done ]]; do sleep 0.01; done; echo second")
    done = shell.run(f"{SHOWN}\nhooks:do h")
    assert (done.stdout, done.stderr) == ("1: first\n1: second\n", "")


def test_what_a_background_child_prints_at_once_belongs_to_its_hook(shell):
    shell.script("h-1.sh", "( sleep 0.02; echo soon ) & echo first")
    done = shell.run(f"{SHOWN}\nhooks:do h")
    assert done.stdout == "1: first\n1: soon\n"


def test_a_recorder_that_was_given_up_ends_when_nobody_writes_any_more(shell):
    shell.script("h-1.sh", "sleep 0.5 & echo x")
    body = f"""{SHOWN}
        hooks:do h; old=${{__HOOKS_ORDERS[0]}}
        for ((i = 0; i < 500; i++)); do [[ -e $old ]] || break; sleep 0.02; done
        [[ -e $old ]] || echo gone
    """
    assert shell.run(body).stdout == "1: x\ngone\n"


def test_a_background_process_of_the_script_itself_costs_no_new_recorder(shell):
    shell.script("h-1.sh", "echo x")
    body = f"""
        {SHOWN}
        hooks:do h; before=${{__HOOKS_ORDERS[0]}}
        ( sleep 20; : ) >/dev/null 2>&1 & job=$!
        hooks:do h; hooks:do h
        [[ $before == "${{__HOOKS_ORDERS[0]}}" ]] && echo the same
        kill $job
    """
    assert shell.run(body).stdout == "1: x\n" * 3 + "the same\n"


def test_a_function_that_ends_a_subshell_loses_nothing_of_what_it_printed(shell):
    done = shell.run(f"""{SHOWN}
        hook:end() {{ echo end; }}
        hook:h() {{ echo within; exit 5; }}
        ( hooks:do h; echo never ) || echo "code $?"
        ( trap 'echo own' EXIT; hooks:do h ) || echo "code $?"
    """)
    assert done.stdout == "within\ncode 5\nwithin\nown\ncode 5\nend\n"


@pytest.mark.parametrize("level", ["4.4", "5.0", "5.1"])
def test_a_bash_that_puts_texts_into_files_captures_as_well(shell, level):
    """As 4.4 and 5.0 do, and later ones when they are told to be compatible with them."""
    shell.script("h-1.sh", "for i in 1 2 3; do echo o$i; echo e$i >&2; done")
    done = shell.run(f"trap 'echo mine' EXIT; {SHOWN}\nhooks:do h; hooks:do h", BASH_COMPAT=level)
    lines = [f"{n}: {s}{i}" for i in (1, 2, 3) for n, s in ((1, "o"), (2, "e"))]
    assert (done.stdout.splitlines(), done.stderr) == ([*lines, *lines, "mine"], "")


# A recorder that is killed


def test_a_recorder_that_is_killed_between_hooks_is_replaced(shell):
    shell.script("h-1.sh", "for i in {1..5000}; do echo line $i; done")
    kill = "kill -9 $(cut -d/ -f3 <<<${__HOOKS_ORDERS[0]}); while [[ -e ${__HOOKS_ORDERS[0]} ]]; do :; done"
    done = shell.run(f"{SHOWN}\nhooks:do h >/dev/null; {kill}; hooks:do h")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 5000)
    assert "the recorder was killed: another one is started" in done.stderr


class Paused:
    """A script whose hook has printed 600 lines and waits before it goes on."""

    PRINTING = "for i in {1..300}; do echo o$i; echo e$i >&2; done"

    def __init__(self, shell: Shell, *, function: bool = False) -> None:
        self._written, self._go_on = shell.folder / "written", shell.folder / "go-on"
        waiting = f": >{self._written}; until [[ -e {self._go_on} ]]; do sleep 0.02; done"
        hook = f"{self.PRINTING}; {waiting}; {self.PRINTING}; exit_with() {{ return 3; }}; exit_with"
        if not function:
            shell.script("h-1.sh", hook)
        shell.script("h-2.sh", "echo next")
        body = f"{SHOWN}\n{'hook:h() { ' + hook + '; }' if function else ''}\nhooks:do h; echo code $?"
        self._process = subprocess.Popen(
            ["bash", shell.main(body, strict=False)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=shell.environment(HOOKS_EXIT_POLICY="worst"),
        )
        while not self._written.exists():
            time.sleep(0.01)

    def finished(self) -> tuple[list[str], str]:
        self._go_on.touch()
        out, err = self._process.communicate(timeout=20)
        return out.splitlines(), err


PRINTED = [line for i in range(1, 301) for line in (f"1: o{i}", f"2: e{i}")]


@pytest.mark.parametrize("function", [False, True])
@pytest.mark.parametrize("times", [1, 3])
def test_a_hook_whose_recorder_is_killed_loses_nothing_and_goes_on(shell, function, times):
    script = Paused(shell, function=function)
    killed: set[int] = set()
    while len(killed) < times:
        recorder = recorder_of(shell)
        if recorder not in killed and recorder != guard_of(shell):
            os.kill(recorder, signal.SIGKILL)
            killed.add(recorder)
        time.sleep(0.01)
    lines, said = script.finished()
    assert lines == [*PRINTED, *PRINTED, "1: next", "code 3"]
    assert "another one took over, and nothing is lost" in said


def test_a_hook_whose_recorder_is_killed_while_it_writes_loses_nothing(shell):
    shell.script("h-1.sh", "for i in {1..4000}; do echo $i; done; echo contract:DONE=1")
    kill = f"{sys.executable} -S -c '{KILL_THE_CHILD}' $(cut -d/ -f3 <<<${{__HOOKS_ORDERS[0]}})"
    done = shell.run(f"{SHOWN}\nhooks:do h >/dev/null\n{kill} & hooks:do h; wait")
    assert done.stdout.splitlines() == [*(f"1: {i}" for i in range(1, 4001)), "1: contract:DONE=1"]


def test_what_a_hook_wrote_before_guard_and_recorder_were_killed_is_kept(shell):
    script = Paused(shell)
    recorder = recorder_of(shell)
    for process in (guard_of(shell), recorder):
        os.kill(process, signal.SIGKILL)
    while recorder in _recorders(shell):
        time.sleep(0.01)
    lines, said = script.finished()
    assert (lines[:600], lines[-2:]) == (PRINTED, ["1: next", "code 141"])
    assert "what the hook had written until then is kept" in said


def test_a_bound_on_the_script_outlives_its_recorder(shell):
    shell.script("h-1.sh", "echo contract:mode=timeout:1")
    started = shell.folder / "started"
    main = shell.main(f"""
        hooks:declare h; hooks:middleware h hooks:middleware:contract
        hooks:do h; hooks:flow:apply; : >{started}; sleep 20
    """)
    script = subprocess.Popen(["bash", main], stderr=subprocess.DEVNULL, env=shell.environment())
    while not started.exists():
        time.sleep(0.01)
    os.kill(recorder_of(shell), signal.SIGKILL)
    assert script.wait(timeout=10) == 124


def test_a_script_whose_recorder_is_gone_can_be_ended(shell):
    written = shell.folder / "written"
    shell.script("h-1.sh", f"trap '' PIPE; echo x; : >{written}; sleep 20")
    main = shell.main(f"{SHOWN}\nhooks:do h")
    script = subprocess.Popen(
        ["bash", main], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=shell.environment()
    )
    while not written.exists():
        time.sleep(0.01)
    os.kill(recorder_of(shell), signal.SIGKILL)
    time.sleep(0.05)
    script.terminate()
    assert script.wait(timeout=10) in (143, -15)


# Without a recorder


def test_without_a_recorder_a_hook_does_not_read_the_script_that_bash_reads_from_its_input(shell):
    shell.script("h-1.sh", "cat >/dev/null; echo hook")
    text = shell.main(f"{SHOWN}\nhooks:do h\necho the rest").read_text()
    for environment in (NO_RECORDER, {}):
        done = subprocess.run(
            ["bash"],
            input=text,
            capture_output=True,
            text=True,
            cwd=shell.folder,
            env=shell.environment(**environment),
            check=False,
        )
        assert done.stdout == "1: hook\nthe rest\n"


def test_a_capture_within_a_capture_reads_nothing_and_keeps_its_order(shell):
    shell.script("inner-1.sh", "cat >/dev/null; for i in 1 2 3; do echo o$i; echo e$i >&2; done")
    done = shell.run(
        f"""{SHOWN}
        hooks:declare inner
        hooks:middleware inner mw
        hook:h() {{ echo before; hooks:do inner; echo after >&2; }}
        while read -r line; do hooks:do h; echo "$line"; done
        """,
        input="one\ntwo\n",
    )
    inner = [f"1: {n}: {s}{i}" for i in (1, 2, 3) for n, s in ((1, "o"), (2, "e"))]
    assert done.stdout.splitlines() == [
        "1: before",
        *inner,
        "2: after",
        "one",
        "1: before",
        *inner,
        "2: after",
        "two",
    ]


@pytest.mark.parametrize("environment", [{}, NO_RECORDER])
def test_bytes_that_a_shell_cannot_hold_are_left_out_and_said(shell, environment):
    shell.script("h-1.sh", r"printf 'a\0b\n\0c\n'; printf '\0x' >&2")
    done = shell.run(f"{SHOWN}\nhooks:do h", **environment)
    assert done.stdout == "1: ab\n1: c\n2: x\n"
    assert "3 of them are left out" in done.stderr


def test_an_old_python_says_what_it_is_and_what_is_needed(shell):
    old = shell.folder / "python3"
    old.write_text(
        "#!/bin/sh\necho '! it is Python 3.6 on linux, and 3.8 or later on Linux is needed'; exit 1\n"
    )
    old.chmod(0o755)
    shell.script("h-1.sh", "echo x")
    done = shell.run(f"{SHOWN}\nhooks:do h", FAIRLEAD_RECORDER="/nowhere", FAIRLEAD_PYTHON=str(old))
    assert done.stdout == "1: x\n"
    assert "it is Python 3.6 on linux, and 3.8 or later on Linux is needed" in done.stderr


# More than can be kept

FLOOD = """
import os
os.write(1, b"contract:FIRST=1\\n")
line = b"x" * 4000 + b"\\n"
for number in range(30000):
    os.write(1 + number % 2, line)
    if number == 15000:
        os.write(1, b"contract:MIDDLE")
        os.write(2, b"between\\n")
        os.write(1, b"=2\\n")
os.write(1, b"contract:LAST=3\\n")
os.write(1, b"the end\\n")
"""


@pytest.mark.slow
def test_of_a_flood_the_head_the_tail_and_all_contracts_are_kept_and_the_cut_is_said(shell):
    (shell.folder / "flood.py").write_text(FLOOD)
    shell.script("h-1.sh", f"exec {sys.executable} {shell.folder}/flood.py")
    done = shell.run("""
        hooks:declare h
        mw() { local -n lines=$3; _hooks:obey "$1" "$3"; echo "${lines[0]} ${lines[-1]}"; }
        hooks:middleware h mw
        hooks:do h
        echo $FIRST $MIDDLE $LAST
    """)
    assert done.stdout == "1: contract:FIRST=1 1: the end\n1 2 3\n"
    assert (
        "bytes of output were too many to keep: the beginning, the end and all contracts are there"
        in done.stderr
    )


MANY = """
import os
for number in range(1_000_100):
    os.write(1, b"\\n")
os.write(1, b"contract:LAST=1\\n")
"""


@pytest.mark.slow
def test_a_million_writes_do_not_lose_the_contract_at_their_end(tmp_path):
    shell = Shell(tmp_path)
    (shell.folder / "many.py").write_text(MANY)
    shell.script("h-1.sh", f"exec {sys.executable} {shell.folder}/many.py")
    done = shell.run("""
        hooks:declare h
        mw() { local -n lines=$3; _hooks:contract "${lines[-1]#1: contract:}"; echo "${#lines[@]} $LAST"; }
        hooks:middleware h mw
        hooks:do h
    """)
    assert (done.stdout, done.stderr) == ("1000101 1\n", "")
