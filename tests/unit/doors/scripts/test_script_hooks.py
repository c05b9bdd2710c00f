import os
import sys

import pytest

from fairlead.doors.scripts.script_hooks import ScriptHooks
from fairlead.errors import FairleadError, RegistrationError
from fairlead.executors import keeping
from hook_files import script


def names(hooks, hook):
    return [each.name for each in hooks.plan(hook)[0]]


# Declaring and discovery


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a|b", "../x", "ä"])
def test_a_name_that_is_none_is_refused_and_nothing_is_declared(hooks, name):
    with pytest.raises(RegistrationError):
        hooks.declare("good", name)
    assert not hooks.known("good")


def test_a_hook_that_nobody_declared_or_implements_is_exit_code_0(hooks):
    assert hooks.do("nothing").exit_code == 0
    hooks.declare("begin")
    assert hooks.do("begin").ran == ()


def test_functions_and_files_are_one_sequence_by_byte_order(hooks, folder, capfd):
    hooks.declare("deploy")
    script(folder, "deploy-20-bravo.sh", "echo bravo")
    script(folder, "deploy_9.py", "echo nine")
    script(folder, "deploy-Zed", "echo Zed")
    hooks.function("deploy", lambda: print("function"))
    hooks.register("deploy", "30-charlie", lambda: print("charlie"))
    hooks.register("deploy", "10-alpha", lambda: print("alpha"))
    hooks.do("deploy")
    assert capfd.readouterr().out.split() == ["function", "alpha", "bravo", "charlie", "nine", "Zed"]


def test_of_two_that_sort_alike_the_registered_one_is_first(hooks, folder):
    hooks.declare("b")
    script(folder, "b-10.sh", "")
    script(folder, "b_10.sh", "")
    hooks.register("b", "10", print)
    assert names(hooks, "b") == ["10", "b-10.sh", "b_10.sh"]


def test_w15_a_hook_whose_name_begins_anothers_never_runs_the_others_scripts(hooks, folder):
    hooks.declare("pre", "pre_deploy", "pre-deploy")
    for name in ("pre-1.sh", "pre_deploy_01.sh", "pre-deploy-02.sh"):
        script(folder, name, "")
    assert names(hooks, "pre") == ["pre-1.sh"]
    assert names(hooks, "pre_deploy") == ["pre_deploy_01.sh"]


def test_w15_links_are_followed_and_broken_ones_reported(hooks, folder, capfd):
    hooks.declare("h")
    target = script(folder, "real.sh", "echo linked")
    (folder / "h-link.sh").symlink_to(target)
    (folder / "h-broken.sh").symlink_to("/nowhere")
    hooks.do("h")
    captured = capfd.readouterr()
    assert captured.out == "linked\n"
    assert "h-broken.sh is not run: it is a broken link" in captured.err


