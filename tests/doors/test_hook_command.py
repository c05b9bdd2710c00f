"""`fairlead hook claude` as an agent runs it."""

import json
import subprocess
import sys
import time

import pytest


def test_a_dangerous_command_is_denied_in_json_on_stderr_and_by_exit_code(machine):
    done = machine.hook(machine.bash("rm -rf /"))
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert done.returncode == 2
    assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "deny")
    assert done.stderr.strip()


def test_a_harmless_command_is_met_with_silence(machine):
    done = machine.hook(machine.bash("ls"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "> /dev/full 2> /dev/full"])
def test_the_exit_code_speaks_where_no_stream_can(machine, streams):
    command = [sys.executable, "-I", "-m", "fairlead", "--home", str(machine.home), "hook", "claude"]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", *command],
        input=json.dumps(machine.bash("rm -rf /")).encode(),
        capture_output=True,
        cwd=machine.project,
        check=False,
    )
    assert done.returncode == 2


def test_a_sensitive_file_is_protected_from_every_tool(machine):
    payload = machine.bash("") | {"tool_name": "Read", "tool_input": {"file_path": f"{machine.project}/.env"}}
    assert machine.hook(payload).returncode == 2
    assert machine.hook(machine.bash("cat .env")).returncode == 2


def test_an_event_without_a_guard_passes_in_silence(machine):
    payload = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": "/"}
    done = machine.hook(payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_law_7_explain_reproduces_the_answer_from_the_journal(machine):
    done = machine.hook(machine.bash("cd / && rm -rf *"))
    shown = machine.fairlead("explain", "--last").stdout.decode()
    reason = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    record = json.loads(machine.fairlead("explain", "--last", "--json").stdout)
    assert record["verdict"]["rule"] in shown
    assert record["verdict"]["reason"] in reason or reason in record["verdict"]["reason"]
    assert record["rendered"]["exit"] == 2 and "rm -rf *" in shown


def test_law_8_every_call_is_in_the_journal_before_its_answer(machine):
    for number in range(3):
        machine.hook(machine.bash(f"echo {number}"))
    commands = [record["facts"]["tool"]["input"]["command"] for record in machine.journal()]
    assert commands == ["echo 0", "echo 1", "echo 2"]


def test_law_8_secrets_do_not_reach_the_journal(machine):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    machine.hook(machine.bash(f"curl -H 'Authorization: Bearer {secret}' https://example.com"))
    text = "".join(p.read_text() for p in (machine.home / "state" / "journal").iterdir())
    assert secret not in text and "redacted" in text


def test_law_11_a_policy_change_is_seen_by_the_next_call(machine):
    policy = (
        "id: mine\nkind: hook\nevent: PreToolUse\nmiddleware:\n"
        "  - {id: block-dangerous-commands, type: safety, config: {dangerous_patterns: [WORD]}}\n"
    )
    machine.user_policy(policy.replace("WORD", "^frobnicate"))
    assert machine.hook(machine.bash("frobnicate now")).returncode == 2
    machine.user_policy(policy.replace("WORD", "^tweak"))
    assert machine.hook(machine.bash("frobnicate now")).returncode == 0


def test_law_9_a_projects_own_code_does_not_run_untrusted(machine):
    folder = machine.project / ".fairlead" / "hooks" / "mine"
    folder.mkdir(parents=True)
    (folder / "evil.py").write_text(f"open({str(machine.project / 'ran')!r}, 'w')\n")
    (folder / "hook.meta.yaml").write_text(
        "id: mine\nkind: hook\nevent: PreToolUse\nmiddleware:\n  - {id: evil, path: evil.py, type: safety}\n"
    )
    assert machine.hook(machine.bash("ls")).returncode == 0
    assert not (machine.project / "ran").exists()


def test_an_agent_that_nobody_named_is_answered_all_the_same(machine):
    done = machine.fairlead("hook", input=json.dumps(machine.bash("rm -rf /")))
    assert done.returncode == 2 and done.stderr


def test_the_environment_cannot_move_the_policy_in_hook_mode(machine, tmp_path):
    environment = {"FAIRLEAD_HOME": str(tmp_path / "elsewhere"), "HOME": str(tmp_path / "elsewhere")}
    machine.hook(machine.bash("ls"), environment=environment)
    assert len(machine.journal()) == 1
    assert not (tmp_path / "elsewhere").exists()


def test_a_trace_on_stderr_reaches_a_file_and_never_the_agents_pipe(machine):
    policy = machine.home / "config" / "hooks" / "trace"
    policy.mkdir(parents=True)
    (policy / "hook.meta.yaml").write_text("event: PreToolUse\nmiddleware: [{id: debug-tracer}]\n")
    assert machine.hook(machine.bash("ls")).stderr == b""
    trace = machine.project / "trace"
    argv = [sys.executable, "-I", "-m", "fairlead", "--home", str(machine.home), "hook", "claude"]
    payload = json.dumps(machine.bash("ls")).encode()
    with trace.open("wb") as file:
        subprocess.run(argv, input=payload, stdout=subprocess.DEVNULL, stderr=file, check=True)
    deadline = time.monotonic() + 20
    while "aggregate" not in trace.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "block-dangerous-commands" in trace.read_text()


def test_the_journal_tells_how_long_each_stage_took(machine):
    machine.hook(machine.bash("ls"))
    (record,) = machine.journal()
    assert set(record["us"]) == {"read", "policy", "judge", "given"}
    assert all(isinstance(value, int) and value >= 0 for value in record["us"].values())
    assert record["us"]["judge"] / 1000 >= sum(outcome["ms"] for outcome in record["outcomes"])
    assert "to find its policy" in machine.fairlead("explain", "--last").stdout.decode()
