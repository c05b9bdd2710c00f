"""What a hook asks of its caller, and who hears it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairlead.errors import FairleadError
from hook_files import script


def test_a_later_mode_takes_back_no_request_to_end(hooks, folder):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "echo contract:exit:3; echo contract:mode=dry")
    hooks.do("h")
    with pytest.raises(SystemExit) as stop:
        hooks.apply()
    assert (stop.value.code, hooks.variables["DRY_RUN"]) == (3, "true")


def test_a_hook_within_a_hook_does_not_erase_what_was_asked_before(hooks, folder):
    hooks.declare("outer", "inner")
    hooks.contract("outer")
    script(folder, "outer-1.sh", "echo contract:exit:3")
    script(folder, "inner-1.sh", "true")
    hooks.register("outer", "2", lambda: hooks.do("inner").exit_code)
    assert hooks.do("outer").flow.exit_code == 3


def test_a_relative_route_is_taken_from_where_the_hook_was_called(
    hooks, folder, tmp_path, monkeypatch, capfd
):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "mock.sh").write_text("echo mocked")
    script(folder, "h-1.sh", "echo contract:route:mock.sh")
    hooks.declare("h")
    hooks.contract("h")
    monkeypatch.chdir(tmp_path)
    hooks.do("h")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert (hooks.asked_code(), capfd.readouterr().out) == (0, "mocked\n")


@pytest.mark.parametrize(
    ("body", "asked", "code"),
    [
        ("true", "", 0),
        ("false", "", 1),
        ("exit 5", "", 5),
        ("true", "7", 7),
        ("false", "7", 1),
        ("__HOOKS_FLOW_EXIT_CODE=4", "7", 4),
    ],
)
def test_the_code_of_a_routed_file(hooks, folder, body, asked, code):
    mock = script(folder, "mock.sh", body)
    script(folder, "h-1.sh", f"echo contract:route:{mock}; {f'echo contract:exit:{asked}' if asked else ''}")
    hooks.declare("h")
    hooks.contract("h")
    hooks.do("h")
    assert hooks.asked_code() == code


def test_the_next_hook_and_children_do_not_find_the_request_of_this_one(hooks, folder, capfd):
    hooks.declare("first", "second")
    hooks.contract("first")
    script(folder, "first-1.sh", "echo contract:mode=skip")
    script(folder, "first-2.sh", "echo ${__CI_MODE_TERMINATE-none}")
    hooks.do("first")
    assert (capfd.readouterr().out, hooks.variables["__CI_MODE_TERMINATE"]) == ("none\n", "true")
    hooks.do("second")
    assert hooks.variables == {"CI_MODE": "SKIP"}


BOUNDED = """
import subprocess, sys, threading, time
from fairlead import ScriptHooks
hooks = ScriptHooks(sys.argv[1], grace=0.3)
hooks.declare("h")
hooks.contract("h")
hooks.function("h", lambda: print("contract:mode=timeout:0.2"))
hooks.do("h")
hooks.apply()
print("goes on", flush=True)
"""


@pytest.mark.parametrize(
    "work",
    [
        "time.sleep(60)",
        "subprocess.run(['sleep', '60'])",
        "subprocess.run('sleep 60 & sleep 60; true', shell=True)",
        "hooks._process(['sleep', '60'], None)",
        "threading.Thread(target=time.sleep, args=(60,)).start()",
        "exec('while True:\\n try: time.sleep(60)\\n except BaseException: pass')",
    ],
)
def test_the_timeout_mode_bounds_whatever_comes_after_apply(folder, work):
    done = subprocess.run(
        [sys.executable, "-c", f"{BOUNDED}{work}", folder],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (124, "goes on\n")
    assert "time that a hook set for this script is over" in done.stderr


def test_a_script_that_ends_in_time_is_not_disturbed(folder):
    done = subprocess.run(
        [sys.executable, "-c", f"{BOUNDED}sys.exit(7)", folder],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (7, "")


def test_a_bound_that_cannot_be_kept_is_an_error(hooks):
    hooks.declare("h")
    hooks.contract("h")
    hooks.function("h", lambda: print("contract:mode=timeout:5"))
    hooks.do("h")
    with ThreadPoolExecutor() as pool, pytest.raises(FairleadError, match="in this thread"):
        pool.submit(hooks.apply).result()


def test_a_function_may_write_bytes(hooks, capfdbinary):
    hooks.declare("h")
    hooks.contract("h")
    hooks.function("h", lambda: (print("text"), sys.stdout.buffer.write(b"\xff\ncontract:A=1\n"))[0])
    assert hooks.do("h").variables == {"A": "1"}
    assert capfdbinary.readouterr().out == b"text\n\xff\n"


def test_a_relative_route_from_a_folder_that_is_gone_is_missing(hooks, folder, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    (tmp_path / "rel.sh").write_text("echo another")
    hooks.declare("h")
    hooks.contract("h")
    hooks.function("h", lambda: print("contract:route:rel.sh"))
    monkeypatch.chdir(gone)
    gone.rmdir()
    hooks.do("h")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FairleadError, match="not there"):
        hooks.apply()