def test_what_is_not_run_is_reported_once_and_not_silently_skipped(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-plain.sh", "", mode=0o644)
    script(folder, "h-old.sh~", "")
    script(folder, "h-old.sh.bak", "")
    (folder / "h-folder.sh").mkdir()
    run = hooks.do("h")
    hooks.do("h")
    assert len(run.skipped) == 4
    warnings = capfd.readouterr().err
    assert warnings.count("is not run") == 4
    assert "chmod +x" in warnings


@pytest.mark.parametrize("name", ["h-a b.sh", "h-a|b.sh", "h-*?[.sh", "h-a\nb.sh", "h-ä.sh", "h--.sh"])
def test_w14_odd_file_names_run_as_what_they_are(hooks, folder, capfd, name):
    hooks.declare("h")
    script(folder, name, "echo $1")
    assert hooks.do("h", "it runs").exit_code == 0
    assert capfd.readouterr().out == "it runs\n"


def test_the_directory_is_relative_to_the_file_that_declares(tmp_path, monkeypatch):
    (tmp_path / "ci-cd").mkdir()
    script(tmp_path / "ci-cd", "begin-1.sh", "echo here")
    code = "hooks = ScriptHooks()"
    namespace = {"ScriptHooks": ScriptHooks, "__file__": str(tmp_path / "main.py")}
    monkeypatch.chdir("/")
    exec(code, namespace)
    namespace["hooks"].declare("begin")
    assert names(namespace["hooks"], "begin") == ["begin-1.sh"]


# Registration


def test_registering_twice_or_unregistering_nothing_is_refused(hooks):
    hooks.register("h", "a", print)
    for wrong in (
        lambda: hooks.register("h", "a", print),
        lambda: hooks.register("h", "b", "not callable"),
        lambda: hooks.unregister("h", "z"),
        lambda: hooks.middleware("h", "not callable"),
    ):
        with pytest.raises(RegistrationError):
            wrong()
    hooks.unregister("h", "a")
    assert not hooks.runnable("h")


@pytest.mark.parametrize("name", ["a:b", "a|b"])
def test_a_registered_name_may_hold_any_character(hooks, capfd, name):
    hooks.declare("h")
    hooks.register("h", name, lambda: print("ran"))
    hooks.do("h")
    assert capfd.readouterr().out == "ran\n"


# Running


def test_arguments_reach_every_kind_exactly(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-1.sh", 'printf "%s|" "$@"')
    hooks.register("h", "2", lambda *args: print(args))
    hooks.do("h", "a b", "", "*", "--", "x\ny")
    assert capfd.readouterr().out == "a b||*|--|x\ny|('a b', '', '*', '--', 'x\\ny')\n"


def test_the_last_exit_code_counts_by_default_and_all_implementations_run(hooks, folder):
    hooks.declare("h")
    script(folder, "h-1.sh", "exit 3")
    script(folder, "h-2.sh", "exit 0")
    run = hooks.do("h")
    assert run.exit_code == 0
    assert [each.exit_code for each in run.ran] == [3, 0]


@pytest.mark.parametrize(("policy", "code"), [("worst", 5), ("first-failure", 3), ("last", 0)])
def test_w23_a_failing_early_implementation_need_not_be_masked(folder, policy, code):
    hooks = ScriptHooks(str(folder), exit_policy=policy)
    hooks.declare("h")
    for number, exit_code in enumerate((0, 3, 5, 0)):
        script(folder, f"h-{number}.sh", f"exit {exit_code}")
    assert hooks.do("h").exit_code == code


def test_an_unknown_exit_policy_is_refused(folder):
    with pytest.raises(RegistrationError):
        ScriptHooks(str(folder), exit_policy="best")


def test_fail_fast_stops_at_the_first_failure(hooks, folder):
    hooks.declare("h", fail_fast=True)
    script(folder, "h-1.sh", "exit 3")
    script(folder, "h-2.sh", "exit 0")
    run = hooks.do("h")
    assert (run.exit_code, len(run.ran)) == (3, 1)


def test_a_required_hook_that_nobody_implements_fails(hooks, capfd):
    hooks.declare("h", required=True)
    assert hooks.do("h").exit_code == 127
    assert "is required" in capfd.readouterr().err


def test_retries(hooks, folder):
    hooks.declare("h", retries=3)
    script(
        folder, "h-1.sh", f"n=$(cat {folder}/n 2>/dev/null || echo 0); echo $((n+1)) > {folder}/n; ((n == 2))"
    )
    (ran,) = hooks.do("h").ran
    assert (ran.exit_code, ran.tries) == (0, 3)


def test_a_timeout_per_implementation_is_exit_code_124(hooks, folder):
    hooks.declare("h", timeout=0.3, grace=0.2)
    script(folder, "h-1.sh", "trap '' TERM; echo before; while :; do sleep 1; done")
    run = hooks.do("h")
    assert (run.exit_code, run.ran[0].timed_out) == (124, True)
    assert run.ran[0].timeline.rendered() == ["1: before"]
    assert run.ran[0].seconds < 5


def test_w11_exit_by_signal_can_be_told_from_an_exit_code(hooks, folder):
    hooks.declare("h")
    script(folder, "h-1.sh", "kill -9 $$")
    script(folder, "h-2.sh", "exit 137")
    killed, exited = hooks.do("h").ran
    assert (killed.exit_code, killed.signal) == (137, 9)
    assert (exited.exit_code, exited.signal) == (137, 0)


def test_a_script_that_cannot_start_is_127_and_says_why(hooks, folder, capfd):
    hooks.declare("h")
    (folder / "h-1.sh").write_text("#!/nowhere/interpreter\n")
    (folder / "h-1.sh").chmod(0o755)
    assert hooks.do("h").exit_code == 127
    assert "h-1.sh" in capfd.readouterr().err


def test_w8_a_background_child_delays_nobody(hooks, folder):
    hooks.declare("h")
    script(folder, "h-1.sh", "sleep 30 >/dev/null & echo $!; sleep 30 & echo $!")
    (ran,) = hooks.do("h").ran
    for pid in ran.timeline.text(1).split():
        os.kill(int(pid), 9)
    assert ran.seconds < 20


def test_w22_a_hook_does_not_eat_the_callers_input(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-1.sh", "cat; echo end")
    hooks.do("h")
    assert capfd.readouterr().out == "end\n"


# Functions


def raising():
    raise ValueError("no such thing")


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda: None, 0),
        (lambda: 7, 7),
        (lambda: sys.exit(5), 5),
        (lambda: sys.exit(), 0),
        (raising, 1),
        (lambda: "rubbish", 1),
    ],
)
def test_the_exit_code_of_a_function(hooks, function, code, capfd):
    hooks.declare("h")
    hooks.register("h", "f", function)
    assert hooks.do("h").exit_code == code


