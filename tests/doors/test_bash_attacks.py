"""What someone who knows CI would try on the bash door: code in contracts, settings, corners of a shell."""

import json
import os
import signal
import subprocess
import time

import pytest
from bash_shell import HOOKS, Shell, processes_of

OBEYED = "hooks:middleware begin hooks:middleware:contract"


def obeyed(shell: Shell, lines: list[str], before: str = "", then: str = "", **environment: str):
    """A hook prints these lines, and they are obeyed."""
    said = shell.folder / "said"
    said.write_text("".join(f"{line}\n" for line in lines))
    shell.script("begin-1.sh", f"cat {said}")
    return shell.run(f"{before}\n{OBEYED}\nhooks:do begin\n{then}", **environment)


EVIL = "a[$(touch {folder}/pwned)]"
FORMS = ["contract:NAME=EVIL", "contract:env:NAME=EVIL", "contract:env:NAME+=EVIL", "contract:env:NAME^=EVIL"]
ATTRIBUTES = [
    "declare -i NAME=1",
    "declare -i NAME",
    "declare -ix NAME=1",
    "declare -n NAME=other; other=1",
    "declare -n NAME=other",
    "declare -n NAME",
    "declare -a NAME=(1 2)",
    "declare -a NAME",
    "declare -A NAME=([x]=1)",
    "declare -r NAME=1",
    "declare -ri NAME=1",
]


def as_json(name: str, value: str) -> str:
    return "contract:" + json.dumps({name: value})


@pytest.mark.parametrize(
    "name", ["SECONDS", "RANDOM", "OPTIND", "LINENO", "UID", "EPOCHSECONDS", "SRANDOM", "_"]
)
@pytest.mark.parametrize("permission", ["", "+*"])
def test_a_variable_of_the_shell_is_not_set_and_nothing_runs(shell, name, permission):
    evil = EVIL.format(folder=shell.folder)
    path = evil.replace("a[", "PATH[")
    lines = [form.replace("NAME", name).replace("EVIL", value) for form in FORMS for value in (evil, path)]
    lines += [as_json(name, evil), f"contract:export {name}='{evil}'", "contract:AFTER=1"]
    done = obeyed(shell, lines, then='echo "AFTER=$AFTER"', HOOKS_CONTRACT_ALLOW=permission)
    assert done.stdout == "AFTER=1\n"
    assert not (shell.folder / "pwned").exists()


@pytest.mark.parametrize("declared", ATTRIBUTES)
@pytest.mark.parametrize("form", [*FORMS, "JSON"])
def test_a_variable_whose_assignment_would_be_evaluated_is_refused(shell, declared, form):
    evil = EVIL.format(folder=shell.folder)
    line = as_json("MINE", evil) if form == "JSON" else form.replace("NAME", "MINE").replace("EVIL", evil)
    done = obeyed(
        shell, [line, "contract:AFTER=1"], before=declared.replace("NAME", "MINE"), then='echo "$AFTER"'
    )
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "MINE" in done.stderr
    assert not (shell.folder / "pwned").exists()


@pytest.mark.parametrize(
    "line",
    [
        "contract:PATH[$(touch pwned)]=x",
        "contract:x[$(touch pwned)]=1",
        "contract:env:x[$(touch pwned)]+=1",
        "contract:env:$(touch pwned)=1",
        "contract:export x[$(touch pwned)]=1",
        'contract:{"x[$(touch pwned)]": 1}',
        "contract:exit:a[$(touch pwned)]",
        "contract:mode=error:a[$(touch pwned)]",
        "contract:mode=timeout:a[$(touch pwned)]",
        "contract:mode=$(touch pwned)",
        "contract:route:$(touch pwned)",
        "contract:`touch pwned`",
    ],
)
def test_names_and_arguments_are_text(shell, line):
    done = obeyed(shell, [line], before=f"cd {shell.folder}", then="echo on")
    assert done.stdout == "on\n"
    assert not (shell.folder / "pwned").exists()


@pytest.mark.parametrize("name", ["HOOKS_RETRIES", "HOOKS_TIMEOUT", "HOOKS_GRACE", "HOOKS_FAIL_FAST"])
def test_a_setting_is_not_evaluated(shell, name):
    shell.script("begin-1.sh", "echo ran")
    done = shell.run("hooks:do begin", **{name: EVIL.format(folder=shell.folder)})
    assert (done.returncode, done.stdout) == (2, "")
    assert not (shell.folder / "pwned").exists()


