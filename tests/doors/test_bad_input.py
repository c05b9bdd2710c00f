"""Whatever an agent, a policy or a hook gets wrong: a clear reason, a block, a journal line."""

import json

import pytest

GUARD = """\
id: mine
kind: hook
category: lifecycle
event: PreToolUse
execution: pipeline
middleware:
  - {{id: my-guard, path: {path}, type: safety, enabled: true, timeout: {timeout}}}
"""


def with_guard(machine, source: str, *, name: str = "guard.py", timeout: float = 20) -> None:
    folder = machine.user_policy(GUARD.format(path=name, timeout=timeout))
    if source:
        (folder / name).write_text(source)
        (folder / name).chmod(0o755)


def assert_blocked(machine, done, *named: str) -> None:
    """Exit 2, a deny in the agent's dialect, the reason on stderr and in the journal, and no traceback."""
    assert done.returncode == 2, done.stderr
    reason = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    recorded = machine.journal()[-1]["verdict"]
    assert recorded["decision"] == "block"
    for text in named:
        assert text in reason and text in done.stderr.decode(), (text, reason)
    assert b"Traceback" not in done.stdout + done.stderr


class TestPayloads:
    @pytest.mark.parametrize(
        ("payload", "named"),
        [
            (b"", "empty"),
            (b"  \n", "empty"),
            (b"rubbish", "JSON"),
            (b'["a list"]', "object"),
            (b'{"hook_event_name": "PreToolUse", "tool_name": "\xff\xfe"}', "UTF-8"),
            (b'{"hook_event_name": "PreToolUse", "tool_input": {}}', "tool_name"),
            (b'{"hook_event_name": "PreToolUse", "tool_name": "Bash"}', "tool_input"),
            (b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": "ls"}', "tool_input"),
        ],
    )
    def test_a_payload_that_cannot_be_read_is_blocked_and_named(self, machine, payload, named):
        assert_blocked(machine, machine.hook(payload), named)

    def test_a_command_that_is_a_list_is_blocked(self, machine):
        assert_blocked(machine, machine.hook(machine.bash(["rm", "-rf", "/"])), "command")

    def test_a_command_of_ten_megabytes_is_not_read_and_not_waved_through(self, machine):
        done = machine.hook(machine.bash("echo " + "x" * 10_000_000))
        assert done.returncode == 2
        assert machine.journal()[-1]["verdict"]["decision"] in ("ask", "block")

    def test_a_payload_beyond_the_bound_is_blocked(self, machine):
        assert_blocked(machine, machine.hook(machine.bash("x" * (17 * 1024 * 1024))), "bytes")

    def test_byte_order_marks_are_stripped(self, machine):
        payload = b"\xef\xbb\xbf\xef\xbb\xbf" + json.dumps(machine.bash("rm -rf /")).encode()
        assert machine.hook(payload).returncode == 2
        harmless = b"\xef\xbb\xbf" + json.dumps(machine.bash("ls")).encode()
        assert machine.hook(harmless).returncode == 0

    def test_an_unknown_tool_is_judged_by_the_shape_of_its_input(self, machine):
        payload = machine.bash("") | {"tool_name": "Novelty", "tool_input": {"command": "rm -rf /"}}
        assert machine.hook(payload).returncode == 2

    def test_an_unknown_event_passes_and_is_recorded(self, machine):
        done = machine.hook({"hook_event_name": "Novelty", "session_id": "s", "cwd": str(machine.project)})
        assert (done.returncode, done.stdout) == (0, b"")
        assert machine.journal()[-1]["event"] == "Other"
        assert machine.journal()[-1]["native_event"] == "Novelty"

    def test_stdin_that_is_closed_is_an_empty_payload(self, machine):
        import subprocess
        import sys

        done = subprocess.run(
            f"{sys.executable} -I -m fairlead --home {machine.home} hook claude <&-",
            shell=True,
            capture_output=True,
            cwd=machine.project,
        )
        assert_blocked(machine, done, "empty")


@pytest.mark.slow
class TestGuards:
    def test_a_guard_whose_file_is_missing(self, machine):
        with_guard(machine, "")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", "guard.py")

    def test_a_guard_that_raises_on_import(self, machine):
        with_guard(machine, "import nonexistent_module_of_mine\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", "nonexistent_module_of_mine")

    def test_a_guard_with_a_syntax_error(self, machine):
        with_guard(machine, "def process(:\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", "SyntaxError")

    def test_a_guard_without_process(self, machine):
        with_guard(machine, "x = 1\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", "process")

    def test_a_guard_that_hangs(self, machine):
        with_guard(machine, "def process(a, b, c):\n    while True: pass\n", timeout=0.5)
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", "0.5 s")

    @pytest.mark.parametrize("end", ["sys.exit(0)", "os._exit(0)", "os.kill(os.getpid(), 9)"])
    def test_a_guard_that_ends_its_process(self, machine, end):
        with_guard(machine, f"import os, sys\ndef process(a, b, c):\n    {end}\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard")

    @pytest.mark.parametrize("answer", ["42", "'allow'", "{'decision': 'maybe'}", "object()"])
    def test_a_guard_that_answers_rubbish(self, machine, answer):
        with_guard(machine, f"def process(a, b, c):\n    return {answer}\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard")

    def test_a_program_that_prints_rubbish(self, machine):
        with_guard(machine, "#!/bin/sh\necho '{\"decision\": '\n", name="guard.sh")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard")

    def test_a_program_that_prints_a_hundred_megabytes(self, machine):
        source = "#!/bin/sh\nhead -c 100000000 /dev/zero | tr '\\0' x\nexit 2\n"
        with_guard(machine, source, name="guard.sh")
        assert_blocked(machine, machine.hook(machine.bash("ls")))

    @pytest.mark.parametrize("end", ["", 'echo; echo \'{"decision": "block"}\''])
    def test_law_2_an_answer_behind_more_than_is_kept_is_not_taken_for_silence(self, machine, end):
        source = f"#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x\n{end}\n"
        with_guard(machine, source, name="guard.sh")
        why = () if end else ("printed more than is kept",)  # the end is kept, and so is an answer there
        assert_blocked(machine, machine.hook(machine.bash("ls")), "my-guard", *why)

    def test_a_policy_with_a_typo_says_where_and_what_next(self, machine):
        machine.user_policy(GUARD.format(path="guard.py", timeout=5).replace("timeout", "tiemout"))
        done = machine.hook(machine.bash("ls"))
        assert_blocked(machine, done, "hook.meta.yaml:7", "tiemout")

    def test_a_policy_that_cannot_be_parsed_names_the_file_the_line_and_the_way_out(self, machine):
        machine.user_policy("id: [unclosed\n")
        assert_blocked(machine, machine.hook(machine.bash("ls")), "hook.meta.yaml", "fairlead off")

    def test_neighbours_of_a_broken_entry_still_judge(self, machine):
        machine.user_policy(
            "id: mine\nkind: hook\nevent: PreToolUse\nmiddleware:\n"
            "  - {id: broken-log, type: observability, tiemout: 3, path: x.py}\n"
        )
        assert machine.hook(machine.bash("ls")).returncode == 0
        assert machine.hook(machine.bash("rm -rf /")).returncode == 2
