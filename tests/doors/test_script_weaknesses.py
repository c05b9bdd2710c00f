"""What is known to go wrong in hooks for bash scripts, W1 to W23, and does not here."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from bash_shell import processes_of

COUNT_MW = """
    mw() { local -n lines=$3; printf '%s\\n' "${lines[@]}"; return "$2"; }
    hooks:declare h
    hooks:middleware h mw
"""


def captured(shell, body, **options):
    """The capture of one script, as the middleware sees it."""
    shell.script("h-1.sh", body)
    return shell.run(f"{COUNT_MW}\nhooks:do h", **options)


def test_w1_the_timeline_is_in_the_order_of_the_writes(shell):
    done = captured(shell, "for i in {1..1000}; do echo o$i; echo e$i >&2; done")
    assert done.stdout.split("\n")[:-1] == [x for i in range(1, 1001) for x in (f"1: o{i}", f"2: e{i}")]


RANDOM_WRITES = """
import os, random
for number in range(2000):
    os.write(random.choice((1, 2)), b"%d\\n" % number)
"""


def test_w1_randomly_interleaved_writes_of_a_program_keep_their_order(shell):
    (shell.folder / "writes.py").write_text(RANDOM_WRITES)
    done = captured(shell, f"exec {sys.executable} {shell.folder}/writes.py")
    assert [int(line[3:]) for line in done.stdout.splitlines()] == list(range(2000))


def test_w1_functions_in_the_callers_shell_are_captured_in_order_too(shell):
    body = "hook:h() { for i in {1..500}; do echo o$i; echo e$i >&2; done; }; hooks:do h"
    done = shell.run(COUNT_MW + body)
    assert done.stdout.split("\n")[:-1] == [x for i in range(1, 501) for x in (f"1: o{i}", f"2: e{i}")]


def test_w2_no_line_is_torn_when_several_processes_write_at_once(shell):
    writer = "for i in {1..300}; do echo $name-$i; echo $name-$i >&2; done"
    done = captured(shell, f"for name in a b c; do ( {writer} ) & done; wait")
    expected = sorted(f"{stream}: {name}-{i}" for stream in (1, 2) for name in "abc" for i in range(1, 301))
    assert sorted(done.stdout.splitlines()) == expected


def test_w3_a_final_line_without_newline_stays_on_its_stream(shell):
    done = captured(shell, "printf last-err >&2; echo full; printf last-out")
    assert done.stdout.splitlines() == ["2: last-err", "1: full", "1: last-out"]


def test_w4_a_contract_is_not_lost_to_an_unterminated_line(shell):
    shell.script("h-1.sh", "printf warn >&2; echo contract:env:X=yes")
    done = shell.run("""
        hooks:declare h
        hooks:middleware h hooks:middleware:contract
        for i in {1..50}; do X=no; hooks:do h 2>/dev/null; [[ $X == yes ]] || echo "lost in run $i"; done
    """)
    assert (done.returncode, done.stdout) == (0, "")


def test_w5_what_follows_a_nul_is_not_dropped(shell):
    shell.script("h-1.sh", r"printf 'a\0b\xffc\r\n\n'")
    main = shell.main(f"{COUNT_MW}\nhooks:do h")
    done = subprocess.run(["bash", main], capture_output=True, env=shell.environment(), check=True)
    assert done.stdout == b"1: ab\xffc\r\n1: \n"


def test_w5_the_default_middleware_passes_all_bytes(shell):
    shell.script("h-1.sh", r"printf '\x00\xff\x01'")
    main = shell.main("hooks:declare h; hooks:do h")
    done = subprocess.run(["bash", main], capture_output=True, env=shell.environment(), check=True)
    assert done.stdout == b"\x00\xff\x01"


@pytest.mark.slow
def test_w6_ten_megabytes_are_complete(shell):
    shell.script("h-1.sh", "yes 0123456789 | head -c 10000000; echo; echo end >&2")
    done = shell.run("""
        hooks:declare h
        mw() { local -n lines=$3; echo "${#lines[@]} ${lines[-1]}"; }
        hooks:middleware h mw
        hooks:do h
    """)
    assert done.stdout == "909092 2: end\n"


@pytest.mark.slow
def test_w6_endless_output_is_cut_and_the_caller_is_told(shell):
    shell.script("h-1.sh", "yes 0123456789012345678901234567890123456789 | head -c 90000000")
    done = shell.run("hooks:declare h; mw() { :; }; hooks:middleware h mw; hooks:do h")
    assert done.returncode == 0
    assert "were too many to keep" in done.stderr


def test_w7_capture_arrays_are_freed(shell):
    done = (
        captured(shell, "echo x")
        if False
        else shell.run(f"""{COUNT_MW}
        hook:h() {{ echo x; }}
        for i in 1 2 3; do hooks:do h >/dev/null; done
        compgen -v | grep -c '^__hooks_h_' || echo none left
    """)
    )
    assert done.stdout == "0\nnone left\n"


def test_w8_a_background_child_does_not_hold_the_caller(shell):
    start = time.monotonic()
    done = captured(shell, "sleep 30 & echo $!; exit 0")
    os.kill(int(done.stdout.split()[-1]), signal.SIGKILL)
    assert time.monotonic() - start < 20


def test_w9_the_default_middleware_shows_output_while_it_comes(shell):
    go = shell.folder / "go"
    shell.script("h-1.sh", f"echo first; until [[ -e {go} ]]; do sleep 0.01; done; echo second")
    main = shell.main("hooks:declare h; hooks:do h")
    with subprocess.Popen(
        ["bash", main], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=shell.environment()
    ) as process:
        assert process.stdout.readline() == b"first\n"
        go.touch()
        assert process.stdout.read() == b"second\n"


@pytest.mark.parametrize("timeout", ["", "HOOKS_TIMEOUT=20; "])
def test_w10_a_prompt_is_visible_before_it_is_answered(shell, timeout):
    shell.script("h-1.sh", 'read -r -p "go on? " answer; echo "got $answer"')
    main = shell.main(f"hooks:declare h; {timeout}hooks:do h")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("bash", ["bash", str(main)], shell.environment())
    seen = b""
    while b"go on? " not in seen:
        seen += os.read(terminal, 1000)
    os.write(terminal, b"yes\n")
    try:
        while b"got yes" not in seen:
            seen += os.read(terminal, 1000)
    except OSError:
        pass
    os.close(terminal)
    os.waitpid(pid, 0)
    assert b"got yes" in seen


@pytest.mark.parametrize("middleware", ["default", "mw"])
def test_w11_a_killed_hook_keeps_its_output_and_the_shell_says_nothing_of_our_insides(shell, middleware):
    shell.script("h-1.sh", "echo before; kill -9 $$")
    reset = "hooks:middleware h\n" if middleware == "default" else ""
    done = shell.run(f"{COUNT_MW}{reset}hooks:do h")
    assert (done.returncode, done.stdout.removeprefix("1: "), done.stderr) == (137, "before\n", "")


@pytest.mark.parametrize(
    ("ending", "code"), [("exit 7", 7), ("true", 0), ("false", 1), ("kill -TERM $$; sleep 5", 143)]
)
def test_w12_the_end_hook_gets_the_true_exit_code_once(shell, ending, code):
    done = shell.run(f"hook:end() {{ echo END $*; }}\n{ending}")
    assert done.returncode in (code, -15)
    if code != 143:
        assert done.stdout.count("END") == 1
        assert f"END {code}\n" in done.stdout


def test_w12_an_exit_trap_that_was_there_runs_first_and_sees_the_code(shell):
    main = shell.main("hook:end() { echo END $*; }; exit 7")
    text = main.read_text().replace("source ", "trap 'echo legacy $?' EXIT\nsource ", 1)
    main.write_text(text)
    done = subprocess.run(
        ["bash", main], capture_output=True, text=True, env=shell.environment(), check=False
    )
    assert (done.returncode, done.stdout) == (7, "legacy 7\nEND 7\n")


def test_w12_an_end_hook_that_the_script_ran_itself_does_not_run_again(shell):
    done = shell.run("hooks:declare begin end; hook:end() { echo END $*; }; hooks:do end 3; exit 0")
    assert (done.stdout, done.stderr) == ("END 3\n", "")


def test_w12_what_a_function_printed_before_it_ended_the_script_is_not_lost(shell):
    body = "hook:h() { echo out; echo err >&2; exit 5; }; hook:end() { echo END $*; }; hooks:do h"
    done = shell.run(f"mw() {{ return 0; }}; hooks:declare h; hooks:middleware h mw; {body}")
    assert (done.returncode, done.stdout, done.stderr) == (5, "out\nEND 5\n", "err\n")


@pytest.mark.parametrize("body", ["hook:h() { echo a; }", "f() { echo a; }; hooks:register h f f"])
@pytest.mark.parametrize("middleware", ["", "mw() { echo b; }; hooks:middleware h mw;"])
def test_w13_strict_mode_survives_a_successful_hook(shell, body, middleware):
    done = shell.run(f"hooks:declare h; {body}; {middleware} hooks:do h; echo done", strict=True)
    assert (done.returncode, done.stdout.split()[-1], done.stderr) == (0, "done", "")


def test_w13_strict_mode_ends_with_the_code_of_a_failing_hook_and_shows_its_output(shell):
    done = captured(shell, "echo out; exit 9")
    assert (done.returncode, done.stdout) == (9, "1: out\n")


@pytest.mark.parametrize("name", ["h-x|y.sh", "h-a b.sh", "h-*?[.sh", "h-a\nb.sh", "h-$(x).sh"])
@pytest.mark.parametrize("middleware", ["", "hooks:middleware h mw"])
def test_w14_odd_file_names_run_as_what_they_are(shell, name, middleware):
    shell.script(name, 'echo "ran $1"')
    done = shell.run(
        f"hooks:declare h; mw() {{ local -n l=$3; echo ${{l[0]#1: }}; }}; {middleware}\nhooks:do h it"
    )
    assert done.stdout == "ran it\n"


def test_w15_a_hook_never_runs_the_scripts_of_one_whose_name_it_begins(shell):
    for name in ("pre-1.sh", "pre_deploy_01.sh", "pre-deploy.sh"):
        shell.script(name, "echo ${0##*/}")
    done = shell.run("hooks:declare pre pre_deploy pre-deploy; hooks:do pre")
    assert done.stdout == "pre-1.sh\n"


def test_w15_the_order_does_not_depend_on_the_locale(shell):
    for name in ("1-b", "10_a", "2", "Zed", "_a", "a-c", "a_b", "aa", "backup"):
        shell.script(f"h-{name}.sh", "echo ${0##*/h-}")
    for locale in ("C", "en_US.UTF-8", "C.UTF-8"):
        done = shell.run("hooks:declare h; hooks:do h", LC_ALL=locale)
        names = [line.removesuffix(".sh") for line in done.stdout.split()]
        assert names == ["1-b", "10_a", "2", "Zed", "_a", "a-c", "a_b", "aa", "backup"]


@pytest.mark.parametrize("option", ["shopt -s nullglob", "shopt -s failglob", "set -f", "GLOBIGNORE='*'"])
def test_w15_options_of_the_caller_lose_no_script_and_stay(shell, option):
    shell.script("h-[1].sh", "echo ran")
    state = 'shopt -p nullglob failglob; echo $-; echo "${GLOBIGNORE:-}"'
    done = shell.run(
        f'hooks:declare h; {option}\na=$({state} || :)\nhooks:do h\nb=$({state} || :)\n[[ $a == "$b" ]]'
    )
    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_w15_links_are_followed_and_what_is_not_run_is_reported(shell):
    (shell.hooks / "h-link.sh").symlink_to(shell.script("real.sh", "echo linked"))
    (shell.hooks / "h-broken.sh").symlink_to("/nowhere")
    shell.script("h-plain.sh", "", mode=0o644)
    shell.script("h-old.sh~", "")
    done = shell.run("hooks:declare h; hooks:do h; hooks:do h")
    assert done.stdout == "linked\nlinked\n"
    assert done.stderr.count("is not run") == 3


def test_w15_the_hooks_do_not_vanish_when_the_script_changes_its_directory(shell):
    shell.script("h-1.sh", "echo found")
    assert shell.run("hooks:declare h; cd /; hooks:do h").stdout == "found\n"


def test_w16_a_sourced_script_without_hook_run_does_not_run_the_previous_ones(shell):
    shell.script("h-1.sh", "hook:run() { echo first; }")
    shell.script("h-2.sh", ":")
    done = shell.run("hooks:declare h; HOOKS_EXEC_MODE=source; hooks:do h", debug="hooks")
    assert done.stdout == "first\n"
    assert "⚠ No hook:run function found in h-2.sh, skipping" in done.stderr


@pytest.mark.parametrize("ending", ["exit 5", "kill -TERM $$", "kill -KILL $$", "true"])
def test_w17_nothing_is_left_behind(shell, ending):
    before = set(os.listdir(shell.folder)) | {"main.sh"}
    shell.run(f"{COUNT_MW}hook:h() {{ echo x; {ending}; }}; hooks:do h")
    assert set(os.listdir(shell.folder)) == before
    deadline = time.monotonic() + 10
    while processes_of(shell.folder) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes_of(shell.folder) == []


def test_w18_an_unusable_folder_for_temporary_files_does_not_matter(shell):
    done = captured(shell, "echo x", TMPDIR="/nowhere")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1: x\n", "")


def test_w18_without_a_recorder_hooks_still_run_and_the_caller_is_told(shell):
    done = captured(shell, "echo out; echo err >&2", FAIRLEAD_RECORDER="/nowhere", FAIRLEAD_PYTHON="/nowhere")
    assert (done.returncode, done.stdout) == (0, "1: out\n2: err\n")
    assert "no recorder could be started" in done.stderr


def test_w19_what_a_hook_asked_for_does_not_stick(shell):
    done = shell.run("""
        hooks:declare first second
        hook:first() { echo contract:exit:8; }
        hook:second() { :; }
        hooks:middleware first hooks:middleware:contract
        hooks:do first
        hooks:do second
        hooks:flow:apply
        echo went on
    """)
    assert (done.returncode, done.stdout) == (0, "went on\n")


def test_w19_a_route_to_a_missing_file_is_not_a_success(shell):
    done = shell.run("""
        hooks:declare h
        hook:h() { echo contract:route:/nowhere.sh; }
        hooks:middleware h _hooks:middleware:modes
        hooks:do h
        hooks:flow:apply
    """)
    assert done.returncode == 1
    assert "/nowhere.sh" in done.stderr


@pytest.mark.parametrize("line", ["env:PATH=/evil", "env:LD_PRELOAD=/evil", "IFS=x", "BASH_ENV=/evil"])
def test_w20_a_line_of_output_cannot_change_how_programs_run(shell, line):
    name = re.split("[:=]", line)[-2]
    done = shell.run(f"""
        hooks:declare h
        hook:h() {{ echo contract:{line}; }}
        hooks:middleware h hooks:middleware:contract
        before=${{{name}-unset}}
        hooks:do h
        [[ ${{{name}-unset}} == "$before" ]] && echo same
    """)
    assert done.stdout == "same\n"
    assert f"may not set {name}" in done.stderr


def test_w20_operators_in_values_readonly_variables_and_the_allow_list(shell):
    done = shell.run("""
        hooks:declare h
        readonly FIXED=1
        hook:h() { echo contract:env:OPTS=a+=b; echo contract:env:FIXED=2; echo contract:env:PATH+=/mine; }
        hooks:middleware h hooks:middleware:contract
        HOOKS_CONTRACT_ALLOW='+PATH'
        hooks:do h
        echo "$OPTS $FIXED ${PATH##*:}"
    """)
    assert done.stdout == "a+=b 1 /mine\n"
    assert "FIXED is readonly" in done.stderr


def test_w21_a_middleware_that_vanished_is_an_error_and_the_output_is_kept(shell):
    shell.script("h-1.sh", "echo out")
    done = shell.run("hooks:declare h; mw() { :; }; hooks:middleware h mw; unset -f mw; hooks:do h")
    assert (done.returncode, done.stdout) == (127, "out\n")
    assert "middleware function 'mw' does not exist" in done.stderr


@pytest.mark.parametrize("middleware", ["", "mw() { :; }; hooks:middleware h mw"])
def test_w22_ifs_and_input_of_the_caller_stay_the_callers(shell, middleware):
    shell.script("h-1.sh", "cat >/dev/null")
    body = f"""
        hooks:declare h
        {middleware}
        IFS=,
        while read -r line; do hooks:do h; echo "$line"; done
        printf '<%s>' "$IFS"
    """
    done = shell.run(body, input="one\ntwo\nthree\n")
    assert done.stdout == "one\ntwo\nthree\n<,>"


def test_w23_a_failing_early_implementation_can_be_made_to_count(shell):
    shell.script("h-1.sh", "exit 3")
    shell.script("h-2.sh", "exit 0")
    assert shell.run("hooks:declare h; hooks:do h").returncode == 0
    assert shell.run("hooks:declare h; HOOKS_EXIT_POLICY=worst hooks:do h").returncode == 3