def test_a_name_that_only_begins_like_a_setting_may_be_set(shell):
    lines = [
        "contract:env:HOOKS_TEST_PATH=/a",
        "contract:env:HOOKS_TEST_PATH+=/b",
        "contract:env:HOOKS_DIR=/evil",
    ]
    done = obeyed(shell, lines, then='echo "$HOOKS_TEST_PATH $HOOKS_DIR"')
    assert done.stdout == "/a:/b ci-cd\n"
    assert "may not set HOOKS_DIR" in done.stderr


# Settings


@pytest.mark.parametrize("value", ["1", "yes", "on", "TRUE"])
def test_fail_fast_may_be_said_in_several_words(shell, value):
    shell.script("begin-1.sh", "exit 3")
    shell.script("begin-2.sh", "echo two")
    done = shell.run("hooks:do begin", HOOKS_FAIL_FAST=value)
    assert (done.returncode, done.stdout) == (3, "")


@pytest.mark.parametrize(
    "setting",
    [
        "HOOKS_FAIL_FAST=ture",
        "HOOKS_EXIT_POLICY=wrost",
        "HOOKS_RETRIES=two",
        "HOOKS_TIMEOUT=soon",
        "HOOKS_EXEC_MODE=sorce",
        "HOOKS_STDIN=x",
    ],
)
def test_a_setting_that_cannot_be_read_is_an_error_and_no_hook_runs(shell, setting):
    name, _, value = setting.partition("=")
    shell.script("begin-1.sh", "echo ran")
    done = shell.run("hooks:do begin", **{name: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert name in done.stderr
    assert f"'{value}'" in done.stderr


def test_whether_the_end_hook_runs_by_itself_is_said_where_it_cannot_be_read(shell):
    done = shell.run("hook:end() { echo END; }; hooks:declare end; exit 4", HOOKS_AUTO_TRAP="fasle")
    assert (done.returncode, done.stdout) == (4, "END\n")
    assert "HOOKS_AUTO_TRAP is neither true nor false: 'fasle'" in done.stderr


@pytest.mark.parametrize(
    "typo", ["HOOKS_FAILFAST", "HOOKS_TIMOUT", "HOOKS_RETRY", "HOOKS_DRI", "HOOKS_REQUIRES"]
)
def test_a_name_that_is_nearly_a_setting_is_told(shell, typo):
    done = shell.run("hooks:do begin; hooks:do begin", **{typo: "1"})
    assert done.stderr.count(f"{typo} is not a setting: is HOOKS_") == 1


def test_other_names_with_the_prefix_are_the_scripts_own(shell):
    done = shell.run("hooks:do begin", HOOKS_TEST_PATH="1", HOOKS_FLOW_MODE_x="DRY", HOOKS_VERSION="3")
    assert done.stderr == ""


def test_a_folder_of_hooks_that_was_asked_for_and_is_not_there_is_told_once(shell):
    done = shell.run("HOOKS_DIR=hoks; hooks:do begin; hooks:do begin; hooks:do end")
    assert (done.returncode, done.stderr.count("HOOKS_DIR is 'hoks'")) == (0, 1)


def test_retries_with_a_leading_zero_are_decimal(shell):
    shell.script("begin-1.sh", "echo x; exit 1")
    done = shell.run("hooks:do begin", HOOKS_RETRIES="08")
    assert done.stdout.count("x") == 9


def test_an_empty_debug_is_silent(shell):
    lines = ["contract:nonsense", "hello"]
    done = obeyed(shell, lines, debug="")
    assert (done.stdout, done.stderr) == ("hello\n", "")


# Places


@pytest.mark.parametrize("start", ["./a.sh", "bash a.sh", "bash ./a.sh", "{folder}/a.sh", "sub/../a.sh"])
@pytest.mark.parametrize("order", ["source {hooks}; cd build", "cd build; source {hooks}"])
def test_hooks_are_found_after_a_change_of_folder_however_the_script_was_started(shell, start, order):
    shell.script("begin-1.sh", "echo found")
    for folder in ("build", "sub"):
        (shell.folder / folder).mkdir()
    script = shell.folder / "a.sh"
    script.write_text(
        f"#!/usr/bin/env bash\n{order.format(hooks=HOOKS)}\nhooks:declare begin; hooks:do begin\n"
    )
    script.chmod(0o755)
    words = start.format(folder=shell.folder).split()
    done = subprocess.run(
        words, cwd=shell.folder, capture_output=True, text=True, env=shell.environment(), check=False
    )
    assert done.stdout == "found\n", done.stderr


# The end, and what is asked of the caller


@pytest.mark.parametrize("code", [7, 130, 141, 143])
@pytest.mark.parametrize("middleware", ["", "mw() { exit $CODE; }; hooks:middleware h mw"])
def test_end_is_told_the_code_that_the_script_said(shell, code, middleware):
    shell.script("h-1.sh", "exit 0")
    done = shell.run(
        f"CODE={code}; hook:end() {{ echo end $1; }}; hooks:declare h; {middleware}\nhooks:do h; exit {code}"
    )
    assert (done.returncode, done.stdout) == (code, f"end {code}\n")


@pytest.mark.parametrize(("said", "code"), [("exit 143", 143), ("exit 7", 7)])
@pytest.mark.parametrize("middleware", ["", "mw() { return $2; }; hooks:middleware h mw"])
def test_end_is_told_the_code_of_a_trap_that_ends_the_script_during_a_hook(shell, said, code, middleware):
    shell.script("h-1.sh", "kill -TERM $PPID; sleep 0.1")
    done = shell.run(
        f"trap '{said}' TERM; hook:end() {{ echo end $1; }}; hooks:declare h; {middleware}\nhooks:do h"
    )
    assert (done.returncode, done.stdout) == (code, f"end {code}\n")


def test_a_hook_within_a_hook_does_not_take_back_what_the_outer_one_asked_for(shell):
    shell.script("outer-1.sh", "echo contract:exit:3")
    done = shell.run("""
        hooks:declare outer inner
        hook:inner() { echo inner; }
        nested() { hooks:do inner; }
        hooks:register outer 2 nested
        hooks:middleware outer hooks:middleware:contract
        hooks:do outer
        hooks:flow:apply
        echo went on
    """)
    assert (done.returncode, done.stdout) == (3, "inner\n")


def test_what_is_asked_of_a_script_is_not_asked_of_those_that_it_starts(shell):
    shell.script(
        "begin-1.sh", "[[ $1 != parent ]] || { echo contract:exit:9; echo contract:mode=timeout:1; }"
    )
    child = shell.folder / "child.sh"
    child.write_text(f"source {HOOKS}\nhooks:flow:apply\necho child goes on\n")
    done = shell.run(f"{OBEYED}; hooks:do begin parent; bash {child}; hooks:flow:apply")
    assert (done.returncode, done.stdout) == (9, "child goes on\n")
    done = shell.run("hooks:flow:apply; echo on", __HOOKS_FLOW_TERMINATE="true", __HOOKS_FLOW_EXIT_CODE="5")
    assert (done.returncode, done.stdout) == (0, "on\n")


def test_a_mode_that_ends_the_caller_does_not_survive_the_next_hook(shell):
    shell.script("begin-1.sh", "echo contract:mode=skip")
    done = shell.run(
        f"{OBEYED}; hooks:do begin; echo $__CI_MODE_TERMINATE; hooks:do end; echo ${{__CI_MODE_TERMINATE:-}}"
    )
    assert done.stdout == "true\n\n"


def test_a_relative_route_is_taken_from_where_the_hook_was_called(shell):
    (shell.folder / "mock.sh").write_text("echo mocked\n")
    shell.script("begin-1.sh", "echo contract:route:mock.sh")
    done = shell.run(f"{OBEYED}; cd {shell.folder}; hooks:do begin; cd /; hooks:flow:apply; echo main")
    assert (done.returncode, done.stdout) == (0, "mocked\n")


def test_the_code_of_a_routed_file_is_that_of_the_script(shell):
    (shell.folder / "mock.sh").write_text("false\n")
    shell.script("begin-1.sh", f"echo contract:route:{shell.folder}/mock.sh")
    assert shell.run(f"{OBEYED}; hooks:do begin; hooks:flow:apply", strict=False).returncode == 1


# Streams and descriptors


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize("middleware", ["", "mw() { seen+=${#}; return $2; }; hooks:middleware begin mw"])
def test_a_script_with_closed_streams_runs_its_hooks(shell, closed, middleware):
    shell.script("begin-1.sh", f"echo ran >>{shell.folder}/ran; exit 4")
    main = shell.main(
        f"hook:begin() {{ echo function >>{shell.folder}/ran; }}; {middleware}\nhooks:do begin || exit $?"
    )
    done = subprocess.run(
        ["bash", "-c", f"bash {main} {closed}"], env=shell.environment(), check=False, timeout=20
    )
    assert (done.returncode, (shell.folder / "ran").read_text()) == (4, "function\nran\n")


def test_a_detached_child_of_a_captured_function_holds_nothing_of_the_script(shell):
    main = shell.main("""
        hooks:declare h
        mw() { local -n lines=$3; printf '%s\\n' "${lines[@]}"; }
        hooks:middleware h mw
        hook:h() { echo begun; sleep 30 >/dev/null 2>&1 & echo $!; }
        hooks:do h
    """)
    start = time.monotonic()
    done = subprocess.run(
        ["bash", main], capture_output=True, text=True, env=shell.environment(), check=False, timeout=25
    )
    begun, child = done.stdout.split("\n")[:2]
    os.kill(int(child.removeprefix("1: ")), signal.SIGKILL)
    assert begun == "1: begun"
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "middleware", ["", "mw() { local -n l=$3; printf '%s\\n' \"${l[@]#1: }\"; }; hooks:middleware h mw"]
)
def test_no_program_inherits_a_descriptor_of_ours(shell, middleware):
    body = f"""
        hooks:declare h
        {middleware}
        hook:h() {{ ls -1 /proc/self/fd; }}
        hooks:do h
        echo --
        ls -1 /proc/self/fd
    """
    plain = shell.run("hooks:declare h; ls -1 /proc/self/fd").stdout.split()
    within, after = shell.run(body).stdout.split("--")
    assert (within.split(), after.split()) == (plain, plain)


def test_the_recorder_holds_no_lock_and_no_folder_of_the_script(shell):
    done = shell.run(f"""
        exec 9>{shell.folder}/lock
        flock 9
        cd {shell.folder}
        hooks:declare h
        mw() {{ :; }}; hooks:middleware h mw
        hook:h() {{ :; }}
        hooks:do h
        exec 9>&-
        flock -n {shell.folder}/lock echo free
    """)
    assert done.stdout == "free\n"


def test_the_trace_of_a_captured_hook_is_short(shell):
    shell.script("h-1.sh", "echo x")
    done = shell.run(
        """hooks:declare h; hooks:middleware h hooks:middleware:contract
        set -x; hooks:do h; hook:h() { : mine; }; hooks:do h >/dev/null"""
    )
    assert done.stdout == "x\n"
    assert len(done.stderr.splitlines()) < 25
    assert "import os" not in done.stderr


def test_options_that_a_hook_function_sets_stay(shell):
    done = shell.run("hooks:declare h; hook:h() { set -f; set -x; }; hooks:do h; { echo $-; } 2>/dev/null")
    assert {"f", "x"} <= set(done.stdout.strip())


def test_arrays_that_someone_has_unset_are_made_again(shell):
    done = shell.run(
        """unset __HOOKS_DEFINED __HOOKS_CONTEXTS; hooks:list
        hooks:declare my-hook; hooks:list; hooks:reset; hooks:list""",
        strict=False,
    )
    assert done.stdout.splitlines() == [
        "No hooks defined",
        "Defined hooks:",
        "  - my-hook: not implemented",
        "No hooks defined",
    ]


def test_a_script_that_shares_its_traps_by_a_function_of_its_own_is_asked_for_one(shell):
    main = shell.main("")
    main.write_text(f'trap:on() {{ echo "trap:on $*"; }}\nsource {HOOKS}\n')
    done = subprocess.run(["bash", main], capture_output=True, text=True, env=shell.environment(), check=True)
    assert done.stdout == "trap:on _hooks:on_exit EXIT\n"


def test_nothing_of_these_scripts_is_left_running(shell):
    shell.script("h-1.sh", "echo x")
    shell.run("hooks:declare h; hooks:middleware h hooks:middleware:contract; hooks:do h; ( hooks:do h )")
    deadline = time.monotonic() + 10
    while processes_of(shell.folder) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes_of(shell.folder) == []


def test_a_function_of_the_script_is_not_taken_for_the_program_that_bounds_a_hook(shell):
    shell.script("h-1.sh", "echo ran")
    done = shell.run("timeout() { echo mine; }; hooks:declare h; HOOKS_TIMEOUT=20; hooks:do h")
    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_settings_that_the_script_unsets_have_their_defaults(shell):
    shell.script("h-1.sh", "echo file")
    done = shell.run(
        "hooks:declare h; unset ${!HOOKS_@}; hook:h() { echo function; }; hooks:do h; hooks:list"
    )
    assert (done.returncode, done.stdout.splitlines()[:2]) == (0, ["function", "file"])


@pytest.mark.parametrize("beside_the_link", [False, True])
def test_a_link_to_a_script_has_hooks_beside_itself_or_where_the_script_is(shell, tmp_path, beside_the_link):
    shell.script("h-1.sh", "echo of the script")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "deploy").symlink_to(shell.main("hooks:declare h; cd /; hooks:do h"))
    if beside_the_link:
        Shell(programs).script("h-1.sh", "echo of the link")
    done = subprocess.run(
        ["bash", programs / "deploy"],
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
        env=shell.environment(),
    )
    assert done.stdout == ("of the link\n" if beside_the_link else "of the script\n")
