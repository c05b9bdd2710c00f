"""The bash door: the examples of the design documents, and the surface that existing scripts rely on."""

import subprocess
import sys
from pathlib import Path

import pytest
from bash_shell import HOOKS, Shell

from fairlead.doors.bash.assembling import assembled


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


DEMOS = sorted((Path(__file__).parents[2] / "demos" / "ci-mode").rglob("*.sh"))


def test_the_file_is_what_its_parts_make():
    assert HOOKS.read_text() == assembled(), "run: python -m fairlead.doors.bash.assembling"


def test_shellcheck_finds_nothing():
    shellcheck = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run(
        [shellcheck, "-s", "bash", HOOKS, *DEMOS], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


# Seed 000, by the names of its examples


def test_executes_registered_functions_and_scripts_in_one_alphabetical_sequence(shell):
    shell.script("merge_order-20-bravo.sh", "echo bravo")
    done = shell.run("""
        hooks:declare merge_order
        hook:merge_order() { echo function; }
        func_alpha() { echo alpha; }
        func_charlie() { echo charlie; }
        hooks:register merge_order 10-alpha func_alpha
        hooks:register merge_order 30-charlie func_charlie
        hooks:do merge_order
    """)
    assert (done.returncode, done.stdout.split()) == (0, ["function", "alpha", "bravo", "charlie"])


def test_no_implementations_is_information_and_not_a_warning(shell):
    done = shell.run("hooks:declare h; hooks:do h", debug="hooks")
    assert "⚪ No implementations found for hook 'h'" in done.stderr


def test_registers_middleware_per_hook(shell):
    done = shell.run("hooks:declare h; mw() { :; }; hooks:middleware h mw", debug="hooks")
    assert "Registered middleware 'mw' for hook 'h'" in done.stderr


def test_resets_middleware_to_default_when_only_hook_name_provided(shell):
    done = shell.run("hooks:declare h; mw() { :; }; hooks:middleware h mw; hooks:middleware h", debug="hooks")
    assert "Reset middleware for hook 'h' to default" in done.stderr


def test_fails_when_middleware_function_does_not_exist(shell):
    done = shell.run("hooks:declare h; hooks:middleware h nonexistent")
    assert done.returncode == 1
    assert "middleware function 'nonexistent' does not exist" in done.stderr


def test_fails_when_no_hook_name_provided(shell):
    done = shell.run("hooks:middleware")
    assert (done.returncode, "requires" in done.stderr) == (1, True)


def test_captures_stdout_and_stderr_with_timeline_prefixes(shell):
    done = shell.run("""
        hook_test() { echo line1; echo err1 >&2; echo line2; return 7; }
        _hooks:capture:run cap_hook capture_var hook_test || echo "status $?"
        declare -n captured=$capture_var
        printf '%s\\n' "${captured[@]}"
        _hooks:capture:cleanup "$capture_var"
        [[ ! -v $capture_var ]] && echo freed
    """)
    assert done.stdout.splitlines() == ["status 7", "1: line1", "2: err1", "1: line2", "freed"]


def test_replays_stdout_and_stderr_unchanged_and_preserves_exit_code(shell):
    body = "hooks:declare h; hook:h() { echo 'stdout line'; echo 'stderr line' >&2; return 42; }; hooks:do h"
    done = shell.run(body)
    assert (done.returncode, done.stdout, done.stderr) == (42, "stdout line\n", "stderr line\n")


def test_uses_default_middleware_for_exec_mode_implementations(shell):
    done = shell.run("hooks:declare h; hook:h() { echo test; return 5; }; hooks:do h", debug="hooks")
    assert (done.returncode, done.stdout) == (5, "test\n")
    assert "Using middleware: _hooks:middleware:default" in done.stderr


def test_allows_custom_middleware_to_modify_behavior(shell):
    done = shell.run(
        "hooks:declare h; hook:h() { :; }; mw() { return 99; }; hooks:middleware h mw; hooks:do h"
    )
    assert done.returncode == 99


def test_bypasses_middleware_for_source_mode_scripts(shell):
    shell.script("src-test.sh", "hook:run() { TEST_VAR=source_modified; echo source output; }")
    done = shell.run("""
        hooks:declare src
        mw() { return 88; }
        hooks:middleware src mw
        HOOKS_EXEC_MODE=source
        hooks:do src
        echo "TEST_VAR=$TEST_VAR"
    """)
    assert (done.returncode, done.stdout) == (0, "source output\nTEST_VAR=source_modified\n")


CONTRACT_MW = """
    contract_mw() {
      local hook_name="$1" exit_code="$2" capture_var="$3"
      shift 3; shift
      local -n capture_ref="$capture_var"
      local line
      for line in "${capture_ref[@]}"; do
        case "$line" in
          "1: contract:mode=dry") export DRY_RUN=true ;;
          "1: contract:mode=verbose") export LEVEL="*" ;;
          "1: "*) printf '%s\\n' "${line#1: }" ;;
          "2: "*) printf '%s\\n' "${line#2: }" >&2 ;;
        esac
      done
      return "$exit_code"
    }
"""


def test_allows_middleware_to_parse_contract_lines_and_set_variables(shell):
    done = shell.run(f"""
        {CONTRACT_MW}
        hook:begin() {{ echo contract:mode=dry; echo contract:mode=verbose; echo normal output; }}
        hooks:middleware begin contract_mw
        hooks:do begin
        echo "DRY_RUN=$DRY_RUN LEVEL=$LEVEL"
    """)
    assert done.stdout == "normal output\nDRY_RUN=true LEVEL=*\n"


def test_middleware_can_suppress_contract_lines_from_output(shell):
    done = shell.run("""
        hooks:declare test
        hook:test() { echo contract:HIDDEN=true; echo visible output; }
        hooks:middleware test hooks:middleware:contract
        hooks:do test
    """)
    assert done.stdout == "visible output\n"


@pytest.mark.parametrize("code", [1, 127])
def test_handles_middleware_execution_failures(shell, code):
    body = "hooks:declare h; hook:h() { echo t; }; hooks:middleware h mw; hooks:do h"
    done = shell.run(f"mw() {{ return {code}; }}; {body}")
    assert done.returncode == code


# Seed 001's test plan


def test_plan_1_set_registers_middleware_and_rejects_an_unknown_function(shell):
    done = shell.run("""
        hooks:declare h
        mw() { return 4; }
        hook:h() { :; }
        hooks:middleware:set h mw
        hooks:do h || echo "set $?"
        hooks:middleware:unset h
        hooks:do h && echo unset
        hooks:middleware:set h nothing || echo refused
    """)
    assert done.stdout.split("\n")[:3] == ["set 4", "unset", "refused"]


def test_plan_2_the_default_middleware_can_be_called_with_an_array(shell):
    done = shell.run("""
        lines=('1: out' '2: err')
        hooks:middleware:default h 3 lines -- a || echo "code $?"
        _hooks:middleware:default h 3 lines || echo "no separator $?"
    """)
    assert done.stdout == "out\ncode 3\nno separator 1\n"
    assert done.stderr.startswith("err\n")


def test_plan_3_middleware_alters_the_exit_code_and_the_callers_shell(shell):
    shell.script("h-1.sh", "exit 3")
    done = shell.run("""
        hooks:declare h
        mw() { SEEN="$*"; return 0; }
        hooks:middleware h mw
        hooks:do h 'a b' '' '*'
        echo "${SEEN/#h 3 __hooks_h_+([0-9])/h 3 ARRAY}"
    """)
    assert done.returncode == 0
    assert done.stdout.startswith("h 3 __hooks_h_1 -- a b  *")


def test_plan_4_source_mode_by_pattern_by_call_and_by_variable(shell):
    shell.script("h-config.sh", "hook:run() { SOURCED=${SOURCED:-}x; }")
    done = shell.run("""
        hooks:declare h
        hooks:do h; echo "${SOURCED:-no}"
        hooks:do:source h; echo "${SOURCED:-no}"
        hooks:pattern:source '*-config.sh'; hooks:do:script h; echo "$SOURCED"
        hooks:exec:mode h-config.sh; hooks:exec:mode other.sh
    """)
    assert done.stdout.split() == ["no", "x", "xx", "source", "exec"]


def test_plan_5_middleware_applies_to_functions_registered_functions_and_scripts(shell):
    shell.script("h-2.sh", "echo script")
    done = shell.run("""
        hooks:declare h
        hook:h() { echo function; }
        registered() { echo registered; }
        hooks:register h 1 registered
        mw() { local -n seen=$3; echo "<${seen[*]}>"; }
        hooks:middleware h mw
        hooks:do h
    """)
    assert done.stdout.splitlines() == ["<1: function>", "<1: registered>", "<1: script>"]


# The surface


def test_hook_functions_run_in_the_callers_shell_and_may_use_any_name(shell):
    done = shell.run("""
        hooks:declare h
        hook:h() { code=1 hook=2 name=3 line=4 IFS_SEEN="$IFS"; cd /tmp; }
        mw() { return 0; }
        hooks:middleware h mw
        hooks:do h
        echo "$code $hook $name $line $PWD"
    """)
    assert done.stdout == "1 2 3 4 /tmp\n"


def test_declaring(shell):
    done = shell.run("hooks:declare good-1 'bad name' later || hooks:known good-1 && ! hooks:known later")
    assert done.returncode == 0
    assert "invalid hook name 'bad name'. Only alphanumeric, underscore, and dash allowed." in done.stderr


def test_declaring_from_two_files_warns_without_debug(shell):
    other = shell.folder / "other.sh"
    other.write_text("hooks:declare h\n")
    done = shell.run(f'hooks:declare h; source {other}; echo "${{__HOOKS_CONTEXTS[h]}}"; hooks:list')
    assert "[hooks] ⚠ Warning: Hook 'h' is being defined from multiple contexts:" in done.stderr
    assert f"{shell.folder}/main.sh|{other}\n" in done.stdout
    assert "⚠ defined in 2 contexts" in done.stdout


def test_registering(shell):
    done = shell.run(
        """
        f() { echo "f $*"; }
        hooks:register h a f; hooks:declare h
        hooks:register h a f || echo twice
        hooks:register h b nope || echo missing
        hooks:register h || echo few
        hooks:register h 'x:y|z' f
        hooks:do h 1
        hooks:unregister h a; hooks:unregister h a || echo gone; hooks:unregister g a || echo none
        """,
        debug="hooks,error",
    )
    assert done.stdout.splitlines() == ["twice", "missing", "few", "f 1", "f 1", "gone", "none"]
    for message in (
        "⚠ Registering function for undefined hook 'h'",
        "friendly name 'a' already registered for hook 'h'",
        "function 'nope' does not exist",
        "hooks:register requires three parameters",
        "registration 'a' not found for hook 'h'",
        "no registrations found for hook 'g'",
    ):
        assert message in done.stderr


def test_listing_and_asking(shell):
    shell.script("h-1.sh", "")
    done = shell.run("""
        hooks:reset; hooks:list
        hooks:declare h g
        f() { :; }; hooks:register g r f; hook:h() { :; }
        hooks:runnable h && hooks:runnable g && ! hooks:runnable nothing
        hooks:list | sort
    """)
    assert done.stdout.splitlines() == [
        "No hooks defined",
        "  - g: implemented (1 registered)",
        "  - h: implemented (function, 1 script(s))",
        "Defined hooks:",
    ]


def test_the_trace_of_a_call(shell):
    shell.script("h-2.sh", "exit 4")
    done = shell.run(
        "hooks:declare h; f() { :; }; hooks:register h 1 f; hooks:do h || :; hooks:do unknown", debug="hooks"
    )
    for line in (
        "[hooks] Executing hook: h",
        "[hooks]   Found 1 registered function(s) for hook 'h'",
        "[hooks]   Found 1 script(s) for hook 'h'",
        "[hooks]   → [registered 1/1] 1 → f()",
        "[hooks]   → [script 1/1] h-2.sh (exec mode)",
        "[hooks]     ↳ exit code: 4",
        "[hooks]   🟢 Completed hook 'h' (2 implementation(s), final exit code: 4)",
        "[hooks] Hook 'unknown' not defined, skipping",
    ):
        assert line in done.stderr.splitlines()


def test_loggers_of_the_caller_are_used(shell):
    done = shell.run('echo:Hooks() { echo "LOG $*"; }; hooks:declare h; hooks:do h')
    assert "LOG Executing hook: h" in done.stdout


def test_sourcing_twice_keeps_the_state_and_a_test_run_does_not_bootstrap(shell):
    done = shell.run(f"hooks:declare h; source {HOOKS}; hooks:known h && hooks:known end && echo kept")
    assert done.stdout == "kept\n"
    done = shell.run("hooks:known end || echo not bootstrapped", __SOURCED__="1")
    assert done.stdout == "not bootstrapped\n"


def test_strict_options(shell):
    shell.script("h-1.sh", "echo one; exit 3")
    shell.script("h-2.sh", "echo two")
    done = shell.run("hooks:declare h; HOOKS_FAIL_FAST=true; hooks:do h")
    assert (done.returncode, done.stdout) == (3, "one\n")
    done = shell.run("hooks:declare h; HOOKS_EXIT_POLICY=worst; hooks:do h")
    assert (done.returncode, done.stdout) == (3, "one\ntwo\n")
    done = shell.run("hooks:declare g; HOOKS_REQUIRED='h g'; hooks:do g")
    assert (done.returncode, "is required" in done.stderr) == (127, True)


@pytest.mark.parametrize("middleware", ["", "mw() { seen=$*; return $2; }; hooks:middleware h mw;"])
def test_timeout_and_retries(shell, middleware):
    shell.script("h-1.sh", "trap '' TERM; sleep 30")
    body = f"hooks:declare h; {middleware} HOOKS_TIMEOUT=0.2 HOOKS_GRACE=0.2; hooks:do h a"
    assert shell.run(body).returncode == 124
    count = shell.folder / "count"
    shell.script("h-1.sh", f"echo x >> {count}; [[ $1 == a && $(wc -l < {count}) -eq 3 ]]")
    body = f"hooks:declare h; {middleware} HOOKS_RETRIES=5; hooks:do h a"
    done = shell.run(body)
    assert (done.returncode, count.read_text()) == (0, "x\n" * 3)


def test_what_someone_else_kills_within_its_time_did_not_take_too_long(shell):
    shell.script("h-1.sh", "kill -9 $$")
    assert shell.run("hooks:declare h; HOOKS_TIMEOUT=1m; hooks:do h").returncode == 137


@pytest.mark.parametrize("option", ["dotglob", "nullglob", "failglob", "nocasematch", "extglob"])
@pytest.mark.parametrize("state", ["-s", "-u"])
def test_options_of_the_shell_stay_as_they_are(shell, option, state):
    shell.script("h-1.sh", "echo ran")
    done = shell.run(f"""
        shopt {state} {option}
        before=$(shopt -p {option} || :)
        hooks:declare h
        hooks:do h
        [[ $before == "$(shopt -p {option} || :)" ]]
    """)
    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_the_internal_names_can_be_called(shell):
    done = shell.run("""
        lines=('1: contract:env:A=1' '1: hello' '2: err')
        _hooks:middleware:modes h 4 lines a || echo "code $?, A=$A"
        _hooks:env:apply B=2 && echo "B=$B"
        _hooks:env:apply nonsense || _hooks:env:apply 1X=2 || echo refused
        _hooks:logger:refresh
    """)
    assert done.stdout.splitlines() == ["contract:env:A=1", "hello", "code 4, A=1", "B=2", "refused"]
    assert "invalid contract env directive 'nonsense'" in done.stderr
    assert "invalid env var name '1X' in contract" in done.stderr


# Contracts and modes


def obeyed(shell, lines, then, **environment):
    shell.script("begin-1.sh", "\n".join(f"printf '%s\\n' {line}" for line in lines))
    return shell.run(
        f"hooks:middleware begin hooks:middleware:contract; hooks:do begin\n{then}", **environment
    )


def test_every_style_of_contract(shell):
    lines = [
        "contract:A=1",
        "'contract:export B=\"two words\"'",
        "contract:env:C=x",
        "contract:env:C+=y",
        "contract:env:C^=w",
        "contract:env:C-=x",
        '\'contract:{"D": "q\\"q", "E": 2, "F": true}\'',
    ]
    done = obeyed(shell, lines, 'echo "$A|$B|$C|$D|$E|$F"; env | grep -c "^A=1"')
    assert (done.stdout, done.stderr) == ('1|two words|w:y|q"q|2|true\n1\n', "")


@pytest.mark.parametrize(
    "line",
    [
        "contract:gibberish",
        "contract:exit:abc",
        "contract:exit:256",
        "contract:route:",
        "contract:mode=bogus",
        "contract:mode=timeout:x",
        "contract:mode=timeout:0",
        "contract:mode=error:0",
        "contract:mode=ok:3",
        "'contract:{broken'",
        "'contract:{\"A\": [1]}'",
        "'contract:export A=$(touch /tmp/evaluated)'",
        "contract:1A=2",
        "contract:env:A",
    ],
)
def test_a_malformed_contract_is_a_warning_with_hook_and_line(shell, line):
    done = obeyed(shell, ["hello", line], "hooks:flow:apply; echo on")
    assert done.stdout == "hello\non\n"
    assert "hook 'begin', line 2 of its output (begin-1.sh): " in done.stderr


@pytest.mark.parametrize(
    ("mode", "code", "said"),
    [
        ("", 0, "main\nEND 0\n"),
        ("dry", 0, "main dry DRY\nEND 0\n"),
        ("ok", 0, "END 0\n"),
        ("skip", 0, "END 0\n"),
        ("error:42", 42, "END 42\n"),
    ],
)
def test_the_modes(shell, mode, code, said):
    lines = [f"contract:mode={mode}"] if mode else ["quiet"]
    shell.script("end-1.sh", 'echo "END $1"')
    done = obeyed(shell, lines, 'hooks:flow:apply; echo "main${DRY_RUN:+ dry}${CI_MODE:+ $CI_MODE}"')
    assert (done.returncode, done.stdout.removeprefix("quiet\n")) == (code, said)


def test_the_mode_timeout_bounds_the_main_work(shell):
    shell.script("end-1.sh", 'echo "END $1"')
    done = obeyed(shell, ["contract:mode=timeout:0.3"], "hooks:flow:apply; echo start; sleep 50; echo late")
    assert (done.returncode, done.stdout) == (124, "start\nEND 124\n")


def test_the_mode_timeout_bounds_a_loop_of_the_shell_itself(shell):
    done = obeyed(shell, ["contract:mode=timeout:0.2"], "hooks:flow:apply; while :; do :; done")
    assert done.returncode == 124


def test_the_mode_test_routes_to_another_script(shell):
    mock = shell.folder / "mock.sh"
    mock.write_text("echo mocked; __HOOKS_FLOW_EXIT_CODE=3\n")
    done = obeyed(shell, [f"contract:mode=test:{mock}"], "hooks:flow:apply; echo main")
    assert (done.returncode, done.stdout) == (3, "mocked\n")


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({}, ""),
        ({"CI_SCRIPT_MODE": "EXEC"}, ""),
        ({"CI_SCRIPT_MODE": "DRY"}, "contract:mode=dry\n"),
        ({"CI_SCRIPT_MODE": "DRY", "CI_SCRIPT_MODE_ci_20": "OK"}, "contract:mode=ok\n"),
        ({"HOOKS_FLOW_MODE": "ERROR", "HOOKS_FLOW_ERROR_CODE": "9"}, "contract:mode=error:9\n"),
        ({"CI_SCRIPT_MODE": "ERROR", "CI_SCRIPT_ERROR_CODE": "42"}, "contract:mode=error:42\n"),
        ({"CI_SCRIPT_MODE": "TIMEOUT:2"}, "contract:mode=timeout:2\n"),
        ({"CI_SCRIPT_MODE": "TEST:a/m.sh"}, "contract:mode=test:a/m.sh\n"),
        ({"HOOKS_FLOW_MODE": "/a/m.sh"}, "contract:mode=test:/a/m.sh\n"),
    ],
)
def test_the_mode_that_was_asked_for(shell, environment, line):
    assert shell.run("hooks:mode ci-20", **environment).stdout == line


def test_a_wait_of_the_script_does_not_wait_for_the_recorder_and_its_last_job_stays_known(shell):
    shell.script("h-1.sh", "echo x")
    done = shell.run("""
        hooks:declare h
        mw() { local -n lines=$3; echo "${#lines[@]}"; }
        hooks:middleware h mw
        sleep 0.1 & job=$!
        hooks:do h
        [[ $! == "$job" ]] && echo the same
        wait
        echo waited
    """)
    assert (done.returncode, done.stdout) == (0, "1\nthe same\nwaited\n")


def test_a_shell_that_cannot_do_it_is_told_why(shell):
    done = subprocess.run(
        ["bash", "--posix", "-c", f"source {HOOKS}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "not its posix mode" in done.stderr
