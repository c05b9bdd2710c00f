import os
import signal
import textwrap
import threading
from types import SimpleNamespace

import pytest

from fairlead.executors.python_file import PythonFile, Workers
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Hook, HookType, Outcome, Run

EVENT = Event(EventName.BEFORE_TOOL, agent="claude", payload={"tool_name": "Bash"})

RESULT = "from middleware_base import MiddlewareResult, allow\n"


@pytest.fixture
def workers():
    with Workers() as pool:
        yield pool


@pytest.fixture
def rig(tmp_path, workers):
    """Writes middleware files and runs them, all with the workers of one policy."""

    def write(body, name="guard.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RESULT + textwrap.dedent(body))
        return str(path)

    def run(path, *, previous=(), event=EVENT, environment=None, source=None, modules=None, **changes):
        run = Run("python", path, directory=str(tmp_path), source=source, modules=modules)
        hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, run).replace(**changes)
        return PythonFile(workers, environment=environment).run(hook, event, previous)

    return SimpleNamespace(write=write, run=run, folder=tmp_path)


def test_process_gets_input_config_and_previous_results(rig):
    path = rig.write("""
        def process(hook_input, config, previous_results):
            before = previous_results[0]
            said = f"{before.id} {before['type']} {before.decision} {before['decision']} {before.reason}"
            metrics = {"tool": hook_input["tool_name"], "limit": config["limit"]}
            return MiddlewareResult(decision="block", reason=said, metrics=metrics)
    """)
    previous = (Outcome(Decision.ASK, "why", hook="first", type=HookType.SAFETY),)
    value = rig.run(path, previous=previous, config={"limit": 3}).value
    assert value["decision"] == "block"
    assert value["reason"] == "first safety ask ask why"
    assert value["metrics"] == {"tool": "Bash", "limit": 3}


def test_a_worker_is_warm_for_the_next_call(rig):
    path = rig.write("""
        import os
        def process(hook_input, config, previous_results):
            return {"decision": "allow", "reason": str(os.getpid())}
    """)
    other = rig.write("import os\ndef process(*_): return allow(str(os.getpid()))", "other.py")
    pids = {rig.run(each).value["reason"] for each in (path, path, other)}
    assert len(pids) == 1
    assert pids != {str(os.getpid())}


def test_a_change_of_the_file_is_seen_by_the_next_call(rig):
    path = rig.write("def process(*_): return allow('one')")
    assert rig.run(path).value["reason"] == "one"
    rig.write("def process(*_): return allow('two')")
    assert rig.run(path).value["reason"] == "two"


def test_the_bytes_that_were_trusted_run_and_not_what_the_file_holds(rig):
    path = rig.write("def process(*_): return allow('swapped')")
    trusted = (RESULT + "def process(*_): return allow('trusted')").encode()
    assert rig.run(path, source=trusted).value["reason"] == "trusted"


def test_law_9_modules_beside_a_trusted_file_are_those_that_were_trusted(rig):
    beside = rig.write("WORD = 'swapped'", "beside.py")
    rig.write("WORD = 'planted'", "planted.py")
    path = rig.write("import beside\ndef process(*_): return allow(beside.WORD)")
    importing = rig.write("import planted\ndef process(*_): return allow(planted.WORD)", "other.py")
    trusted = {beside: b"WORD = 'trusted'", str(rig.folder / "only_pinned.py"): b""}
    assert rig.run(path, modules=trusted).value["reason"] == "trusted"
    assert "No module named 'planted'" in rig.run(importing, modules=trusted).failure.message
    assert rig.run(path, modules=trusted | {beside: b"WORD = 'newer'"}).value["reason"] == "newer"
    assert rig.run(path).value["reason"] == "swapped"


def test_modules_beside_the_file_are_importable_and_seen_when_they_change(rig):
    rig.write("WORD = 'first'", "beside.py")
    path = rig.write("import beside\ndef process(*_): return allow(beside.WORD)")
    assert rig.run(path).value["reason"] == "first"
    rig.write("WORD = 'second, and longer'", "beside.py")
    assert rig.run(path).value["reason"] == "second, and longer"


def test_folders_of_one_policy_do_not_see_each_others_modules(rig):
    for folder in ("safety", "observability"):
        rig.write(f"WORD = '{folder}'", f"{folder}/shared_name.py")
        rig.write("import shared_name\ndef process(*_): return allow(shared_name.WORD)", f"{folder}/hook.py")
    paths = [str(rig.folder / folder / "hook.py") for folder in ("safety", "observability", "safety")]
    said = [rig.run(path).value["reason"] for path in paths]
    assert said == ["safety", "observability", "safety"]


def test_packages_beside_the_file_are_importable(rig):
    rig.write("from .words import WORD", "rules/__init__.py")
    rig.write("WORD = 'inner'", "rules/words.py")
    path = rig.write("from rules import WORD\ndef process(*_): return allow(WORD)")
    assert rig.run(path).value["reason"] == "inner"