def test_what_a_function_raises_is_shown(hooks, capfd):
    hooks.declare("h")
    hooks.register("h", "f", raising)
    (ran,) = hooks.do("h").ran
    assert "ValueError: no such thing" in ran.timeline.text(2)
    assert "ValueError: no such thing" in capfd.readouterr().err


# Middleware


def test_the_default_shows_output_as_it_is_and_keeps_the_exit_code(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-1.sh", "echo out; echo err >&2; printf last; exit 42")
    run = hooks.do("h")
    captured = capfd.readouterr()
    assert (run.exit_code, captured.out, captured.err) == (42, "out\nlast", "err\n")
    assert run.ran[0].timeline.rendered() == ["1: out", "2: err", "1: last"]


def test_w9_the_default_shows_output_while_it_comes(hooks, folder):
    seen = []
    hooks.console.write = lambda stream, data: seen.append((data, (folder / "go").write_text("")))
    hooks.declare("h", timeout=20)
    script(folder, "h-1.sh", f"echo first; while [ ! -e {folder}/go ]; do sleep 0.01; done; echo second")
    assert hooks.do("h").exit_code == 0
    assert [data for data, _ in seen] == [b"first\n", b"second\n"]


def test_a_middleware_sees_everything_and_changes_the_exit_code(hooks, folder, capfd):
    seen = []

    def middleware(hook, exit_code, timeline, args):
        seen.append((hook, exit_code, timeline.rendered(), args))
        return 99

    hooks.declare("h")
    script(folder, "h-1.sh", "echo out; exit 5")
    hooks.middleware("h", middleware)
    run = hooks.do("h", "a")
    assert seen == [("h", 5, ["1: out"], ("a",))]
    assert (run.exit_code, run.ran[0].own_code) == (99, 5)
    assert capfd.readouterr().out == ""


def test_a_middleware_that_returns_nothing_keeps_the_exit_code_and_can_be_reset(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-1.sh", "echo out; exit 5")
    hooks.middleware("h", lambda *_: None)
    assert hooks.do("h").exit_code == 5
    hooks.middleware("h")
    hooks.do("h")
    assert capfd.readouterr().out == "out\n"


# Contracts


def test_without_a_contract_nothing_is_parsed(hooks, folder, capfd):
    hooks.declare("h")
    script(folder, "h-1.sh", "echo contract:A=1; echo contract:gibberish")
    hooks.do("h")
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("contract:A=1\ncontract:gibberish\n", "")
    assert hooks.variables == {}


def test_a_contract_sets_variables_for_the_caller_and_the_next_script(hooks, folder, capfd):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "echo contract:WORD=yes; echo plain")
    script(folder, "h-2.sh", "echo next: $WORD")
    run = hooks.do("h")
    assert run.variables == {"WORD": "yes"}
    assert capfd.readouterr().out == "plain\nnext: yes\n"


def test_contract_lines_can_be_shown(hooks, folder, capfd):
    hooks.declare("h")
    hooks.contract("h", show=True)
    script(folder, "h-1.sh", "echo contract:A=1")
    hooks.do("h")
    assert capfd.readouterr().out == "contract:A=1\n"


def test_a_malformed_contract_names_script_and_line(hooks, folder, capfd):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "echo hello; echo contract:exit:abc")
    hooks.do("h")
    assert "h-1.sh: line 2: contract:exit:abc is ignored" in capfd.readouterr().err


def test_w4_a_contract_is_never_lost_to_an_unterminated_line_on_stderr(hooks, folder, capfd):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "printf warn >&2; echo contract:env:X=yes")
    for _ in range(20):
        hooks.variables.clear()
        hooks.do("h")
        assert hooks.variables == {"X": "yes"}


def test_w19_what_one_hook_asked_for_does_not_stick_to_the_next(hooks, folder):
    hooks.declare("first", "second")
    hooks.contract("first")
    script(folder, "first-1.sh", "echo contract:exit:8")
    script(folder, "second-1.sh", "true")
    hooks.do("first")
    hooks.do("second")
    hooks.apply()


def test_a_contract_ends_the_caller_with_its_code(hooks, folder):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "echo contract:exit:8")
    hooks.do("h")
    with pytest.raises(SystemExit) as stop:
        hooks.apply()
    assert stop.value.code == 8