def test_a_compiled_file_beside_a_source_is_never_run(rig):
    import importlib.util
    import py_compile

    beside = rig.write("WORD = 'hostile'", "beside.py")
    cache = importlib.util.cache_from_source(beside)
    py_compile.compile(beside, cache, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    rig.write("WORD = 'as written'", "beside.py")
    path = rig.write("import beside\ndef process(*_): return allow(beside.WORD)")
    assert rig.run(path).value["reason"] == "as written"


def test_a_module_beside_the_file_cannot_replace_pythons_own(rig):
    rig.write("raise RuntimeError('hostile')", "json.py")
    rig.write("raise RuntimeError('hostile')", "tomllib.py")
    path = rig.write("import json, tomllib\ndef process(*_): return allow(tomllib.__name__)")
    assert rig.run(path).value["reason"] == "tomllib"


def test_an_own_middleware_base_beside_the_file_wins(rig):
    (rig.folder / "middleware_base.py").write_text("def mine(): return {'decision': 'ask'}")
    path = rig.folder / "guard.py"
    path.write_text("from middleware_base import mine\ndef process(*_): return mine()")
    assert rig.run(str(path)).value == {"decision": "ask"}


def test_what_it_prints_is_captured_in_order_and_does_not_reach_the_protocol(rig):
    path = rig.write("""
        import os, sys
        def process(*_):
            print("one")
            print("two", file=sys.stderr)
            os.write(1, b"three\\n")
            os.system("echo four >&2")
            sys.stdout.write("five")
    """)
    capture = rig.run(path)
    assert capture.failure is None
    assert capture.timeline.rendered() == ["1: one", "2: two", "1: three", "2: four", "1: five"]
    assert rig.run(rig.write("def process(*_): pass", "quiet.py")).timeline.rendered() == []


def test_it_runs_in_the_projects_root_with_the_environment_of_the_call(rig, tmp_path):
    path = rig.write("""
        import os
        def process(*_):
            return allow(f"{os.getcwd()} {os.environ.get('WORD')} {os.environ.get('PYTHONPATH')}")
    """)
    event = EVENT.replace(root=str(tmp_path))
    for word in ("first", "second"):
        environment = {"WORD": word, "PYTHONPATH": "/hostile"}
        assert (
            rig.run(path, event=event, environment=environment).value["reason"] == f"{tmp_path} {word} None"
        )


def test_the_working_directory_is_not_on_the_import_path(rig, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "planted.py").write_text("")
    path = rig.write("def process(*_):\n    import planted", "policy/guard.py")
    failure = rig.run(path, event=EVENT.replace(root=str(project))).failure
    assert "ModuleNotFoundError" in failure.message


def test_none_is_no_opinion(rig):
    capture = rig.run(rig.write("def process(*_): pass"))
    assert (capture.value, capture.failure) == (None, None)


def test_an_asynchronous_process_is_awaited(rig):
    assert rig.run(rig.write("async def process(*_): return allow('later')")).value["reason"] == "later"


def test_values_that_json_does_not_know_are_told_as_text(rig):
    path = rig.write("""
        from pathlib import Path
        def process(*_): return MiddlewareResult("allow", "", {"file": Path("/x")})
    """)
    assert rig.run(path).value["metrics"] == {"file": "/x"}


def test_a_large_input_and_a_large_result_pass(rig):
    path = rig.write("def process(hook_input, *_): return allow(hook_input['text'][::-1])")
    text = "ab" * 2_000_000
    assert rig.run(path, event=EVENT.replace(payload={"text": text})).value["reason"] == text[::-1]


BROKEN = {
    "def process(*_): raise ValueError('no such thing')": "ValueError: no such thing",
    "def process(*_): return 1 / 0": "ZeroDivisionError",
    "def process(*_): import sys; sys.exit(3)": "it called sys.exit(3)",
    "def process(*_): import os; os._exit(4)": "its process exited with 4",
    "def process(*_): import os; os.kill(os.getpid(), 9)": "its process was ended by SIGKILL",
    "def process(*_): import os; os.kill(os.getpid(), 11)": "its process was ended by SIGSEGV",
    "def process(*_): import os; os.closerange(3, 65536)": "its process",
    "def process(*_): raise KeyboardInterrupt": "KeyboardInterrupt",
    "def process(a, b, c): process(a, b, c)": "RecursionError",
    "def process(): pass": "TypeError",
    "raise ImportError('on import')": "ImportError: on import",
    "def process(*_): return (": "SyntaxError",
    "import nothing_like_this": "No module named 'nothing_like_this'",
    "x = 1": "has no function process",
    "def process(*_): d = {}; d['d'] = d; return d": "Circular reference",
    "def process(*_): return {(1, 2): 3}": "keys must be str",
}


@pytest.mark.parametrize(("body", "named"), BROKEN.items(), ids=range(len(BROKEN)))
def test_law_2_whatever_breaks_costs_one_answer_and_is_named(rig, body, named):
    path = rig.write(body)
    failure = rig.run(path, timeout=20).failure
    assert failure.stage is Stage.EXECUTION
    assert failure.message.startswith(f"{path}: ")
    assert named in failure.message
    assert rig.run(rig.write("def process(*_): return allow('next')", "good.py")).value["reason"] == "next"


def test_an_exception_is_named_with_the_line_of_the_file(rig):
    path = rig.write("""
        import json
        def process(*_):
            json.loads("{")
    """)
    assert f"({path}:5)" in rig.run(path).failure.message


@pytest.mark.parametrize("value", ["'block'", "42", "[]", "True", "object()"])
def test_a_result_that_is_none_is_a_failure_of_interpretation(rig, value):
    failure = rig.run(rig.write(f"def process(*_): return {value}")).failure
    assert failure.stage is Stage.INTERPRETATION
    assert "not a result" in failure.message


def test_law_5_a_hang_is_killed_and_what_was_printed_is_kept(rig):
    path = rig.write("""
        import signal, time
        def process(*_):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            print("before", flush=True)
            time.sleep(60)
    """)
    capture = rig.run(path, timeout=0.5)
    assert capture.failure.code is FailureCode.TIMEOUT
    assert "no answer within 0.5 s" in capture.failure.message
    assert capture.timeline.rendered() == ["1: before"]
    assert rig.run(rig.write("def process(*_): return allow()", "good.py")).failure is None


def test_a_hang_on_import_is_killed(rig):
    assert rig.run(rig.write("while True: pass"), timeout=0.3).failure.code is FailureCode.TIMEOUT


def test_a_hundred_megabytes_of_output_are_dropped_and_reported(rig):
    path = rig.write("""
        import os
        def process(*_):
            for _ in range(100): os.write(1, b"x" * 1_000_000)
    """)
    capture = rig.run(path)
    assert capture.failure is None
    assert capture.timeline.truncated


def test_a_missing_file_is_a_failure_that_names_it(rig):
    assert "/nowhere/guard.py cannot be read: No such file" in rig.run("/nowhere/guard.py").failure.message


def test_a_child_that_a_middleware_leaves_behind_delays_nobody(rig):
    path = rig.write("""
        import subprocess
        def process(*_): return allow(str(subprocess.Popen(["sleep", "30"]).pid))
    """)
    value = rig.run(path, timeout=10).value
    os.kill(int(value["reason"]), signal.SIGKILL)


def test_a_worker_that_died_between_calls_is_replaced(rig):
    path = rig.write("import os\ndef process(*_): return allow(str(os.getpid()))")
    pid = int(rig.run(path).value["reason"])
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert int(rig.run(path).value["reason"]) != pid


def test_several_threads_are_served_at_once_and_the_number_of_workers_is_bounded(tmp_path):
    path = tmp_path / "guard.py"
    path.write_text("import os, time\ndef process(*_): time.sleep(.02); return {'reason': str(os.getpid())}")
    pids, failures = [], []
    with Workers(most=2) as workers:
        hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("python", str(path)))

        def run():
            for _ in range(3):
                capture = PythonFile(workers).run(hook, EVENT, ())
                failures.append(capture.failure)
                pids.append(capture.value["reason"])

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == [None] * 12
    assert len(set(pids)) == 2


def test_workers_of_other_policies_make_room(tmp_path):
    with Workers(most=1) as workers:
        for name in ("a", "b", "a"):
            path = tmp_path / name / "guard.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text("def process(*_): pass")
            hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("python", str(path)))
            assert PythonFile(workers).run(hook, EVENT, ()).failure is None


def test_workers_that_nobody_needs_are_ended(tmp_path):
    path = tmp_path / "guard.py"
    path.write_text("import os\ndef process(*_): return {'reason': str(os.getpid())}")
    hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("python", str(path)))
    with Workers(idle_seconds=-1) as workers:
        pids = {PythonFile(workers).run(hook, EVENT, ()).value["reason"] for _ in range(2)}
    assert len(pids) == 2


def test_closed_workers_say_so(tmp_path):
    path = tmp_path / "guard.py"
    path.write_text("def process(*_): pass")
    workers = Workers()
    workers.close()
    hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("python", str(path)))
    assert "closed" in PythonFile(workers).run(hook, EVENT, ()).failure.message


def test_nothing_is_left_open(rig):
    path = rig.write("def process(*_): raise SystemExit")
    rig.run(path)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        rig.run(path)
    assert len(os.listdir("/proc/self/fd")) == before