def test_w19_a_route_to_a_missing_file_is_an_error_and_not_a_success(hooks, folder):
    hooks.declare("h")
    hooks.contract("h")
    script(folder, "h-1.sh", "echo contract:route:/nowhere.sh")
    hooks.do("h")
    with pytest.raises(FairleadError, match=r"/nowhere\.sh"):
        hooks.apply()


def test_a_route_goes_on_with_another_script(hooks, folder, capfd):
    hooks.declare("h")
    hooks.contract("h")
    mock = script(folder, "mock.sh", "echo mocked; exit 3", mode=0o644)
    script(folder, "h-1.sh", f"echo contract:mode=test:{mock}")
    hooks.do("h")
    with pytest.raises(SystemExit) as stop:
        hooks.apply()
    assert (stop.value.code, capfd.readouterr().out) == (3, "mocked\n")


class Levels:
    """A contract of one's own: lines such as `level: 3`."""

    def read(self, timeline):
        lines = [line.text for line in timeline.lines if line.text.startswith("level: ")]
        return {"LEVEL": int(lines[-1].removeprefix("level: "))} if lines else {}


def test_a_contract_can_be_of_ones_own(hooks, folder):
    hooks.declare("h")
    hooks.contract("h", Levels())
    script(folder, "h-1.sh", "echo level: 3; echo contract:A=1")
    assert hooks.do("h").variables == {"LEVEL": "3"}


# Modes


def in_mode(hooks, folder, mode):
    hooks.declare("begin")
    hooks.contract("begin")
    script(folder, "begin-1.sh", f"echo contract:mode={mode}")
    hooks.do("begin")


def test_the_timeout_mode_bounds_the_main_work(hooks, folder):
    in_mode(hooks, folder, "timeout:0.3")
    assert hooks.main("bash", "-c", "sleep 60") == 124


def test_the_dry_mode_shows_the_main_work(hooks, folder, capfd):
    in_mode(hooks, folder, "dry")
    assert hooks.main("rm", "-rf", "/nothing") == 0
    assert capfd.readouterr().out == "dry run: rm -rf /nothing\n"


@pytest.mark.parametrize(("mode", "code"), [("ok", 0), ("skip", 0), ("error:42", 42)])
def test_modes_that_end_the_caller_before_its_main_work(hooks, folder, mode, code):
    in_mode(hooks, folder, mode)
    assert hooks.flow.result == mode.partition(":")[0]
    with pytest.raises(SystemExit) as stop:
        hooks.main("false")
    assert stop.value.code == code


def test_without_a_mode_the_main_work_runs(hooks, folder):
    hooks.declare("begin")
    hooks.do("begin")
    assert hooks.main("bash", "-c", "exit 6") == 6


# Large output


def test_output_above_the_limit_goes_to_a_file(hooks, folder, tmp_path, capfd):
    hooks.declare("h", limit=1000, spill=str(tmp_path))
    script(folder, "h-1.sh", "head -c 5000 /dev/zero")
    (ran,) = hooks.do("h").ran
    assert ran.timeline.truncated
    assert ran.timeline.data(1) == bytes(750) + b"\n" + bytes(250)
    with open(ran.timeline.spilled, "rb") as spilled:
        assert spilled.read() == bytes(4000)
    captured = capfd.readouterr()
    assert len(captured.out) == 5000
    assert "4000 bytes in the middle of its output are not kept; they are in" in captured.err


def test_w5_all_bytes_are_kept(hooks, folder):
    hooks.declare("h")
    hooks.middleware("h", lambda *_: None)
    script(folder, "h-1.sh", 'for i in {0..255}; do printf "\\\\x$(printf %02x $i)"; done')
    (ran,) = hooks.do("h").ran
    assert ran.timeline.data(1) == bytes(range(256))


def test_the_last_contract_of_a_flood_is_obeyed_and_the_cut_is_said(hooks, folder, capfd):
    hooks.declare("h", limit=1000)
    hooks.contract("h")
    script(
        folder,
        "h-1.sh",
        "yes | head -n 5000; echo contract:MIDDLE=1; yes | head -n 5000; echo contract:exit:3",
    )
    run = hooks.do("h")
    assert (run.variables, run.flow.exit_code) == ({"MIDDLE": "1"}, 3)
    assert "bytes in the middle of its output are not kept" in capfd.readouterr().err


def test_contracts_that_could_not_be_kept_are_a_failure(hooks, folder, capfd, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_CONTRACT_BYTES", 1000)
    hooks.declare("h", limit=1000)
    hooks.contract("h")
    script(folder, "h-1.sh", "yes contract:A=1 | head -c 30000")
    assert hooks.do("h").exit_code == 1
    assert "contract lines were too many to keep" in capfd.readouterr().err
